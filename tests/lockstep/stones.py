"""How games of stones in OpenSpiel, those that surround, join and sow, say their moves, and how ours do."""

from __future__ import annotations

from typing import Any

from tests.lockstep.peer import Peer

_LETTERS = "abcdefghijklmnopqrs"


def go(_peer: Any, action: int) -> str:
    row, column = divmod(action, 9)
    return "pass" if action == 81 else f"put {_LETTERS[column]}{row + 1}"


def havannah(_peer: Any, action: int) -> str:
    """Their hexagon leans the other way."""
    row, column = divmod(action, 11)
    return f"place {_LETTERS[10 - column]}{row + 1}"


def y(_peer: Any, action: int) -> str:
    row, column = divmod(action, 11)
    return f"place {_LETTERS[column]}{row + 1}"


def oware(_peer: Any, action: int) -> str:
    return f"sow_from {action + 1}"


def lines_of_action(peer: Any, action: int) -> str:
    text = peer.action_to_string(peer.current_player(), action)
    return f"go {text[:2]} {text[3:]}"


STONES: dict[str, Peer] = {
    "go": Peer("go(board_size=9)", go, {"repetition": "drawn", "longest": 162}, games=2),
    "havannah": Peer("havannah(board_size=6)", havannah, {"swap": False}, games=2),
    "havannah:swap": Peer("havannah(board_size=6,swap=true)", havannah, {"swap": True}, games=2),
    "y": Peer("y(board_size=11)", y, games=3),
    "oware": Peer("oware", oware, games=5),
    "lines-of-action": Peer(
        "lines_of_action(max_game_length=400)",
        lines_of_action,
        {"standing": 2, "blocked": "loses"},
        games=2,
    ),
}

"""How games of stones in OpenSpiel, those that surround, join and sow, say their moves, and how ours do."""

from __future__ import annotations

from typing import Any

from tests.lockstep.peer import Peer

_LETTERS = "abcdefghijklmnopqrs"


def go(_peer: Any, action: int) -> str:
    row, column = divmod(action, 9)
    return "pass" if action == 81 else f"put {_LETTERS[column]}{row + 1}"


STONES: dict[str, Peer] = {
    "go": Peer("go(board_size=9)", go, {"repetition": "drawn", "longest": 162}, games=2),
}

"""How board games of OpenSpiel say their moves, and how ours do."""

from __future__ import annotations

import re
from typing import Any

import pyspiel

from tests.lockstep.peer import Peer

_LETTERS = "abcdefghijklmnopqrs"
_COLUMNS = "abcdefghijklmnopqrstu"
_ROLES = {"q": "queen", "r": "rook", "b": "bishop", "n": "knight"}


def chess(peer: Any, action: int) -> str:
    move = pyspiel.chess.action_to_move(action, peer.board())
    text, side = move.to_lan(), ("black", "white")[peer.current_player()]
    if move.is_castling():
        return f"castle {side}_{'short' if text[2] > text[0] else 'long'}"
    if len(text) == 5:
        return f"promote {text[:2]} {text[2:4]} {side}_{_ROLES[text[4]]}"
    return f"go {text[:2]} {text[2:]}"


def checkers(peer: Any, action: int) -> str:
    text = peer.action_to_string(peer.current_player(), action)
    columns, rows = ord(text[2]) - ord(text[0]), int(text[3]) - int(text[1])
    way = f"{'north' if rows > 0 else 'south'}{'east' if columns > 0 else 'west'}"
    return f"{'go' if abs(rows) == 1 else 'jump'} {text[:2]} {way}"


def quoridor(peer: Any, action: int) -> str:
    """Our rows count from below; their walls are named by a square above or to the left."""
    text = peer.action_to_string(peer.current_player(), action)
    column, row = ord(text[0]) - ord("a"), 10 - int(text[1])
    if len(text) == 2:
        return f"go {_LETTERS[column]}{row}"
    if text[2] == "h":
        return f"build {_LETTERS[column]}{row - 1}_{_LETTERS[column]}{row}"
    return f"build {_LETTERS[column]}{row - 1}_{_LETTERS[column + 1]}{row - 1}"


def othello(peer: Any, action: int) -> str:
    text = peer.action_to_string(peer.current_player(), action)
    return "" if text == "pass" else f"put {text}"


def clobber(peer: Any, action: int) -> str:
    text = peer.action_to_string(peer.current_player(), action)
    columns, rows = ord(text[2]) - ord(text[0]), int(text[3]) - int(text[1])
    way = {(0, 1): "north", (1, 0): "east", (0, -1): "south", (-1, 0): "west"}[columns, rows]
    return f"take {text[:2]} {way}"


def amazons(peer: Any, action: int) -> str:
    """Their rows count from above."""
    text = peer.action_to_string(peer.current_player(), action)
    row, column = (int(part) for part in text[text.index("(") + 1 : -1].split(","))
    return f"{'go ' if 'From' in text else ''}{_LETTERS[column - 1]}{11 - row}"


def gomoku(_peer: Any, action: int) -> str:
    row, column = divmod(action, 15)
    return f"put {_LETTERS[column]}{row + 1}"


def mancala(peer: Any, action: int) -> str:
    return f"sow_from {action if peer.current_player() == 0 else action - 7}"


def phantom_tic_tac_toe(_peer: Any, action: int) -> str:
    row, column = divmod(action, 3)
    return f"mark {_LETTERS[column]}{row + 1}"


def dots_and_boxes(peer: Any, action: int) -> str:
    """`P1(h,0,2)`: a level line, its row and column; ours are called by the boxes they part."""
    text = peer.action_to_string(peer.current_player(), action)
    way, row, column = text[text.index("(") + 1 : -1].split(",")
    down, across = (1, 0) if way == "h" else (0, 1)
    boxes = [(int(column) - across, int(row) - down), (int(column), int(row))]
    names = [f"{_LETTERS[x]}{y + 1}" if 0 <= x < 4 and 0 <= y < 4 else "" for x, y in boxes]
    rims = ("north", "south") if way == "h" else ("west", "east")
    return f"draw {names[0] or names[1]}_{names[1] if all(names) else rims[bool(names[0])]}"


def ultimate_tic_tac_toe(peer: Any, action: int) -> str:
    text = peer.action_to_string(peer.current_player(), action)
    row, column = divmod(action, 3)
    if text.startswith("Choose"):
        return f"enter {_LETTERS[column]}{row + 1}"
    board_row, board_column = divmod(int(text[len("Local board ")]), 3)
    return f"mark {_LETTERS[3 * board_column + column]}{3 * board_row + row + 1}"


_POINTS = [
    "a7",
    "d7",
    "g7",
    "b6",
    "d6",
    "f6",
    "c5",
    "d5",
    "e5",
    "a4",
    "b4",
    "c4",
    "e4",
    "f4",
    "g4",
    "c3",
    "d3",
    "e3",
    "b2",
    "d2",
    "f2",
    "a1",
    "d1",
    "g1",
]


def nine_mens_morris(peer: Any, action: int) -> str:
    numbers = [int(word) for word in re.findall(r"\d+", peer.action_to_string(peer.current_player(), action))]
    if len(numbers) == 2:
        return f"go {_POINTS[numbers[0]]} {_POINTS[numbers[1]]}"
    point, at = _POINTS[numbers[0]], _morris_signs(peer)[numbers[0]]
    return f"put {point}" if at == "." else point  # a man that is taken


def _morris_signs(peer: Any) -> str:
    return "".join(sign for sign in str(peer).partition("Current")[0] if sign in ".WB")


def dark_hex(_peer: Any, action: int) -> str:
    row, column = divmod(action, 5)
    return f"place {_LETTERS[column]}{row + 1}"


def battleship(peer: Any, action: int) -> str:
    """`h_3_0` lays level from row 3, column 0; ours has both seas on one board."""
    text, player = peer.action_to_string(peer.current_player(), action), peer.current_player()
    row, column = (int(part) for part in re.findall(r"\d+", text.partition("(")[2]))
    lays = "place" in text
    cell = f"{_COLUMNS[column + 11 * ((player == 1) == lays)]}{row + 1}"
    return f"lay {cell} {'east' if 'horizontally' in text else 'south'}" if lays else f"shoot {cell}"


BOARDS: dict[str, Peer] = {
    "battleship": Peer(
        "battleship(ship_sizes=[5;4;3;3;2],num_shots=100,allow_repeated_shots=false)",
        battleship,
        games=1,
    ),
    "battleship:short": Peer(
        "battleship(ship_sizes=[5;4;3;3;2],num_shots=20,allow_repeated_shots=false)",
        battleship,
        {"shots": 20},
        knows="information_state_string",
        games=1,
    ),
    "chess": Peer("chess", chess, seats=(1, 0), games=2),
    "checkers": Peer("checkers", checkers, options={"patience": 40}, games=10),
    "quoridor": Peer("quoridor", quoridor, options={"longest": 324}, games=1),
    "othello": Peer("othello", othello, games=4),
    "clobber": Peer("clobber", clobber, games=30),
    "gomoku": Peer("mnk", gomoku, games=1),
    "mancala": Peer("mancala", mancala, games=20),
    "phantom-tic-tac-toe": Peer("phantom_ttt", phantom_tic_tac_toe, knows="observation_string", games=60),
    "dots-and-boxes": Peer("dots_and_boxes(num_rows=4,num_cols=4)", dots_and_boxes, games=8),
    "ultimate-tic-tac-toe": Peer("ultimate_tic_tac_toe", ultimate_tic_tac_toe, games=6),
    "nine-mens-morris": Peer("nine_mens_morris", nine_mens_morris, games=5),
    "dark-hex": Peer(
        "dark_hex(board_size=5,num_rows=5,num_cols=5)", dark_hex, knows="observation_string", games=10
    ),
    "amazons": Peer("amazons", amazons, games=2),
}

"""Chess positions with the numbers of lines of play that everybody finds (chessprogramming.org, perft results)."""

from __future__ import annotations

import ruleforge

FAMOUS: dict[str, tuple[int, ...]] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -": (20, 400, 8902, 197281, 4865609),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -": (48, 2039, 97862, 4085603),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -": (14, 191, 2812, 43238, 674624),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -": (6, 264, 9467, 422333),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -": (44, 1486, 62379, 2103487),
}
_ROLES = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
_RIGHTS = {"K": "white_short", "Q": "white_long", "k": "black_short", "q": "black_long"}


def position(fen: str, backend: str = "native") -> ruleforge.State:
    """A position in the usual notation, white to move."""
    board, side, rights, passed = fen.split()
    assert side == "w"
    values: dict[str, int | str | bool] = {f"{right}.kept": key in rights for key, right in _RIGHTS.items()}
    for number, row in enumerate(board.split("/")):
        spread = "".join(" " * int(sign) if sign.isdigit() else sign for sign in row)
        for column, sign in zip("abcdefgh", spread, strict=True):
            colour = "white" if sign.isupper() else "black"
            piece = "none" if sign == " " else f"{colour}_{_ROLES[sign.lower()]}"
            values[f"{column}{8 - number}.piece"] = piece
    values["game.passed"] = "none" if passed == "-" else passed
    return ruleforge.load("chess", backend=backend).start().patched(values)

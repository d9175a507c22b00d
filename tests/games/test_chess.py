"""Chess: as many lines of play from famous positions as everybody finds; `make lockstep` goes deeper."""

from __future__ import annotations

import pytest

from tests.differential.chess_positions import FAMOUS, position
from tests.differential.positions import perft

ENOUGH = 200_000


@pytest.mark.parametrize("fen", FAMOUS)
def test_lines_of_play_from_famous_positions(fen: str) -> None:
    for depth, lines in enumerate(FAMOUS[fen], 1):
        if lines < ENOUGH:
            assert perft(position(fen), depth) == lines

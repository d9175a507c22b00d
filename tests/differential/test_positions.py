"""Position counts equal the published ones, move for move (design: perft)."""

from __future__ import annotations

from collections import Counter

import pytest

import ruleforge
from tests.differential.positions import PERFT, census, perft
from tests.shelf import game as shelved


@pytest.mark.parametrize(
    ("name", "depth"),
    [(name, depth) for name, counts in PERFT.items() for depth in range(1, len(counts) + 1)],
)
def test_perft_equals_the_published_counts(name: str, depth: int) -> None:
    assert perft(shelved(name).start(), depth) == PERFT[name][depth - 1]


def test_every_game_of_tic_tac_toe() -> None:
    depths = [0] * 9
    endings: Counter[tuple[str, tuple[str, ...]]] = Counter()
    census(ruleforge.load("tic-tac-toe").start(), depths, endings)
    assert tuple(depths) == PERFT["tic-tac-toe"]
    assert endings == {
        ("three_in_a_row", ("cross",)): 131184,
        ("three_in_a_row", ("nought",)): 77904,
        ("full", ()): 46080,
    }


def test_nim_is_won_by_the_second_player_as_theory_says() -> None:
    """1, 3, 5, 7 has nim-sum zero: whoever moves first loses, in both games."""
    game = ruleforge.load("nim")
    for misere in (False, True):
        start = game.start(options={"misere": misere})
        assert not _can_win(start, {}), f"misere={misere}"
        for take, wins in (("take seven 1", True), ("take one 1", True)):
            after = start.copy()
            after.apply(take)
            assert _can_win(after, {}) is wins


def _can_win(state: ruleforge.State, known: dict[tuple[str, tuple[object, ...]], bool]) -> bool:
    """Can the player to move force a win?"""
    decision = state.decision
    assert decision is not None
    heaps = tuple(state[f"{heap}.left"] for heap in ("one", "three", "five", "seven"))
    key = (decision.player, heaps)
    if key not in known:
        known[key] = any(_wins(state, choice, decision.player, known) for choice in state.choices)
    return known[key]


def _wins(
    state: ruleforge.State,
    choice: ruleforge.Choice,
    player: str,
    known: dict[tuple[str, tuple[object, ...]], bool],
) -> bool:
    child = state.copy()
    child.apply(choice)
    if child.outcome is not None:
        return player in child.outcome.winners
    return not _can_win(child, known)

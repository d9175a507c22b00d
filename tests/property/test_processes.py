"""States cross process borders: saved here, restored and played on there, the same digests come out."""

from __future__ import annotations

import random

import pytest

from tests.elsewhere import Elsewhere
from tests.property.lines import RULESETS, game_of


@pytest.mark.parametrize("name", RULESETS)
def test_a_state_goes_on_in_a_new_process(name: str, elsewhere: Elsewhere) -> None:
    rng = random.Random(name)
    state = game_of(name).start(seed=11)
    positions, expected = [], []
    for _ in range(30):
        if not state.choices:
            break
        choice = rng.choice(state.choices)
        before = [state.digest, [str(c) for c in state.choices]]
        positions.append((state.save(), str(choice)))
        state.apply(choice)
        expected.append([*before, state.digest])
    assert elsewhere.played(name, positions) == expected

"""Lock-step with OpenSpiel: random games, every decision compared; `make lockstep` plays many more."""

from __future__ import annotations

import pytest

from tests.lockstep.peers import PEERS
from tests.lockstep.playing import in_step


@pytest.mark.parametrize("name", PEERS)
def test_random_games_agree_at_every_decision(name: str) -> None:
    tally = in_step(name, PEERS[name], PEERS[name].games)
    assert tally.differences == []
    assert tally.decisions > tally.games == PEERS[name].games

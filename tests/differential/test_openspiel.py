"""Lock-step with OpenSpiel: hundreds of random games, every decision compared (mappings.py states how)."""

from __future__ import annotations

import random
from typing import Any

import pyspiel
import pytest

import ruleforge
from tests.differential.mappings import PEERS, Mapping

GAMES = 300


@pytest.mark.parametrize("name", PEERS)
def test_random_games_agree_at_every_decision(name: str) -> None:
    peer_name, mapping = PEERS[name]
    game, peer_game = ruleforge.load(name), pyspiel.load_game(peer_name)
    rng = random.Random(name)
    start = game.start(chance="explicit")
    for _ in range(GAMES):
        state = start.copy()
        peer = _play_in_step(state, peer_game.new_initial_state(), mapping, rng)
        outcome = state.outcome
        assert outcome is not None
        assert list(outcome.scores.values()) == peer.returns(), str(peer)


def _play_in_step(state: ruleforge.State, peer: Any, mapping: Mapping, rng: random.Random) -> Any:
    players = state.players
    while not peer.is_terminal():
        decision = state.decision
        assert decision is not None, f"over too early\n{peer}"
        expected = "chance" if peer.is_chance_node() else players[peer.current_player()]
        assert decision.player == expected
        actions = peer.legal_actions()
        wanted = {mapping(peer, action): action for action in actions}
        assert sorted(str(choice) for choice in state.choices) == sorted(wanted)
        if peer.is_chance_node():
            assert decision.probabilities == pytest.approx([p for _, p in peer.chance_outcomes()])
        text = rng.choice(sorted(wanted))
        state.apply(text)
        peer.apply_action(wanted[text])
    return peer

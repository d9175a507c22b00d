"""Agents choose among the choices; the searching one finds what there is to find, and does not peek."""

from __future__ import annotations

import pytest

import ruleforge
from ruleforge.play.agents import AGENTS, MctsAgent, make_agent
from tests.unit.small_games import asked, ended, small_game


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_chooses_without_changing_the_state(name):
    state = small_game().start(seed=1)
    digest = state.digest
    choice = make_agent(name, 5).choose(state)
    assert choice in state.choices
    assert state.digest == digest


@pytest.mark.parametrize("name", AGENTS)
def test_the_same_seed_makes_the_same_choices(name):
    state = ruleforge.load("tic-tac-toe").start()
    assert make_agent(name, 3).choose(state) is make_agent(name, 3).choose(state)


def test_search_takes_a_win():
    state = ruleforge.load("tic-tac-toe").start()
    for cell in ("a1", "a3", "b1", "b3"):
        state.apply(f"mark {cell}")
    assert str(MctsAgent(1).choose(state)) == "mark c1"


def test_search_prevents_a_loss():
    state = ruleforge.load("tic-tac-toe").start()
    for cell in ("a1", "c3", "b1"):
        state.apply(f"mark {cell}")
    assert str(MctsAgent(1).choose(state)) == "mark c1"


def test_search_beats_chance():
    game = ruleforge.load("nim")
    wins = 0
    for seed in range(6):
        state = game.start(seed=seed)
        agents = {"ann": make_agent("random", seed), "ben": MctsAgent(seed, simulations=150)}
        agents = dict(zip(state.players, agents.values(), strict=True))
        while state.decision is not None:
            state.apply(agents[asked(state).player].choose(state))
        wins += state.players[1] in ended(state).winners
    assert wins >= 5


def test_search_does_not_depend_on_hidden_cards():
    """In two worlds its player cannot tell apart, with the same seed it chooses the same."""
    game = ruleforge.load("kuhn-poker")
    choices = set()
    for other in ("jack", "king"):
        state = game.start(chance="explicit")
        state.apply("queen")
        state.apply(other)
        choices.add(str(MctsAgent(4, simulations=3000).choose(state)))
    assert len(choices) == 1

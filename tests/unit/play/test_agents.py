"""Agents choose among the choices; the searching one finds what there is to find, and does not peek."""

from __future__ import annotations

import pytest

import ruleforge
from ruleforge.engine.errors import PlayError
from ruleforge.engine.search import can_search
from ruleforge.engine.visibility.choices import HiddenChoice
from ruleforge.engine.visibility.determinization import Determinizer
from ruleforge.play.agents import AGENTS, MctsAgent, is_agent, make_agent
from tests.unit.engine.visibility.test_secrets import SPIES
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


WALK = """\
game:
  id: walk
  title: A walk
  version: "1.0"
  text: Go far.
  players: 2
kinds:
  player:
    things: [ann, ben]
    has: {gone: 0..9999}
actions:
  stride: {during: turn, do: me.gone += 2}
  step: {during: turn, do: me.gone += 1}
  rest: {during: turn, do: skip}
flow:
  - phase: turn
    repeat: true
    each: me in players
    window: one
"""


@pytest.mark.parametrize("installed", [True, False])
@pytest.mark.parametrize("name", ["greedy", "mcts:300"])
def test_where_nothing_ends_it_counts_how_the_players_stand(name, installed, monkeypatch):
    if not installed:
        monkeypatch.setattr("ruleforge.backends.native.find_spec", lambda name: None)
    state = small_game(WALK + "heuristic: p.gone\n").start(seed=1)
    assert str(make_agent(name, 1).choose(state)) == "stride"
    backwards = small_game(WALK + "heuristic: -p.gone\n").start(seed=1)
    assert str(make_agent(name, 1).choose(backwards)) == "rest"


def test_without_a_heuristic_the_scores_so_far_count():
    state = small_game(WALK + "scores: 0 - p.gone\n").start(seed=1)
    assert str(make_agent("greedy", 1).choose(state)) == "rest"


def test_a_heuristic_is_a_number():
    with pytest.raises(ruleforge.RulesetError, match="the standing of a player"):
        small_game(WALK + "heuristic: p\n")


def test_search_does_not_depend_on_hidden_cards():
    """In two worlds its player cannot tell apart, with the same seed it chooses the same."""
    game = ruleforge.load("kuhn-poker")
    choices = set()
    for other in ("jack", "king"):
        state = game.start(chance="explicit")
        state.apply("queen")
        state.apply(other)
        choices.add(tuple(str(MctsAgent(seed, simulations=300).choose(state)) for seed in range(8)))
    assert len(choices) == 1


@pytest.mark.parametrize("name", ["mcts:0.05s", "mcts:30", "mcts:1"])
@pytest.mark.parametrize("installed", [True, False])
def test_a_search_keeps_to_its_budget(name, installed, monkeypatch):
    if not installed:
        monkeypatch.setattr("ruleforge.backends.native.find_spec", lambda name: None)
    state = ruleforge.load("tic-tac-toe").start()
    agent = make_agent(name, 1)
    assert isinstance(agent, MctsAgent)
    assert agent.choose(state) in state.choices
    assert agent.simulated >= 1
    if "s" not in name.partition(":")[2]:
        assert agent.simulated == int(name.partition(":")[2])


@pytest.mark.parametrize("name", ["mcts:", "mcts:s", "mcts:-1", "mcts:1m", "random:3", "human"])
def test_what_is_not_the_name_of_an_agent(name):
    assert not is_agent(name)


def test_search_in_machine_code_does_many_more_simulations():
    state = ruleforge.load("connect-four").start()
    agent = MctsAgent(1, seconds=0.3)
    assert str(agent.choose(state)) == "drop d"
    assert agent.simulated > 4000


def test_who_chooses_among_hidden_things_is_searched_in_python():
    """Their codes would give away what they are."""
    state = small_game(SPIES).start(seed=1)
    state.apply("think 1")
    assert any(isinstance(choice, HiddenChoice) for choice in state.choices)
    assert not can_search(state)
    assert can_search(ruleforge.load("kuhn-poker").start())
    assert make_agent("mcts", 1).choose(state) in state.choices


PLANNING = """\
game: {id: dithering, title: Dithering, version: "1.0", text: Plan., players: 2}
kinds:
  player: {things: [ann, ben], has: {plan: 0..9, rounds: 0..9}}
flow:
  - phase: turn
    repeat: true
    each: me in players
    window: many
    end: |
      me.rounds += 1
      if me.rounds is 3: finish over
actions:
  more: {during: turn, needs: me.plan < 9, do: me.plan += 1}
  less: {during: turn, needs: me.plan > 0, do: me.plan -= 1}
endings: {over: {text: Over.}}
"""


def test_who_may_plan_for_ever_comes_to_an_end():
    state = small_game(PLANNING).start(seed=1)
    agents = {player: make_agent("mcts:5", 3) for player in state.players}
    made = 0
    while state.decision is not None and made < 80:
        state.apply(agents[state.decision.player].choose(state))
        made += 1
    assert state.outcome is not None


def test_a_search_that_cannot_sample_any_world_still_answers(monkeypatch):
    def none_fits(*_: object) -> None:
        raise PlayError("RF832", "no position that fits")

    monkeypatch.setattr(Determinizer, "draw", none_fits)
    state = ruleforge.load("kuhn-poker").start(seed=1)
    assert make_agent("mcts:20", 1).choose(state) in state.choices


PONDERING = """\
game: {id: pondering, title: Pondering, version: "1.0", text: Think for ever., players: 2}
kinds:
  player: {things: [ann, ben], has: {mind: 0..1}}
flow:
  - phase: round
    repeat: true
    each: me in players
    steps: [{phase: turn, repeat: true, window: one}]
actions:
  think: {during: turn, do: me.mind = 1}
  nod: {during: turn, do: me.mind = 1}
  go: {during: turn, do: "me.mind = 0; leave turn"}
heuristic: p.mind
"""


@pytest.mark.parametrize("name", ["greedy", "mcts:20"])
def test_who_may_plan_for_ever_gets_on(name: str) -> None:
    """Every plan looks better than carrying it out."""
    state = small_game(PONDERING).start(seed=1)
    agent, made = make_agent(name, 1), 0
    while asked(state).player == "ann":
        state.apply(agent.choose(state))
        made += 1
        assert made < 20

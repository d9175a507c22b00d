"""Sampled worlds vary what chance or others have hidden, and keep what the observer knows."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

import ruleforge
from ruleforge.play.agents import Agent, GreedyAgent, MctsAgent
from tests.unit.small_games import small_game

GAME = """\
game: {id: chests, title: Chests, version: "1.0", text: Open chests., players: 2}
kinds:
  player: {things: [ann, ben], has: {points: 0..99}}
  chest:
    count: 6
    has:
      open: flag
      trap: {type: flag, sees: SEES}
  game: {has: {turns: {type: 0..99, sees: false}}}
events:
  arm: {takes: {c: chest}, do: c.trap = true}
setup: |
SETUP
INVARIANT
flow:
  - phase: turn
    repeat: true
    each: me in players
    do: game.turns += 1
    window: one
    stuck: finish over for best(p in players by p.points)
actions:
  unlock:
    during: turn
    choose: {c: in chests where not c.open}
    do: |
      c.open = true
      if c.trap: finish caught for opponent
      me.points += 1
endings: {over: {text: Over.}, caught: {text: Caught.}}
heuristic: p.points
"""
PICKED = """\
  repeat 2:
    let c = random(x in chests where not x.trap)
    if c is not none: c.trap = true"""
ROLLED = """\
  for c in chests:
    let die = roll 1..6
    if die >= 5: arm(c)"""
GIVEN = """\
  for c in chests:
    let die = roll 1..6
    c.trap = die is 6"""
TWO = "invariants: {two: {text: Two of them are trapped., that: count(c in chests where c.trap) is 2}}"


def chests(setup: str, sees: str = "self.open", invariant: str = "") -> ruleforge.Game:
    return small_game(GAME.replace("SETUP", setup).replace("SEES", sees).replace("INVARIANT", invariant))


def traps(state: ruleforge.State) -> frozenset[str]:
    return frozenset(state.evaluate("{c in chests where c.trap}"))  # type: ignore[arg-type]


@pytest.mark.parametrize("sees", ["self.open", "false"])
@pytest.mark.parametrize("setup", [PICKED, ROLLED, GIVEN], ids=["picked", "rolled", "given"])
def test_it_varies_and_does_not_hang_on_what_is_true(setup: str, sees: str) -> None:
    game = chests(setup, sees)
    some = [game.start(seed=seed) for seed in range(8)]
    assert len({traps(state) for state in some}) > 2
    worlds = [
        {traps(state.sample_world(seat, random.Random(n))) for state in some}
        for seat in ("ann", None)
        for n in range(6)
    ]
    assert all(len(world) == 1 for world in worlds)
    assert len(set.union(*worlds)) > 2


def test_what_must_hold_of_all_of_it_together_holds() -> None:
    state = chests(PICKED, invariant=TWO).start(seed=3)
    worlds = [state.sample_world("ann", random.Random(n)) for n in range(12)]
    assert all(world.violations() == () for world in worlds)
    assert len({traps(world) for world in worlds}) > 4


def test_what_the_rules_count_for_themselves_stays() -> None:
    state = chests(PICKED).start(seed=3)
    state.apply(next(c for c in state.choices if c.arguments[0] not in traps(state)))
    assert state["game.turns"] == 2
    assert {state.sample_world("ben", random.Random(n))["game.turns"] for n in range(5)} == {2}


@pytest.mark.parametrize(
    "agent", [lambda n: MctsAgent(n, simulations=60), GreedyAgent], ids=["mcts", "greedy"]
)
def test_agents_step_into_traps(agent: Callable[[int], Agent]) -> None:
    game = chests(PICKED)
    caught = 0
    for seed in range(24):
        state = game.start(seed=seed)
        caught += agent(seed).choose(state).arguments[0] in traps(state)
    assert caught > 1


HUNT = """\
game: {id: hunt, title: Hunt, version: "1.0", text: Find the culprit., players: 2}
kinds:
  player: {things: [ann, ben]}
  card: {count: 8, has: {mark: {type: flag, sees: false}}}
  game:
    has:
      culprit: {type: card, sees: false}
      worth: {type: 0..20, sees: false}
      turns: {type: 0..9, sees: false}
      dealt: {type: 0..9, sees: false}
places:
  deck: {holds: card, ordered: true, sees: false}
  hand: {of: {holder: player}, holds: card, sees: viewer is holder}
setup: |
  for c in cards: move c to deck
  shuffle deck
  let top = first(c in deck)
  if top is not none:
    game.culprit = top
    game.worth = number(top) * 2
  for p in players:
    repeat 2:
      let c = first(x in deck)
      if c is not none: move c to p.hand
  game.dealt = count(c in hand)
flow: [{phase: turn, repeat: game.turns < 5, each: me in players, do: game.turns += 1, window: one}]
actions:
  accuse: {during: turn, choose: {c: in cards}, do: "if c is game.culprit: finish right for me"}
  rest: {during: turn, do: skip}
endings: {right: {text: Right.}}
"""


def test_what_was_read_off_a_shuffled_place_varies() -> None:
    game = small_game(HUNT)
    truth = [game.start(seed=seed) for seed in range(8)]
    assert len({state["game.culprit"] for state in truth}) > 2
    for path in ("game.culprit", "game.worth"):
        worlds = [{state.sample_world("ann", random.Random(n))[path] for state in truth} for n in range(8)]
        assert all(len(world) == 1 for world in worlds), "what is true shows in a world"
        assert len(set.union(*worlds)) > 3
        assert None not in set.union(*worlds)


def test_what_was_counted_and_decided_by_where_shuffled_things_lie_stays() -> None:
    state = small_game(HUNT).start(seed=2)
    worlds = [state.sample_world("ann", random.Random(n)) for n in range(6)]
    assert {(world["game.turns"], world["game.dealt"]) for world in worlds} == {(1, 4)}


# Worlds vary what others keep to themselves about hidden things, and keep what everybody knows of them.

HIDDEN_THINGS = """\
game: {id: marks, title: Marks, version: "1.0", text: Marking cards., players: 2}
kinds:
  player: {things: [ann, ben]}
  card:
    count: 6
    has:
      marked: {type: flag, sees: viewer is self.holder}
      owner: player
places:
  deck: {of: {deck_of: player}, holds: card, ordered: true, sees: false}
  hand: {of: {holder: player}, holds: card, sees: viewer is holder}
setup: |
  for c in cards:
    c.owner = ann if number(c) <= 3 else ben
    move c to c.owner.deck
  for p in players:
    for c in first(x in p.deck): move c to p.hand
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
  - {phase: last, do: finish over}
actions:
  mark: {during: turn, sees: viewer is me, choose: {c: in me.hand}, do: c.marked = true}
endings: {over: {text: Over.}}
"""


def test_a_private_mark_on_a_hidden_card_varies():
    state = small_game(HIDDEN_THINGS).start(seed=1)
    state.apply("mark card_1")
    rng = random.Random(2)
    marks = {any(w[f"card_{n}.marked"] for n in range(1, 7)) for w in _worlds(state, "ben", rng)}
    assert marks == {False, True}
    assert all(world["card_1.marked"] for world in _worlds(state, "ann", rng))


def test_hidden_cards_stay_with_those_who_are_known_to_own_them():
    state = small_game(HIDDEN_THINGS).start(seed=1)
    decks = {tuple(world["ann.deck"]) for world in _worlds(state, None, random.Random(2))}
    assert len(decks) > 1
    assert {card for deck in decks for card in deck} == {"card_1", "card_2", "card_3"}


def _worlds(state, seat, rng):
    return [state.sample_world(seat, rng) for _ in range(12)]

"""Parts of hidden things that players were told: what is left of them, how it is forgotten, and worlds that agree."""

from __future__ import annotations

import random

import pytest

from ruleforge.engine.breakpoints import step_through
from ruleforge.engine.profile_weights import weighed
from ruleforge.engine.trace import Ran, after
from ruleforge.engine.visibility.clues import arranged
from tests.redeals import redealt
from tests.unit.small_games import small_game

RULES = """\
game: {id: hints, title: Hints, version: "1.0", text: Cards held the wrong way round., players: 2}
kinds:
  player: {things: [ann, ben]}
  colour: {things: [red, blue, green]}
  card: {product: {colour: colours, rank: 2..5}}
places:
  deck: {holds: card, ordered: true, sees: false, starts: cards}
  hand: {of: {holder: player}, holds: card, ordered: true, sees: viewer is not holder}
  box: {of: {keeper: player}, holds: card, sees: viewer is keeper}
  pile: {holds: card}
setup: |
  shuffle deck
  for p in players:
    repeat 4:
      for one c in deck: move c to p.hand
flow:
  - {phase: turn, repeat: true, each: me in players, window: one, stuck: finish over}
actions:
  hint:
    during: turn
    joined: true
    choose: {k: in colours}
    do: "for c in opponent.hand: show c.colour is k to players"
  small:
    during: turn
    joined: true
    choose: {k: in 2..5}
    do: "for c in opponent.hand: show c.rank <= k to opponent"
  whisper: {during: turn, do: "for one c in deck: show c.rank to me"}
  play: {during: turn, choose: {c: in me.hand}, do: move c to pile}
  store: {during: turn, choose: {c: in me.hand}, do: move c to me.box}
  give: {during: turn, choose: {c: in me.box}, do: move c to opponent.box}
  mix: {during: turn, do: shuffle deck}
profiles:
  careful: {text: Keeps cards., weighs: {play: 9 * c.rank, store: 2}}
endings: {over: {text: Over.}}
"""


@pytest.fixture
def state():
    return small_game(RULES).start(seed=3)


def hand(state, player, of=None):
    return state.view(player)["places"][f"{of or player}.hand"]


def test_each_hint_leaves_less(state):
    colours = [card.partition("_")[0] for card in state["ben.hand"]]
    state.apply("hint red")
    expected = [["red"] if colour == "red" else ["blue", "green"] for colour in colours]
    assert [card["?"]["told_colour"] for card in hand(state, "ben")] == expected
    state.apply("mix")
    state.apply("hint blue")
    assert [card["?"]["told_colour"] for card in hand(state, "ben")] == [[colour] for colour in colours]
    assert hand(state, None, "ben") == hand(state, "ben")  # all were told, so the public was


def test_what_one_was_told_others_do_not_see(state):
    events = state.apply("whisper")
    assert "told_rank" in state.view("ann")["places"]["deck"][0]["?"]
    assert state.view("ben")["places"]["deck"] == state.view(None)["places"]["deck"] == ["?"] * 4
    assert not events.seen_by("ben")[1:], "who was told something is no business of others"
    state.apply("mix")
    assert state.view("ann")["places"]["deck"] == ["?"] * 4


def test_it_goes_with_a_card_until_one_leaves_those_without_an_order(state):
    state.apply("hint red")
    told = [card["?"] for card in hand(state, "ben")]
    state.apply("store ben.hand[1]")
    assert [card["?"] for card in hand(state, "ben")] == told[1:]
    assert state.view("ann")["places"]["ben.box"] == [{"?": told[0]}]
    state.apply("mix")
    state.apply("store ben.hand[1]")
    state.apply("mix")
    state.apply(next(c.text for c in state.choices if c.text.startswith("give")))
    assert state.view("ann")["places"]["ben.box"] == ["?"]


@pytest.mark.parametrize("seed", range(8))
def test_worlds_agree_with_what_was_told(seed):
    """And vary: each card that could lie there does so in one of them."""
    rng = random.Random(seed)
    state = small_game(RULES).start(seed=seed)
    for _ in range(rng.randint(3, 9)):
        state.apply(rng.choice(state.choices))
    for seat in (*state.players, None):
        number = 0 if seat is None else state.players.index(seat) + 1
        for _ in range(10):
            for world in (state.sample_world(seat, rng), redealt(state, number, rng, alike=True)):
                assert world.view(seat) == state.view(seat)
                _true_of_all(world, seat)


def _true_of_all(world, seat):
    for path in world.paths():
        card, _, told = path.partition(".told_")
        if told and (seat is None or told.endswith(f"[{seat}]")):
            part = world.evaluate(f"{card}.{told.partition('[')[0]}")
            assert part in world[path], path


def test_the_same_numbers_give_the_same_world_whatever_is_hidden(state):
    for text in ("hint red", "store ben.hand[2]", "small 3", "whisper"):
        state.apply(text)
    for number, seat in enumerate(state.players, 1):
        other = redealt(state, number, random.Random(5), alike=True)
        worlds = [one.sample_world(seat, random.Random(7)).digest for one in (state, other)]
        assert worlds[0] == worlds[1]


def test_every_way_to_lay_things_is_found():
    fits = {1: {1, 2, 3}, 2: {1}, 3: {1, 2}}
    found = {
        tuple(arranged([1, 2, 3], random.Random(n).sample([1, 2, 3], 3), lambda thing, at: thing in fits[at]))
        for n in range(50)
    }
    assert found == {(3, 1, 2)}


def test_hidden_things_are_chosen_by_their_place_where_somebody_watches(state):
    chosen = state.choices[-1]
    assert chosen.code < 0, "a choice by place"
    ran = step_through(state, chosen, None, ())
    assert isinstance(ran, Ran)
    state.apply(chosen)
    assert after(state, ran).digest == state.digest


def test_a_profile_weighs_what_it_cannot_see_as_nothing(state):
    worth = dict(zip((choice.text for choice in state.choices), weighed(state, "careful"), strict=True))
    assert (worth["play ann.hand[1]"], worth["store ann.hand[1]"], worth["mix"]) == (0, 2, 0)


GUESTS = """\
game: {id: guests, title: Guests, version: "1.0", text: Which cards are guests., players: 2}
kinds:
  player: {things: [ann, ben]}
  card: {facts: {guest: flag}, things: {one: {guest: true}, two: {guest: false}}}
places:
  deck: {holds: card, ordered: true, sees: false, starts: cards}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  look: {during: turn, do: "for c in first(x in deck): show c.guest to players"}
  stop: {during: turn, do: finish over}
endings: {over: {text: Over.}}
"""


def test_a_flag_that_was_told_is_true_or_false():
    state = small_game(GUESTS).start()
    state.apply("look")
    assert state.view("ann")["places"]["deck"] == [{"?": {"told_guest": [True]}}, "?"]
    assert state["one.told_guest[ann]"] == [True]
    assert state.patched({"one.told_guest[ann]": [True, False]})["one.told_guest[ann]"] == [False, True]

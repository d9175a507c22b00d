"""Things that are printed and things that are made in play, in one kind."""

from __future__ import annotations

import random

import pytest

import ruleforge
from tests.unit.small_games import small_game

RULES = """\
game: {id: rats, title: Rats, version: "1.0", text: Cards that bring rats., players: 2}
kinds:
  player: {things: [ann, ben]}
  game: {has: {squeaks: 0..99}}
  card:
    facts: {power: 0..9}
    has: {owner: player, hurt: 0..9}
    things:
      piper: {power: 1, rules: {brings: {after: move self to field, do: rats_come(me)}}}
      cat: {power: 3, copies: 2}
      rat: {power: 2, pool: 3, rules: {squeak: {after: move self to field, do: game.squeaks += 1}}}
      king: {power: 5, pool: 1}
places:
  hand: {of: {holder: player}, holds: card, starts: "{c in cards where holder is ann}"}
  field: {of: {keeper: player}, holds: card}
events:
  rats_come:
    takes: {p: player}
    do: |
      repeat 2:
        let r = new rat(owner = p, hurt = 1)
        move r to p.field
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  play: {during: turn, choose: {c: in me.hand}, do: "c.owner = me; move c to me.field"}
  kill: {during: turn, choose: {c: in cards where c.power > 1}, do: remove c}
  breed: {during: turn, do: rats_come(me)}
  crown:
    during: turn
    needs: not any(c in cards where c is king)
    do: let k = new king(owner = me); move k to me.field
  wait: {during: turn, do: skip}
  stop: {during: turn, do: finish over for best(p in players by sum(c.power for c in p.field))}
endings: {over: {text: Over.}}
"""


@pytest.fixture(params=["python", "reference", "native"])
def state(request):
    return small_game(RULES, backend=request.param).start(seed=1)


def test_printed_things_are_there_and_others_are_not(state):
    assert state["ann.hand"] == ["piper", "cat_1", "cat_2"]
    assert state.evaluate("count(c in cards)") == 3
    assert "rat_1.hurt" not in state.view("ann")["attributes"]


def test_what_is_made_has_its_facts_and_its_rules(state):
    state.apply("play piper")
    assert (state["ann.field"], state["game.squeaks"]) == (["piper", "rat_1", "rat_2"], 2)
    assert (state["rat_1.hurt"], state["rat_1.owner"]) == (1, "ann")
    assert state.evaluate("sum(c.power for c in ann.field)") == 5
    assert state.evaluate("count(c in cards)") == 5


def test_what_is_removed_can_be_made_again_and_a_printed_thing_cannot(state):
    state.apply("play piper")
    state.apply("kill rat_1")
    state.apply("kill cat_1")
    assert state["ann.hand"] == ["cat_2"]
    state.apply("breed")
    assert (state["ann.field"], state["ben.field"]) == (["piper", "rat_2"], ["rat_1", "rat_3"])
    with pytest.raises(ruleforge.IllegalChoice, match="all 3 things of the pool `rat` are in use"):
        state.apply("breed")


def test_one_of_a_kind_has_its_plain_name(state):
    state.apply("crown")
    assert state["ann.field"] == ["king"]
    assert "crown" not in [choice.text for choice in state.choices]


def test_backends_agree_along_random_games():
    games = [small_game(RULES, backend=name) for name in ("python", "reference", "native")]
    for seed in range(5):
        rng, states = random.Random(seed), [game.start(seed=seed) for game in games]
        for _ in range(30):
            if not states[0].choices:
                break
            chosen = rng.choice([choice.text for choice in states[0].choices])
            for state in states:
                try:
                    state.apply(chosen)
                except ruleforge.IllegalChoice:
                    continue
            assert len({state.digest for state in states}) == 1


def test_copies_of_one_thing_are_twins(state):
    asked = {"twins(cat_1, cat_2)": True, "twins(piper, piper)": True, "twins(piper, cat_1)": False}
    asked |= {"twins(cat_2, rat_1)": False, "twins(rat_1, rat_3)": True, "twins(ann, ben)": False}
    assert {text: state.evaluate(text) for text in asked} == asked


def test_what_lies_somewhere_exists_however_a_position_is_set_up(state):
    fresh = state.copy()
    state.apply("breed")
    gone = state.patched({"rat_1.exists": False})
    assert gone["ann.field"] == ["rat_2"]
    assert all(gone[path] == fresh[path] for path in ("rat_1.exists", "rat_1.hurt", "rat_1.owner"))
    laid = gone.patched({"ben.field": ["rat_1", "rat_3"]})
    for position in (gone, laid, laid.patched({"rat_3.exists": False, "ann.field": []})):
        places = (position[f"{player}.{place}"] for player in ("ann", "ben") for place in ("hand", "field"))
        lying = {thing for things in places for thing in things}
        assert {thing for thing in lying if not position[f"{thing}.exists"]} == set()
        assert position.game.restore(position.save()) == position

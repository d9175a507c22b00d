"""Hidden values in formulas, views, invariants and secret actions leave no trace."""

from __future__ import annotations

import json

import pytest

import ruleforge
from tests.unit.small_games import small_game

# Formulas shown and asked, a secret phase, cards with a public mark in hidden places, a pool, an invariant.
SPIES = """\
game:
  id: spies
  title: The spies
  version: "1.0"
  text: Plan in secret.
  players: 2
kinds:
  player:
    things: [ann, ben]
    has:
      plan: {type: 0..9, sees: viewer is self}
      coins: 0..9 = 2
  card:
    facts: {rank: 1..3}
    things: {ace: {rank: 3}, jack: {rank: 2}, imp: {rank: 1}}
    has:
      marked: flag
      owner: player or none
  coin:
    pool: 2
    has: {face: 0..6}
  game:
    has: {made: 0..9}
places:
  deck: {holds: card, ordered: true, sees: false, starts: cards}
  hand: {of: {holder: player}, holds: card, sees: viewer is holder}
formulas:
  worth:
    text: What a card is worth.
    takes: {c: card, p: player}
    sees: viewer is p
    is: c.rank + p.coins
  wealth:
    takes: {p: player}
    sees: "true"
    is: p.coins * 2
  richer: {takes: {p: player, q: player}, is: p.coins > q.coins}
  plus: {takes: {much: 0..9}, is: much + 1}
  top: {is: first(c in deck)}
events:
  scheme: {takes: {c: card}, do: game.made += 1}
  breathe: {do: skip}
setup: |
  for p in players:
    let drawn = first(c in deck)
    if drawn is not none:
      drawn.owner = p
      move drawn to p.hand
  let last = first(c in deck)
  if last is not none: last.marked = true
flow:
  - phase: turn
    each: me in players
    repeat: true
    steps:
      - phase: planning
        title: make your plan
        window: one
        sees: viewer is me
      - phase: doing
        do: breathe()
        window: one
actions:
  think:
    text: Think of a number.
    during: planning
    choose: {much: in 1..9}
    do: me.plan = much
  plot:
    text: Name a card and a number, in two steps.
    during: planning
    choose: {c: in cards, much: in 1..9}
    do: |
      scheme(c)
      me.plan = much
  boast: {text: Say that there is a plan., during: planning, sees: "true", do: scheme(ace)}
  steal:
    text: Take a card of the other hand.
    during: doing
    choose: {c: in opponent.hand}
    do: move c to me.hand
  make:
    text: Make a coin.
    during: doing
    do: |
      let made = new coin(face = 3)
      game.made += 1
  spend:
    text: Spend too much.
    during: doing
    do: me.coins = 0
  stop: {text: Stop., during: doing, do: finish over}
endings: {over: {text: Over.}}
invariants:
  some_coins: {text: Nobody is ever poor., cites: [S-1], that: all(p.coins > 0 for p in players)}
"""


@pytest.fixture
def state() -> ruleforge.State:
    return small_game(SPIES).start(seed=1)


def test_formulas_are_asked_by_path(state):
    assert state["plus(4)"] == 5
    assert state["richer(ann, ben)"] is False
    assert state["worth(ace, player.ann)"] == 5
    assert state["top()"] == "imp"
    state = state.patched({"ann.coins": 7})
    assert state["richer( ann,ben )"] is True


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("plas(1)", "did you mean `plus`"),
        ("richer(ann, bem)", "did you mean `ben`"),
        ("plus(ann)", "not a number"),
        ("richer(ann)", "takes (player, player), not (ann)"),
        ("ann.welth", "did you mean `ann.wealth`"),
    ],
)
def test_a_wrong_question_is_refused(state, path, words):
    with pytest.raises(ruleforge.PathError, match="RF830") as refused:
        state[path]
    assert words in str(refused.value)


def test_formulas_cannot_be_written(state):
    with pytest.raises(ruleforge.PathError, match="read-only"):
        state.patched({"wealth(ann)": 3})


def test_shown_formulas_are_in_views_and_readable(state):
    assert state["ann.wealth"] == state["wealth(ann)"] == 4
    assert state["ace.worth[ann]"] == 5
    assert "ann.wealth" in state.paths() and "plus(1)" not in state.paths()
    mine, theirs = state.view("ann")["attributes"], state.view("ben")["attributes"]
    assert mine["ann.wealth"] == theirs["ann.wealth"] == 4
    assert mine["ace.worth[ann]"] == 5
    assert "ace.worth[ann]" not in theirs
    assert not [path for path in mine if path.startswith("jack.")]  # it lies in the other hand


def test_invariants_are_told_by_name(state):
    state.apply("think 3")
    assert state.violations() == ()
    state.apply("spend")
    assert state.violations() == ("some_coins",)


def test_a_secret_action_is_not_told(state):
    before = state.copy()
    (choice,) = state.read("think 3")
    events = state.apply(choice)
    assert "action think me=ann much=3" in [str(e) for e in events.seen_by("ann")]
    assert [str(e) for e in events.seen_by("ben")] == ["event breathe"]
    assert before.tell(choice, state, "ann") == "think 3"
    assert before.tell(choice, state, "ben") == "?"
    assert before.view("ben")["decision"] == {"player": "ann", "kind": "?", "prompt": "?"}
    assert before.view("ann")["decision"]["prompt"] == "make your plan"
    assert state.view("ben")["decision"]["kind"] == "doing"


def test_events_inside_a_secret_action_are_not_told(state):
    first, second = state.read("plot ace 4")
    assert state.apply(first).seen_by("ben") == ()
    events = state.apply(second)
    assert "event scheme c=ace" in [str(e) for e in events.seen_by("ann")]
    assert [e.name for e in events.seen_by("ben")] == ["set game.made", "event breathe"]


def test_an_open_action_of_a_secret_phase_is_told(state):
    before = state.copy()
    (choice,) = state.read("boast")
    events = state.apply(choice)
    assert before.tell(choice, state, "ben") == "boast"
    assert "event scheme c=?" in [str(e) for e in events.seen_by("ben")]


def test_hidden_things_have_no_name_but_keep_their_marks(state):
    view = state.view("ann")
    assert view["places"]["ann.hand"] == ["ace"]
    assert view["places"]["ben.hand"] == [{"?": {"owner": "ben"}}]
    assert view["places"]["deck"] == [{"?": {"marked": True}}]
    assert view["attributes"]["ace.owner"] == "ann"
    assert "jack" not in json.dumps(view) and "imp" not in json.dumps(view)


def test_things_of_a_pool_appear_when_they_exist(state):
    assert not [path for path in state.paths() if path.startswith("coin_")]
    state.apply("think 1")
    state.apply("make")
    assert state["coin_1.face"] == 3
    shown = state.view("ben")["attributes"]
    assert shown["coin_1.face"] == 3
    assert "coin_2.face" not in shown and "coin_2.face" not in state.paths()


def test_a_card_chosen_unseen_is_a_position(state):
    state.apply("think 1")
    texts = [choice.text for choice in state.choices]
    assert "steal ben.hand[1]" in texts and "steal jack" not in texts
    assert "jack" not in json.dumps(state.view("ann"))
    state.apply("steal ben.hand[1]")
    assert sorted(state["ann.hand"]) == ["ace", "jack"]


def test_a_refusal_does_not_tell_where_a_hidden_card_is(state):
    state.apply("think 1")
    here, elsewhere = state.why_not("steal jack"), state.why_not("steal imp")
    assert str(here[0]).replace("jack", "x") == str(elsewhere[0]).replace("imp", "x")


# A set chosen in a secret action is as secret as anything else chosen in it.

GAME = """\
game: {id: vault, title: Vault, version: "1.0", text: Hiding., players: 2}
kinds:
  player:
    things: [ann, ben]
    has: {turns: 0..9 = 0}
  coin: {things: [gold, silver, copper]}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one, stuck: finish over}
actions:
  hide:
    during: turn
    sees: viewer is me
    choose: {chosen: exactly 2 in coins}
    do: |
      me.turns += 1
      if me.turns is 2:
        finish over
endings: {over: {text: All is hidden.}}
"""


def test_others_are_not_told_which_things_were_chosen(tmp_path):
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    state = ruleforge.load(tmp_path).start(seed=1)
    state.apply("hide")
    before, choice = state.copy(), next(c for c in state.choices if c.text == "gold")
    state.apply(choice)
    assert before.tell(choice, state, "ann") == "gold"
    assert before.tell(choice, state, "ben") == "?"

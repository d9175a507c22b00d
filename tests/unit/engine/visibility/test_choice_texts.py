"""A seat learns nothing hidden from a text for free: a refusal speaks of the first step, later steps cost the first."""

from __future__ import annotations

import random
from itertools import groupby

import pytest

import ruleforge
from ruleforge.play.session import Session
from tests.property.secrecy import leaks
from tests.unit.engine.why_not.test_questions import ALL, GAME
from tests.unit.small_games import small_game

MORE = """\
rules:
  answered:
    after: heard(p, much)
    do: |
      p chooses x in boxes where x.size > much: skip
      else: skip
"""
WAYS = {
    "a value": """
      let much = opponent.secret
      me chooses y in boxes: skip
      me chooses x in boxes where x.size > much: x.open = true
      else: skip""",
    "a condition": """
      let much = 2
      if opponent.secret > 4:
        much = 6
      me chooses y in boxes: skip
      me chooses x in boxes where x.size > much: x.open = true
      else: skip""",
    "what is not done": """
      let much = 2
      if opponent.secret > 8:
        much = 6
      me chooses x in boxes where x.size > much: x.open = true
      else: skip""",
    "chance that acts or not": """
      me chooses y in boxes: skip
      if opponent.secret > 4: shuffle deck
      me chooses x in boxes: skip""",
    "dice that are rolled or not": """
      me chooses y in boxes: skip
      if opponent.secret > 4:
        let d = roll 1d6
        skip
      me chooses x in boxes: skip""",
    "something else that is seen to change": """
      me chooses y in boxes: skip
      if opponent.secret > 4: small.open = true
      me chooses x in boxes: skip""",
    "the question itself": """
      me chooses x in boxes where x.size > opponent.secret: x.open = true
      else: skip""",
    "which question it is": """
      me chooses y in boxes: skip
      if opponent.secret > 4:
        me chooses x in boxes where x.size > 4: x.open = true
        else: skip
      else:
        me chooses z in boxes where z.size < 4: z.open = true
        else: skip""",
    "what lies in a hand": """
      let few = count(c in opponent.hand where number(c) > 2)
      me chooses x in boxes where x.size > few: x.open = true
      else: skip""",
    "a loop": """
      let found = small
      for x in boxes:
        if x.size > opponent.secret:
          found = x
      me chooses y in boxes where y is not found: skip
      else: skip""",
    "which thing is written": """
      let one = first(x in boxes where x.size > opponent.secret)
      if one is not none:
        one.open = true
      me chooses y in boxes where y.open: skip
      else: skip""",
    "a formula": """
      let one = beyond(opponent)
      me chooses y in boxes where y is one: skip
      else: skip""",
    "a trial": """
      if would(set_coins(me, 5): opponent.secret > 3):
        small.open = true
      me chooses y in boxes where y.open: skip
      else: skip""",
    "an event": """
      lift(opponent.secret)
      me chooses y in boxes where y.open: skip
      else: skip""",
    "a rule that waits": """
      heard(me, opponent.secret)""",
    "a menu": """
      let much = opponent.secret
      me picks:
        left if much > 4: skip
        right: skip""",
}
OPEN = {
    "open values": """
      let much = opponent.coins
      me chooses y in boxes: skip
      me chooses x in boxes where x.size > much: x.open = true
      else: skip""",
    "one's own hand": """
      let few = count(c in me.hand where number(c) > 0)
      me chooses x in boxes where x.size > few: x.open = true
      else: skip""",
    "how many there are": """
      let few = count(c in opponent.hand)
      me chooses x in boxes where x.size > few: x.open = true
      else: skip""",
    "a secret that comes too late": """
      me chooses y in boxes where y.size > 2: skip
      else: skip
      if opponent.secret > 3:
        y_done(me)""",
    "a secret that is not asked for": """
      let much = opponent.secret
      if much > 3:
        much = 1
      me chooses y in boxes where y.size > 2: skip
      else: skip""",
}
EVENTS = """\
  heard: {takes: {p: player, much: 0..9}, do: skip}
  y_done: {takes: {p: player}, do: p.coins = 3}
  lift:
    takes: {much: 0..9}
    do: |
      for x in boxes:
        if x.size > much:
          x.open = true
"""
FORMULAS = """\
  beyond:
    takes: {p: player}
    is: first(x in boxes where x.size > p.secret)
"""


def game(way: str) -> ruleforge.Game:
    rules = GAME.replace("formulas:\n", f"formulas:\n{FORMULAS}").replace("events:\n", f"events:\n{EVENTS}")
    return small_game(f"{rules}  go:\n    during: turn\n    do: |{way}\n{MORE}")


def answers(state: ruleforge.State, texts: list[str]) -> list[str]:
    """All that a player is told of each text without doing a step."""
    assert state.decision is not None
    player = state.decision.player
    return [f"{state.why_not(text, player)} {refused_at_once(state, text, player)}" for text in texts]


def refused_at_once(state: ruleforge.State, text: str, player: str) -> str:
    try:
        return f"done: {Session(state).submit(text, player).done[0].choice}"
    except ruleforge.IllegalChoice as refusal:
        return str(refusal.reasons)


BOXES = ("small", "middling", "large", "zzz", "left", "right")
TEXTS = ["go", *(f"go {x}" for x in BOXES), *(f"go {x} {y}" for x in BOXES for y in BOXES)]


def worlds(way: str, *texts: str) -> list[ruleforge.State]:
    """The same position with other secrets of the rival, and other cards in their hand."""
    start = game(way).start(seed=1)
    held = start["ann.hand"]
    assert isinstance(held, list)
    other = sorted({f"card_{n}" for n in range(1, 7)} - {str(card) for card in held})
    found = []
    for secret, hand in ((0, other[:2]), (4, other[2:]), (9, other[1:3])):
        state = start.patched({"ben.secret": secret, "ben.hand": hand, "deck": sorted({*other} - {*hand})})
        for text in texts:
            state.apply(text)
        found.append(state)
    return found


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_what_is_refused_tells_nothing(way: str) -> None:
    told = [answers(state, TEXTS) for state in worlds(way)]
    assert told[0] == told[1] == told[2]


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_nor_in_the_middle_of_something(way: str) -> None:
    def offered(state: ruleforge.State) -> list[str]:
        return [choice.text for choice in state.choices]

    texts = [*BOXES, *(f"{x} {y}" for x in BOXES for y in BOXES)]
    for _, alike in groupby(sorted(worlds(way, "go"), key=offered), offered):  # others tell by being asked
        told = [answers(state, texts) for state in alike]
        assert all(words == told[0] for words in told)


@pytest.mark.parametrize("way", OPEN.values(), ids=OPEN)
def test_a_text_goes_on_where_nothing_hidden_shows(way: str) -> None:
    for state in worlds(way):
        texts = ["go large", "go large large"]
        assert any(state.why_not(text) == () for text in texts)
        assert any(Session(state).submit(text, "ann").refused == "" for text in texts)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_the_host_may_say_everything_at_once(way: str) -> None:
    """The host sees everything, so that no question behind a step is kept from its texts."""
    for state in worlds(way):
        after = state.copy()
        after.apply("go")
        if after["decision.player"] == "ann" and not after.has_learned_since(state, "ann"):
            assert state.why_not(f"go {after.choices[0]}") == ()


@pytest.mark.parametrize("actions", ALL.values(), ids=ALL)
def test_no_interface_tells_two_worlds_apart(actions: str) -> None:
    found = [leak for seed in (1, 2) for leak in leaks(small_game(GAME + actions), seed, 6, 3)]
    assert not found, found[0]


def test_a_game_that_tells_by_its_questions_is_played_all_the_same() -> None:
    rng = random.Random(1)
    state = worlds(WAYS["which question it is"])[0]
    for _ in range(20):
        state.apply(rng.choice(state.choices).text)

"""`none` and `[]` wherever a value can stand: told as a mistake, or it runs alike on every backend."""

# ruff: noqa: E501 - a table of forms reads best with many of them to a line

from __future__ import annotations

import pytest

import ruleforge
from tests.unit.small_games import rules_file

TEXT = """\
game: {id: nothing, title: Nothing, version: "1.0", text: Nothing., players: 2}
kinds:
  player: {things: [ann, ben]}
  gem: {things: [opal, jade], has: {wide: -20..99}}
  chip: {pool: 2}
  game: {has: {who: player or none, some: set of gem}}
places: {bag: {holds: gem, starts: gems}, box: {holds: gem}}
formulas:
  asked: {is: "FORMULA"}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  act: {during: turn, do: "EFFECT"}
  wait: {during: turn, needs: "NEEDS", do: skip}
"""
VALUES = """\
count(x in @)|any(x in @ where true)|sum(1 for x in @)|first(x in @)|best(x in @ by 1)|all(true for x in @)|{x in @ where true}
opal in @|game.who in @|@ in gems|@ in @|opal is @|game.who is @|@ is game.who|game.some is @|@ is game.some|@ is none|@ is []
@|not @|@ and true|@ + 1|1 + @|-@|min(@, 1)|1 if @ else 2|@ if true else 1|@ < 1|gems - @|gems + @|gems & @|@ - gems
[@]|[@, opal]|[opal, @]|{@ for x in gems}|@[1]|gems[@]|next(@)|previous(@, 2)|twins(opal, @)|can_act(@)|@.wide
would(skip: @)|would(move opal to box: @)|linked(@, @, x in gems)"""
EFFECTS = """\
for x in @: skip|for x in @ where true: skip|for one x in @: skip|for random x in @: skip|for x in gems by @: skip|for x in gems until @: skip
move @ to box|move opal to @|show @ to me|show opal to @|show opal.wide to @|remove @|shuffle @|let x = @|let x: set of gem = @|let x: gem or none = @
game.some = @|game.some += @|game.some -= @|game.who = @|opal.wide = @|opal.wide += @|pay @ from opal.wide|repeat @: skip|if @: skip
me chooses x in @: skip|me may choose x in @: skip|me chooses exactly 2 x in @: skip|@ chooses x in gems: skip|each p in @ secretly chooses x in gems: skip
each p in players secretly chooses x in @: skip|finish over for @|return @"""


def all_of(table: str) -> list[str]:
    forms = [form for line in table.split("\n") for form in line.split("|")]
    return [form.replace("@", nothing) for form in forms for nothing in ("none", "[]")]


def answers(text: str, backend: str) -> list[str]:
    """What comes of a ruleset; nothing but refusals may escape."""
    state = ruleforge.load(rules_file(text), backend=backend).start(seed=1)
    found = [str([choice.text for choice in state.choices])]
    try:
        found.append(str(state.evaluate("asked()")))
        state.apply("act")
        found.append(str(state.view("ann")))
    except ruleforge.PlayError as refusal:
        found.append(str(refusal))
    return found


def agree(**said: str) -> None:
    text = TEXT
    for word, plain in (("FORMULA", "1"), ("EFFECT", "skip"), ("NEEDS", "true")):
        text = text.replace(word, said.get(word, plain))
    try:
        first = answers(text, "python")
    except ruleforge.RulesetError:
        return
    assert answers(text, "reference") == first


@pytest.mark.parametrize("value", all_of(VALUES))
def test_a_value(value):
    agree(FORMULA=value)
    agree(NEEDS=value)


@pytest.mark.parametrize("effect", all_of(EFFECTS))
def test_an_effect(effect):
    agree(EFFECT=effect)

"""Words of the language as names, wherever effects can tell: played on every backend that is at hand."""

import pytest

import ruleforge
from tests.unit.small_games import rules_file

RULES = """
game: {id: words, title: Words, version: "1", players: 2}
options:
  all: {type: flag, default: true}
kinds:
  player: {things: [ann, ben], has: {at: 0..9, count: 0..9 per player}}
  man:
    plural: men
    facts: {first: 0..9}
    things: {pin: {first: 2}, cap: {first: 3}}
    has: {of: player or none}
  token: {pool: 3, has: {to: 0..9}}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  move:
    during: turn
    choose: {m: in men where m.of is none}
    do: |
      m.of = me
      me.at += m.first
      me.count[opponent] += 1
      new token(to=m.first)
      if option.all and not any(x in men where x.of is none): finish over for best(p in players by p.at)
rules:
  show:
    after: set man.of
    do: active.at = max(0, active.at - 1)
endings: {over: {text: It is over.}}
"""


@pytest.mark.parametrize("backend", ["python", "reference", "native"])
def test_words_behind_a_dot_and_names_of_actions(backend):
    state = ruleforge.load(rules_file(RULES), backend=backend).start(seed=1)
    assert [str(choice) for choice in state.choices] == ["move pin", "move cap"]
    state.apply("move cap")
    assert state["ann.at"] == 3 and state["ann.count[ben]"] == 1
    assert state.evaluate("pin.first + ann.at") == 5
    state.apply("move pin")
    assert state.outcome is not None and state.outcome.winners == ("ann",)

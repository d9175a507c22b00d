"""A chain of effects without end is told by its links, not by the phase it began in."""

from __future__ import annotations

import pytest

import ruleforge
from tests.unit.lang.checker.test_recursion import PLAIN, ring
from tests.unit.small_games import rules_file

ENDLESS = """\
events:
  strike: {takes: {p: player}, do: p.hits = 1}
  echo: {takes: {p: player}, do: p.hits = 2}
formulas:
  power: {takes: {p: player}, is: 1}
rules:
  first_echo: {after: strike(p), do: echo(p)}
  second_echo: {after: echo(p), do: strike(p)}
"""


def test_a_chain_without_end_names_its_links_not_the_phase():
    state = ruleforge.load(rules_file(ring("endless", ENDLESS))).start()
    before = state.digest
    with pytest.raises(ruleforge.IllegalChoice) as refused:
        state.apply("hit")
    assert refused.value.code == "RF812"
    assert "first_echo" in str(refused.value) and "second_echo" in str(refused.value)
    assert state.digest == before


STANDING = PLAIN + "rules:\n  swing: {always: p in players where p.hits > 0, do: p.hits = 3 - p.hits}\n"


def test_a_standing_rule_without_end_is_named():
    state = ruleforge.load(rules_file(ring("standing", STANDING))).start()
    with pytest.raises(ruleforge.IllegalChoice) as refused:
        state.apply("hit")
    assert refused.value.code == "RF812"
    assert "within 20000 steps" in str(refused.value)
    assert "swing" in str(refused.value)


# Nobody is asked in `turn` once the nuts are gone; `shake`, which happened last, is not what goes on.
SQUIRRELS = """\
game: {id: squirrels, title: Squirrels, version: "1.0", text: Nuts., players: 2}
kinds:
  player: {things: [ann, ben]}
  game: {has: {nuts: 0..3 = 2}}
events:
  shake: {do: game.nuts -= 1}
flow:
  - phase: turn
    repeat: true
    each: me in players
    window: one
    stuck: skip
actions:
  eat: {during: turn, needs: game.nuts > 0, do: shake()}
"""


def test_a_phase_in_which_nobody_is_asked_is_named_and_not_what_happened_before():
    state = ruleforge.load(rules_file(SQUIRRELS)).start()
    state.apply("eat")
    with pytest.raises(ruleforge.IllegalChoice) as refused:
        state.apply("eat")
    assert refused.value.code == "RF812"
    assert "`turn` goes round, and no player has a choice" in str(refused.value)
    assert "shake" not in str(refused.value)


WORK = """\
game: {id: work, title: Work, version: "1.0", text: Work., players: 2}
kinds:
  player: {things: [ann, ben], has: {heap: 0..2000000000}}
events:
  open_up: {takes: {p: player}, do: p.heap = 2000000000}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  dig:
    during: turn
    do: |
      open_up(me)
      repeat me.heap: me.heap -= 1
"""


def test_what_happened_once_is_not_told_as_going_round():
    state = ruleforge.load(rules_file(WORK)).start()
    with pytest.raises(ruleforge.IllegalChoice) as refused:
        state.apply("dig")
    assert refused.value.code == "RF829"
    assert ", after open_up" in str(refused.value)
    assert "open_up -> open_up" not in str(refused.value)

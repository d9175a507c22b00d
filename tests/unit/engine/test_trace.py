"""Observers of a run: what each hook tells, and that to watch a run changes nothing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import ruleforge
from ruleforge.compiler import ir
from ruleforge.engine.trace import Observer, TracedRun, after, trace
from tests.inside import variant_of
from tests.shelf import game as shelved

GAME = """\
game: {id: tray, title: Tray, version: "1", text: Marbles on a tray., players: 2}
kinds:
  player: {things: [ann, ben], has: {marbles: 0..9 = 5}}
  hole: {count: 3, has: {filled: 0..3}}
  game: {has: {luck: 0..6, rounds: 0..9}}
events:
  fill:
    takes: {h: hole}
    needs: h.filled < 3
    do: h.filled += 1
flow:
  - phase: turn
    repeat: true
    each: me in players
    window: one
    end: |
      game.rounds += 1
      if game.rounds >= 8: finish late
actions:
  drop:
    during: turn
    choose: {h: in holes}
    needs: "would(fill(h): h.filled) > 0"
    do: |
      fill(h)
      me.marbles -= 1
  throw:
    during: turn
    do: |
      let die = roll 1..6
      game.luck = die
endings: {late: {text: It is late.}}
"""


class Everything(Observer):
    """Counts all it hears."""

    def __init__(self) -> None:
        self.heard: Counter[str] = Counter()
        self.inside: list[str] = []
        self.written: set[int] = set()
        self.read_slots: set[int] = set()
        self.tests: set[bool] = set()
        self.answers: list[tuple[int, int]] = []
        self.values: list[int] = []
        self.in_trials = 0

    def statement(self, run: TracedRun, statement: ir.Statement) -> None:
        self.heard["statement"] += 1
        self.in_trials += run.tried
        assert run.program.place_of(statement) is not None
        assert run.depth >= 0 and isinstance(run.variables, dict)

    def enter(self, run: TracedRun, function: str, arguments: Sequence[int]) -> None:
        self.heard["enter"] += 1
        self.inside.append(function)

    def leave(self, run: TracedRun, function: str) -> None:
        self.heard["leave"] += 1
        if self.inside and self.inside[-1] == function:
            self.inside.pop()

    def branch(self, run: TracedRun, node: Any, taken: bool) -> None:
        self.tests.add(taken)

    def value(self, run: TracedRun, expression: Any, value: int) -> None:
        self.values.append(value)
        if type(expression) in (ir.Local, ir.Const):
            assert run.evaluate(expression) == value

    def read(self, run: TracedRun, slot: int) -> None:
        self.read_slots.add(slot)

    def write(self, run: TracedRun, slot: int, value: int) -> None:
        self.written.add(slot)

    def chance(self, run: TracedRun, node: ir.Random) -> int | None:
        self.heard["chance"] += 1
        return None

    def answer(self, run: TracedRun, site: ir.Site, code: int) -> None:
        self.answers.append((site.number, code))


@pytest.fixture
def tray(tmp_path: Path) -> ruleforge.State:
    (tmp_path / "game.yaml").write_text(GAME, "utf-8")
    return ruleforge.load(tmp_path / "game.yaml").start(seed=1)


def test_every_hook_is_told(tray: ruleforge.State) -> None:
    log_of = Everything()
    before = tray.digest
    trace(tray, "drop hole_1", log_of)
    assert tray.digest == before
    assert log_of.heard["statement"] and log_of.values and log_of.tests == {True, False}
    assert log_of.heard["enter"] == log_of.heard["leave"] > 0 and not log_of.inside
    assert len(log_of.answers) == 1 and log_of.heard["chance"] == 0
    assert log_of.in_trials  # `would` in the list of what can be chosen next
    column = next(c for c in variant_of(tray).program.columns if c.name.endswith("marbles"))
    assert any(
        slot in log_of.written and slot in log_of.read_slots for slot in range(column.base, column.base + 3)
    )


def test_chance_may_be_given(tray: ruleforge.State) -> None:
    class Sixes(Observer):
        def chance(self, run: TracedRun, node: ir.Random) -> int | None:
            return run.evaluate(node.bound) - 1

    assert after(tray, trace(tray, "throw", Sixes()))["game.luck"] == 6


def test_an_observer_may_end_the_run(tray: ruleforge.State) -> None:
    class Enough(Exception):
        pass

    class Stops(Observer):
        def statement(self, run: TracedRun, statement: ir.Statement) -> None:
            raise Enough

    with pytest.raises(Enough):
        trace(tray, "throw", Stops())
    assert tray["game.luck"] == 0


def test_all_observers_are_told(tray: ruleforge.State) -> None:
    one, two = Everything(), Everything()
    trace(tray, "drop hole_2", one, two)
    assert one.heard == two.heard and one.values == two.values


@pytest.mark.parametrize("name", ["tic-tac-toe", "kuhn-poker", "pig", "hex", "splicers"])
@pytest.mark.parametrize("watched", [True, False])
def test_a_traced_game_is_the_same_game(name: str, watched: bool) -> None:
    state, rng = shelved(name).start(seed=2), random.Random(3)
    observers = (Everything(),) if watched else ()
    for _ in range(8):
        if state.outcome is not None:
            return
        choice = rng.choice(state.choices)
        ran = trace(state, choice, *observers)
        made = after(state, ran)
        told = [str(e) for e in ran.events]
        events = state.apply(choice)
        assert made.digest == state.digest and told == [str(e) for e in events]

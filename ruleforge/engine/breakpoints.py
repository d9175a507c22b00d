"""Breakpoints stop a choice, or an effect typed by a user, before a statement or before a record."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ruleforge.backends.api import Row, words
from ruleforge.backends.artifacts.query_programs import Scope
from ruleforge.compiler.ir import (
    Flag,
    Note,
    NoteInfo,
    Number,
    Place,
    Restarted,
    RuleDue,
    RuleEnded,
    RuleWaits,
    ShuffledThing,
    Statement,
    TaintBegins,
    TaintEnds,
    Thing,
    Unsealed,
    ValueType,
)
from ruleforge.engine.evaluate import Given, evaluate
from ruleforge.engine.event import EventValue
from ruleforge.engine.paths import SET_BITS, plain_value, set_value
from ruleforge.engine.presentation.observation import Value
from ruleforge.engine.row_names import value_of
from ruleforge.engine.scripted_dice import ScriptedDice
from ruleforge.engine.trace import Observer, Ran, TracedRun, go_on
from ruleforge.engine.visibility.conditions import EVERYTHING
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

if TYPE_CHECKING:
    from ruleforge.engine.choice import Choice
    from ruleforge.engine.state import State


@dataclass(frozen=True, slots=True)
class Stop:
    """The point at which a run stopped: before a statement, or before the record of an event.

    `held` are the words of locals by the names of the program; `state` is the position in the middle of the
    run.
    """

    tick: int
    depth: int
    place: Place
    note: NoteInfo | None
    values: tuple[tuple[str, EventValue], ...]
    locals: Mapping[str, Any]
    state: State

    def words(self, name: str, count: int = 1) -> tuple[int, ...] | None:
        """The words of a local by the name the rules give it: the latest one of that name; None if it is not set yet."""
        own = re.compile(rf"(\d+\.)*{re.escape(name)}(_p?\d+(w\d+)?)?(#\d+)?\Z")
        found = [value for local, value in self.locals.items() if own.match(local) and type(value) is int]
        return tuple(found[-count:]) if len(found) >= count else None


class RunPoint:
    """The point that a run has reached, as a watcher sees it. It is valid only during the call to the watcher."""

    def __init__(self, states: type[State]) -> None:
        self._states, self._variant = states, states._variant
        self.run: TracedRun
        self.statement: Statement
        self.tick = 0

    @property
    def place(self) -> Place:
        return self._variant.program.place_of(self.statement)

    @property
    def aside(self) -> bool:
        """Whether an expression is being worked out, or choices are being listed."""
        return self.run.aside

    @property
    def depth(self) -> int:
        return self.run.depth

    @property
    def note(self) -> NoteInfo | None:
        """The record that comes next, if any; None for marks that only serve redaction."""
        if not isinstance(self.statement, Note):
            return None
        found = self._variant.program.notes[self.statement.note]
        marks = (
            TaintBegins | TaintEnds | Unsealed | RuleEnded | RuleWaits | RuleDue | Restarted | ShuffledThing
        )
        return None if isinstance(found.means, marks) else found

    def stop(self) -> Stop:
        """All of it, to be kept."""
        variant, run, note = self._variant, self.run, self.note
        row = variant.runtime.attach(words(run.words, variant.program))
        values: tuple[tuple[str, EventValue], ...] = ()
        if note is not None:
            assert isinstance(self.statement, Note)
            given = note.values([run.evaluate(a) for a in self.statement.arguments])
            pairs = zip(note.arguments, given, strict=True)
            values = tuple(
                (argument.label, value_of(variant, argument.type, word)) for argument, word in pairs
            )
        return Stop(
            self.tick, run.depth, self.place, note, values, run.variables, self._states._of_row(row, ())
        )


RunPoints = Callable[[RunPoint], bool]  # True stops the run


def step_through(
    state: State, choice: Choice, looks: RunPoints | None = None, dice: tuple[str, ...] = ()
) -> Ran | Stop:
    """Make a choice; the state stays as it is. Raises IllegalChoice and DiceError."""
    row = words(state._row, state._variant.program)
    return run_row(type(state), row, choice, looks, dice)


def run_row(
    states: type[State], row: Row, choice: Choice | None, looks: RunPoints | None, dice: tuple[str, ...]
) -> Ran | Stop:
    """Run a row to its next decision or to a stop, with a choice or (a row that was never run) without."""
    script = ScriptedDice(states._variant, dice)
    observers = (*([script] if dice else ()), *([Breakpoints(states, looks)] if looks is not None else ()))
    try:
        ran = go_on(states._variant, row, choice, *observers)
    except _Halt as halt:
        return halt.stop
    script.check()
    return replace(ran, left=script.left)


class _Halt(Exception):
    def __init__(self, stop: Stop) -> None:
        self.stop = stop


class Breakpoints(Observer):
    """Counts statements, and ends the run before the first statement at which a watcher wants to stop."""

    def __init__(self, states: type[State], looks: RunPoints) -> None:
        self._looks, self._look = looks, RunPoint(states)

    def statement(self, run: TracedRun, statement: Statement) -> None:
        if run.tried:
            return
        look = self._look
        look.tick += 1
        look.run, look.statement = run, statement
        if self._looks(look):
            raise _Halt(look.stop())


def lines_of(state: State) -> frozenset[tuple[str, int]]:
    """The lines of the rules at which a run can be stopped."""
    return frozenset((place.span.file, place.span.line) for place in state._variant.program.written[1:])


def definition_at(state: State, span: Span) -> str:
    """The definition that something written at a place belongs to (`event damage`); empty if none is known."""
    return next((place.definition for place in state._variant.program.written if place.span == span), "")


def evaluate_at(stop: Stop, text: str, scope: Scope) -> Value:
    """The value of an expression in the middle of a run, with the locals that are in scope there."""
    return evaluate(stop.state._variant, stop.state._row, text, EVERYTHING, Given(scope, stop.words))


def local_at(stop: Stop, name: str, sort: str, kind: str = "") -> Value:
    """A local as people read it: a `number`, a `flag`, a `thing` or a `set` of a kind; KeyError if it is not set yet."""
    program = stop.state._variant.program
    number = next((n for n, k in enumerate(program.kinds) if k.name == kind), 0)
    count = 1 + (len(program.kinds[number].things) - 2) // SET_BITS if sort == "set" else 1
    found = stop.words(name, count)
    if found is None:
        raise KeyError(name)
    if sort == "set":
        return set_value(program, number, found)
    types: dict[str, ValueType] = {"flag": Flag(), "thing": Thing(number), "number": Number()}
    return plain_value(program, types[sort], found[0])

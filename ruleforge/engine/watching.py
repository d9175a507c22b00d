"""A choice, or an effect typed by somebody, run plainly under somebody's eyes: stopped at lines, with scripted dice."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ruleforge.backends.api import Record, Row, words
from ruleforge.backends.artifacts.answering import Scope
from ruleforge.backends.faults import Trapped
from ruleforge.backends.watched import WatchedRun
from ruleforge.compiler.ir import (
    RUNAWAY,
    SITE,
    Drawn,
    Flag,
    Laid,
    Note,
    NoteInfo,
    Number,
    Place,
    Random,
    Restarted,
    Rolled,
    RuleDue,
    RuleEnded,
    RuleWaits,
    Set,
    Thing,
    Unsealed,
    Unveiled,
    ValueType,
    Veiled,
)
from ruleforge.engine.errors import PlayError
from ruleforge.engine.evaluate import Given, evaluate
from ruleforge.engine.event import EventValue
from ruleforge.engine.events import Events, NotedEvents
from ruleforge.engine.faults import refused_by_fault
from ruleforge.engine.paths import SET_BITS, plain_value, set_value
from ruleforge.engine.presentation.seen import Value
from ruleforge.engine.values import value_of
from ruleforge.engine.visibility.conditions import EVERYTHING
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

if TYPE_CHECKING:
    from ruleforge.engine.choice import Choice
    from ruleforge.engine.state import State
    from ruleforge.engine.variant import Variant


class DiceError(PlayError):
    """A scripted result that cannot come up."""

    def __init__(self, message: str) -> None:
        super().__init__("RF834", message)


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a run was stopped: before a statement, or before something that a record tells.

    `held` are the words of locals by the names of the program; `state` is the position in the middle of it all.
    """

    tick: int
    depth: int
    place: Place
    note: NoteInfo | None
    told: tuple[tuple[str, EventValue], ...]
    held: Mapping[str, Any]
    state: State

    def words(self, name: str, count: int = 1) -> tuple[int, ...] | None:
        """The words of a local by the name the rules give it: the latest one of that name; None if it is not set yet."""
        own = re.compile(rf"(\d+\.)*{re.escape(name)}(_p?\d+(w\d+)?)?(#\d+)?\Z")
        found = [value for held, value in self.held.items() if own.match(held) and type(value) is int]
        return tuple(found[-count:]) if len(found) >= count else None


@dataclass(frozen=True, slots=True)
class Ran:
    """A run that came to its end, or to the next decision: the row, what happened, the dice that are left."""

    row: Row
    events: Events
    left: tuple[str, ...]


class Look:
    """What a watcher sees: where the run is. Only good while it is being looked at."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self.run: WatchedRun
        self.statement: Any
        self.tick = 0

    @property
    def place(self) -> Place:
        return self._variant.program.place_of(self.statement)

    @property
    def aside(self) -> bool:
        """Whether an expression is being worked out, or choices are being listed."""
        return self.run.aside > 0

    @property
    def depth(self) -> int:
        return self.run.depth

    @property
    def note(self) -> NoteInfo | None:
        """What is about to be recorded, if anything; marks for those who may not know everything are nothing."""
        if not isinstance(self.statement, Note):
            return None
        found = self._variant.program.notes[self.statement.note]
        marks = Veiled | Unveiled | Unsealed | RuleEnded | RuleWaits | RuleDue | Restarted | Laid
        return None if isinstance(found.means, marks) else found

    def stop(self) -> Stop:
        """All of it, to be kept."""
        variant, run, note = self._variant, self.run, self.note
        row = variant.runtime.attach(words(run.row, variant.program))
        told: tuple[tuple[str, EventValue], ...] = ()
        if note is not None:
            given = note.values([run.value(a) for a in self.statement.arguments])
            pairs = zip(note.arguments, given, strict=True)
            told = tuple((argument.label, value_of(variant, argument.type, word)) for argument, word in pairs)
        return Stop(self.tick, run.depth, self.place, note, told, run.held(), variant.state(row, ()))


Looks = Callable[[Look], bool]  # True stops the run


def watched(
    state: State,
    choice: Choice,
    looks: Looks | None = None,
    dice: tuple[str, ...] = (),
    kind: type[WatchedRun] = WatchedRun,
) -> Ran | Stop:
    """Make a choice; the state stays as it is. Raises IllegalChoice and DiceError."""
    row = words(state._row, state._variant.program)
    return go_on(state._variant, row, choice, looks, dice, kind)


def go_on(
    variant: Variant,
    row: Row,
    choice: Choice | None,
    looks: Looks | None,
    dice: tuple[str, ...],
    kind: type[WatchedRun] = WatchedRun,
) -> Ran | Stop:
    """Run a row to its next decision, with a choice or (a row that was never run) without."""
    before, notes = row[:], []  # type: ignore[var-annotated]
    watcher = _Watcher(variant, looks, dice)
    run = kind(variant.program, row, watcher, notes)
    try:
        run.go_on(choice._code if choice is not None else 0)
    except _Halt as halt:
        return halt.stop
    except (Trapped, RecursionError) as problem:
        trapped = problem if isinstance(problem, Trapped) else Trapped(RUNAWAY)
        raise refused_by_fault(variant, trapped, choice, before if choice is not None else None) from None
    watcher.check(notes)
    return Ran(row, NotedEvents(variant, before, notes), watcher.left)


def state_of(variant: Variant, row: Row) -> State | None:
    """The state that waits at a row; None if nobody is asked there."""
    if not row[SITE]:
        return None
    attached = variant.runtime.attach(row)
    return variant.state(attached, variant.runtime.listing(attached))


def after(state: State, ran: Ran) -> State:
    """The state that a choice made at a state has led to."""
    variant = state._variant
    return state_of(variant, ran.row) or variant.state(variant.runtime.attach(ran.row), ())


class _Halt(Exception):
    def __init__(self, stop: Stop) -> None:
        self.stop = stop


class _Watcher:
    def __init__(self, variant: Variant, looks: Looks | None, dice: tuple[str, ...]) -> None:
        self._variant, self._looks = variant, looks
        self._look = Look(variant)
        self.left = dice
        self._used: list[str] = []

    def before(self, run: WatchedRun, statement: Any) -> None:
        look = self._look
        look.tick += 1
        if self._looks is None:
            return
        look.run, look.statement = run, statement
        if self._looks(look):
            raise _Halt(look.stop())

    def chance(self, run: WatchedRun, random: Random, following: Sequence[Any]) -> int | None:
        """The number by which the result that the script wants comes up."""
        if not self.left or not random.told:
            return None
        wanted, *rest = self.left
        results = self._results(run, random, following)
        if wanted not in results:
            shown = ", ".join(results[:12]) + (", ..." if len(results) > 12 else "")
            span = self._variant.program.place_of(random).span
            raise DiceError(f"`{wanted}` cannot come up at {span.file}:{span.line}; there can be {shown}")
        self.left = tuple(rest)
        self._used.append(wanted)
        return results.index(wanted)

    def _results(self, run: WatchedRun, random: Random, following: Sequence[Any]) -> list[str]:
        """What each number that can be drawn stands for: the statement behind the draw says so."""
        bound = run.value(random.bound)
        makes = following[0] if following and isinstance(following[0], Set) else None
        held = dict(run.locals)
        found = []
        for number in range(bound):
            run.locals[random.into] = number
            found.append(run.value(makes.value) if makes is not None else number)
        run.locals = held
        kind = self._kind(random)
        things = None if kind is None else self._variant.program.kinds[kind].things
        return [str(value) if things is None else things[value] for value in found]

    def _kind(self, random: Random) -> int | None:
        """The kind of the things that are picked from; None for dice, and for picks of numbers."""
        span = self._variant.program.place_of(random).span
        for info in self._variant.program.notes:
            if isinstance(info.means, Drawn) and info.span == span:
                type = info.arguments[0].type
                return type.kind if isinstance(type, Thing) else None
        return None

    def check(self, notes: Sequence[Record]) -> None:
        """What the records tell is what the script said, in its order."""
        infos = self._variant.program.notes
        came = [(infos[n], words) for n, *words in notes if isinstance(infos[n].means, Rolled | Drawn)]
        shown = [str(value_of(self._variant, i.arguments[0].type, i.values(w)[0])) for i, w in came]
        if shown[: len(self._used)] != self._used:
            raise DiceError(f"the script {' '.join(self._used)} does not come out: {' '.join(shown)}")


def lines_of(state: State) -> frozenset[tuple[str, int]]:
    """The lines of the rules at which a run can be stopped."""
    return frozenset((place.span.file, place.span.line) for place in state._variant.program.written[1:])


def definition_at(state: State, span: Span) -> str:
    """The definition that something written at a place belongs to (`event damage`); empty if none is known."""
    return next((place.definition for place in state._variant.program.written if place.span == span), "")


def evaluate_at(stop: Stop, text: str, scope: Scope) -> Value:
    """The value of an expression in the middle of a run, with the locals that are in scope there."""
    return evaluate(stop.state, text, EVERYTHING, Given(scope, stop.words))


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

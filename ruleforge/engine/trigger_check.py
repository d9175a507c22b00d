"""`trigger_check` lists the rules that wait in a position, and the rules that an event would trigger there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.backends.api import words
from ruleforge.backends.faults import Trapped
from ruleforge.compiler.ir import QUEUE
from ruleforge.engine.errors import PathError
from ruleforge.engine.paths import thing_number
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

if TYPE_CHECKING:
    from ruleforge.engine.state import State


@dataclass(frozen=True, slots=True)
class Listener:
    """A rule that an event triggers, and whether it would act; None if that was not asked, or is unknown."""

    rule: str
    form: str
    span: Span
    text: str
    acts: bool | None


@dataclass(frozen=True, slots=True)
class Waits:
    """A rule that was set off and waits for its turn, and the thing that carries it."""

    rule: str
    by: str | None
    span: Span


def listeners_of(state: State, event: str, given: tuple[int, ...] | None = None) -> tuple[Listener, ...]:
    """The rules that hang on an event: forbid it, act instead, or wait for it; with its words, which would act."""
    runtime, found = state.game.compiled.trigger_queries(state._variant.setup, event)
    row = words(state._row, state._variant.program)
    answers = []
    for each in found:
        try:
            answer = None if given is None else bool(runtime.call(each.function, row, given))
        except Trapped:
            answer = None
        rule = each.rule
        answers.append(Listener(rule.name, rule.form, rule.span, rule.text, answer))
    return tuple(answers)


def waiting(state: State) -> tuple[Waits, ...]:
    """The rules that wait for their turn, the next one first."""
    variant = state._variant
    queue = state.game.compiled.queue(variant.setup)
    if queue is None:
        return ()
    found = []
    for n in range(state._row[QUEUE]):
        at = queue.slot + n * queue.width
        rule, carrier = queue.rules[state._row[at] - 1], state._row[at + 1]
        things = next(
            (k.things for k in variant.program.kinds if rule.carrier and k.name == rule.carrier.kind.name), ()
        )
        found.append(
            Waits(rule.name, things[carrier] if carrier < len(things) and carrier else None, rule.span)
        )
    return tuple(found)


def word_of(state: State, kind: str | None, value: object) -> int:
    """A value as a word: a thing of a kind by its name, or a number."""
    if kind is None:
        if isinstance(value, int):
            return int(value)
        raise PathError("RF831", f"`{value}` is not a number")
    program = state._variant.program
    number = next(n for n, k in enumerate(program.kinds) if k.name == kind)
    return 0 if value is None else thing_number(program, number, str(value), value, "RF831")

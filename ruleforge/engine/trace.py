"""`trace` runs a choice in the plain interpreter with observers; tools that explain, count or stop a run use
it.

See `Observer` for the hooks. The state stays as it is, so a choice can be traced as often as one likes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.backends.api import Record, Row, words
from ruleforge.backends.faults import Trapped
from ruleforge.backends.reference.trace import Observer as Observer
from ruleforge.backends.reference.trace import TracedRun as TracedRun
from ruleforge.backends.reference.trace import TracingInterpreter
from ruleforge.compiler.ir import RUNAWAY, SITE
from ruleforge.engine.events import Events, NotedEvents
from ruleforge.support.records import dataclass

if TYPE_CHECKING:
    from ruleforge.engine.choice import Choice
    from ruleforge.engine.state import State
    from ruleforge.engine.variant import Variant


@dataclass(frozen=True, slots=True)
class Ran:
    """A run up to its end or the next decision: the row, and its records.

    `left` are scripted dice that were not needed.
    """

    row: Row
    events: Events
    left: tuple[str, ...] = ()


def trace(state: State, choice: Choice | str, *observers: Observer) -> Ran:
    """Make a choice with observers. Raises IllegalChoice."""
    made = state.read(choice)[0] if isinstance(choice, str) else choice
    return go_on(state._variant, words(state._row, state._variant.program), made, *observers)


def go_on(variant: Variant, row: Row, choice: Choice | None, *observers: Observer) -> Ran:
    """Run a row to its next decision, with a choice or (a row that was never run) without."""
    before, notes = row[:], list[Record]()
    code = choice._code if choice is not None else 0
    try:
        TracingInterpreter(variant.program, observers).noted(row, code, notes)
    except (Trapped, RecursionError) as problem:
        trapped = problem if isinstance(problem, Trapped) else Trapped(RUNAWAY)
        raise variant.refusal(trapped, choice, before if choice is not None else None) from None
    return Ran(row, NotedEvents(variant, before, row[:], notes))


def state_of(states: type[State], row: Row) -> State | None:
    """The state that waits at a row; None if no question waits."""
    if not row[SITE]:
        return None
    runtime = states._variant.runtime
    attached = runtime.attach(row)
    return states._of_row(attached, runtime.listing(attached))


def after(state: State, ran: Ran) -> State:
    """The state that a choice made at a state has led to."""
    states = type(state)
    return state_of(states, ran.row) or states._of_row(states._variant.runtime.attach(ran.row), ())

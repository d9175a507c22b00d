"""`evaluate` gives the value of a text of the effect language at a position, as far as a viewer may know it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ruleforge.backends.api import Row, words
from ruleforge.backends.artifacts.query_programs import Answering, Scope
from ruleforge.backends.faults import Trapped
from ruleforge.backends.reference.trace import TracingInterpreter
from ruleforge.compiler.expression import Numbers, ValueProgram
from ruleforge.compiler.ir import Program, SetOf
from ruleforge.engine.errors import PathError
from ruleforge.engine.faults import unanswered
from ruleforge.engine.paths import FormulaPath, plain_value, set_value
from ruleforge.engine.presentation.observation import Value
from ruleforge.engine.visibility.conditions import EVERYTHING, Visibility
from ruleforge.engine.visibility.read_tracking import ReadCheck, Reads
from ruleforge.support.records import dataclass

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

Call = Callable[[str, tuple[int, ...]], int]
MOST_NUMBERS = 10_000


@dataclass(frozen=True, slots=True)
class Given:
    """Locals that an expression may use: their types by name, and the place of each one's words."""

    scope: Scope
    words: Callable[[str, int], tuple[int, ...] | None]

    def of(self, query: ValueProgram) -> tuple[int, ...]:
        """The words of those that are used, in their order."""
        found: list[int] = []
        for name, count in query.given:
            mine = self.words(name, count)
            if mine is None:
                raise PathError("RF830", f"`{name}` has no value here yet")
            found += mine
        return tuple(found)


def evaluate(variant: Variant, row: Row, text: str, viewer: int, given: Given | None = None) -> Value:
    """The value of an expression; for a viewer only if it can be worked out from what they may know."""
    if not isinstance(text, str):
        raise PathError("RF830", f"an expression is text of the effect language, not {text!r}")
    if viewer != EVERYTHING and (shown := _shown(variant, row, text, viewer)) is not None:
        return variant.value(row, shown)
    answering = variant.special.answering(text, given.scope if given is not None else None)
    return answered(variant, row, answering, text, viewer, given)


def answered(
    variant: Variant, row: Row, answering: Answering, text: str, viewer: int, given: Given | None = None
) -> Value:
    """The value of an expression's program; for a viewer only if it follows from the viewer's information."""
    program, query = answering.runtime.program, answering.value_program
    own, reads = words(row, program), Reads()
    check = None if viewer == EVERYTHING else ReadCheck(variant, row, viewer)
    runtime = answering.runtime if check is None else TracingInterpreter(program, (reads,))
    tries = query.tries and variant.hides_something  # the result of a speculative execution is hidden

    def call(function: str, arguments: tuple[int, ...] = ()) -> int:
        return runtime.call(function, own, arguments)

    try:
        if check is not None and (tries or not check.may_look(query.looks, call, reads)):
            raise _unseen(text)
        value = _value(query, program, call, text, given.of(query) if given is not None else ())
    except Trapped as trapped:
        if check is not None and not check.see_all(reads):  # what broke it off may be hidden
            raise _unseen(text) from None
        raise unanswered(program, trapped, f"`{text}` has no value") from None
    if check is not None and not check.see_all(reads):
        raise _unseen(text)
    return value


def kind_of_members(variant: Variant, text: str) -> int | None:
    """The kind of the things in an expression's set; None if its value is no set of things."""
    type = variant.special.answering(text).value_program.type
    return type.kind if isinstance(type, SetOf) else None


def _unseen(text: str) -> PathError:
    return PathError("RF830", f"`{text}` depends on hidden information")


def _value(
    query: ValueProgram, program: Program, call: Call, text: str, given: tuple[int, ...] = ()
) -> Value:
    match query.type:
        case None:
            return None
        case Numbers(low=low, high=high):
            if high - low >= MOST_NUMBERS:
                raise PathError("RF830", f"`{text}` may be more than {MOST_NUMBERS} numbers")
            return [n for n in range(low, high + 1) if call(query.functions[0], (n, *given))]
        case SetOf(kind=kind):
            return set_value(program, kind, [call(function, given) for function in query.functions])
    return plain_value(program, query.type, call(query.functions[0], given))


# --- what a viewer may know ---


def _shown(variant: Variant, row: Row, text: str, viewer: int) -> FormulaPath | None:
    """The formula named by the text, if its value is shown to the viewer whatever it depends on."""
    path = variant.paths.known(text)
    if not isinstance(path, FormulaPath):
        return None
    visible = Visibility(variant, row)
    named = zip(path.info.kinds, path.indices, strict=True)
    if not all(visible.thing(viewer, kind, thing) for kind, thing in named if kind is not None):
        return None
    return path if visible.formula(viewer, path.info, path.indices) else None

"""Values by path -> a state with them: how scenarios set a position up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ruleforge.backends.faults import Trapped
from ruleforge.compiler.ir import OUTCOME
from ruleforge.engine import paths
from ruleforge.engine.errors import PathError
from ruleforge.engine.faults import refused_by_fault
from ruleforge.present.seen import Value

if TYPE_CHECKING:
    from ruleforge.engine.state import State
    from ruleforge.engine.variant import Variant


def differing(state: State, other: State) -> dict[str, Value]:
    """What would have to be written into a state for all that is stored in it to be as in another."""
    mine, theirs = state._variant, other._variant
    found = {}
    for here, there in zip(_stored(mine), _stored(theirs), strict=True):
        value = paths.read(theirs.program, other._row, there)
        if paths.read(mine.program, state._row, here) != value:
            found[here.path] = value
    return found


def _stored(variant: Variant) -> tuple[paths.Stored, ...]:
    known = variant.knowledge
    attributes = (path for path in variant.paths.attributes if path.info.base not in known)
    return (*variant.paths.places, *attributes)


def patched(state: State, values: Mapping[str, object]) -> State:
    """A copy of the state with the values written, its choices listed anew."""
    variant = state._variant
    row = [*state._row[: variant.program.row_size]]
    for path, value in values.items():
        if path.startswith(("decision.", "outcome.")):
            raise PathError("RF831", f"`{path}` can be read only")
        try:
            found = variant.paths.find(path)
            if isinstance(found, paths.FormulaPath):
                raise PathError("RF831", f"`{path}` is worked out by a formula; it can be read only")
            paths.write(variant.program, row, found, value)
        except PathError as error:
            error.path = path
            raise
    attached = variant.runtime.attach(row)
    try:
        choices = variant.runtime.listing(attached)
    except Trapped as trapped:
        raise refused_by_fault(variant, trapped, None) from None
    if not choices and not row[OUTCOME]:
        raise PathError("RF832", "with these values nobody has a choice in the waiting decision")
    return state.copy()._put(attached, choices)

"""Values by path -> a state with them: how scenarios set a position up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ruleforge.backends.faults import Trapped
from ruleforge.compiler.ir import OUTCOME
from ruleforge.engine import paths
from ruleforge.engine.errors import PathError
from ruleforge.engine.faults import refused_by_fault

if TYPE_CHECKING:
    from ruleforge.engine.state import State


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

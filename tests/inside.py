"""The inside of a state, for tests that compare rows and programs: the only place that names its private parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ruleforge.backends.api import Row
    from ruleforge.engine.base_state import BaseState
    from ruleforge.engine.variant import Variant


def vector_of(state: BaseState) -> Row:
    """The state vector itself, no copy."""
    return state._row


def variant_of(state: BaseState) -> Variant:
    """What the rules were compiled to for this setup."""
    return state._variant

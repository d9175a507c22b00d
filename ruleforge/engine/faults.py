"""A rule that breaks a limit while it runs -> the refusal of the choice that led there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.diagnostics import NOWHERE
from ruleforge.engine.errors import IllegalChoice, Reason

if TYPE_CHECKING:
    from ruleforge.backends.faults import Trapped
    from ruleforge.engine.choice import Choice
    from ruleforge.engine.variant import Variant


def refused_by_fault(variant: Variant, trapped: Trapped, choice: Choice | None) -> IllegalChoice:
    """The refusal that names the limit and the rule's place (of a general limit: the choice's rule)."""
    fault = variant.program.faults[trapped.fault]
    span = None if fault.span == NOWHERE else fault.span
    clauses: tuple[str, ...] = ()
    wording = variant.wordings[choice.site] if choice is not None else None
    if choice is not None and wording is not None:
        option = wording.option(choice.code)
        if option.action is not None:
            clauses = variant.program.actions[option.action].clauses
        if span is None and option.span != NOWHERE:
            span = option.span
    doing = f"`{choice.text}` is taken back: " if choice is not None else ""
    return IllegalChoice((Reason(fault.code, f"{doing}{fault.message}", span, clauses),))

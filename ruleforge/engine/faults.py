"""A rule that breaks a limit while it runs -> the refusal of the choice that led there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.compiler.ir import OVERFLOW, RUNAWAY, STACK
from ruleforge.diagnostics import NOWHERE
from ruleforge.diagnostics.codes import CODES
from ruleforge.engine.errors import IllegalChoice, Reason

if TYPE_CHECKING:
    from ruleforge.backends.faults import Trapped
    from ruleforge.engine.choice import Choice
    from ruleforge.engine.variant import Variant

_GENERAL = {OVERFLOW: "RF811", RUNAWAY: "RF812", STACK: "RF813"}


def refused_by_fault(variant: Variant, trapped: Trapped, choice: Choice | None) -> IllegalChoice:
    """The refusal that names the limit and the rule's place (of a general limit: the choice's rule)."""
    fault = variant.program.faults[trapped.fault]
    code = fault.code if fault.code in CODES else _GENERAL.get(trapped.fault, "RF816")
    span, clauses = (None if fault.span == NOWHERE else fault.span), ()
    if choice is not None and span is None:
        wording = variant.wordings[choice.site]
        assert wording is not None
        option = wording.option(choice.code)
        span = option.span if option.span != NOWHERE else None
    doing = f"`{choice.text}` is taken back: " if choice is not None else ""
    return IllegalChoice((Reason(code, f"{doing}{fault.message}", span, clauses),))

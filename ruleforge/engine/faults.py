"""A rule that breaks a limit while it runs -> the refusal of the choice that led there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.compiler.ir import RUNAWAY
from ruleforge.diagnostics import NOWHERE
from ruleforge.engine.errors import IllegalChoice, Reason
from ruleforge.engine.runaway import links, named

if TYPE_CHECKING:
    from ruleforge.backends.api import Row
    from ruleforge.backends.faults import Trapped
    from ruleforge.engine.choice import Choice
    from ruleforge.engine.variant import Variant


def refused_by_fault(
    variant: Variant, trapped: Trapped, choice: Choice | None, before: Row | None = None
) -> IllegalChoice:
    """The refusal that names the limit and the rule's place (of a general limit: the choice's rule).

    With the row before the choice, a chain without end is told by its links.
    """
    fault = variant.program.faults[trapped.fault]
    span, message = None if fault.span == NOWHERE else fault.span, fault.message
    if trapped.fault == RUNAWAY:
        message = f"{message} within {variant.program.fuse} steps"
        chain = links(variant, before, choice.code) if before is not None and choice is not None else ()
        if chain:
            message, span = f"{message}: {named(chain)}", chain[0].span
    clauses: tuple[str, ...] = ()
    wording = variant.wordings[choice.site] if choice is not None else None
    if choice is not None and wording is not None:
        option = wording.option(choice.code)
        if option.action is not None:
            clauses = variant.program.actions[option.action].clauses
        if span is None and option.span != NOWHERE:
            span = option.span
    doing = f"`{choice.text}` is taken back: " if choice is not None else ""
    pack = variant.game.info.pack_of(span) if span is not None else None
    title = pack.title if pack else ""
    return IllegalChoice((Reason(fault.code, f"{doing}{message}", span, clauses, pack=title),))

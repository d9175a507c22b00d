"""A rule that breaks a limit while it runs -> the refusal of the choice that led there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.compiler.ir import RUNAWAY, Fault, Program
from ruleforge.compiler.step_budget import CODE
from ruleforge.engine.chain_report import chain
from ruleforge.engine.errors import IllegalChoice, PathError, Reason
from ruleforge.support.diagnostics import NOWHERE

if TYPE_CHECKING:
    from ruleforge.backends.api import Row
    from ruleforge.backends.artifacts.info import GameInfo
    from ruleforge.backends.faults import Trapped
    from ruleforge.engine.choice import Choice


def refusal_by_fault(
    program: Program,
    info: GameInfo,
    trapped: Trapped,
    choice: Choice | None = None,
    before: Row | None = None,
) -> IllegalChoice:
    """The refusal that names the limit and the rule's place (of a general limit: the choice's rule).

    A chain without end is told by its links, found by going on from the row `before`.
    """
    fault = program.faults[trapped.fault]
    span, message = None if fault.span == NOWHERE else fault.span, _message(program, fault)
    if before is not None and (trapped.fault == RUNAWAY or fault.code == CODE):
        found = chain(program, before, 0 if choice is None else choice._code)
        if found is not None:
            message = f"{message}{found}"
            span = found.links[0].span if span is None else span
    clauses = fault.clauses
    if choice is not None:
        option = program.sites[choice.site].option(choice._code)
        if option.action is not None and not clauses:
            clauses = program.actions[option.action].clauses
        if span is None and option.span != NOWHERE:
            span = option.span
    doing = f"`{choice.text}` is taken back: " if choice is not None else ""
    pack = info.pack_of(span) if span is not None else None
    title = pack.title if pack else ""
    return IllegalChoice((Reason(fault.code, f"{doing}{message}", span, clauses, pack=title),))


def unanswered(program: Program, trapped: Trapped, question: str) -> PathError:
    """A question about a position that its rules break off."""
    fault = program.faults[trapped.fault]
    where = "" if fault.span == NOWHERE else f" at {fault.span}"
    return PathError(fault.code, f"{question}: {_message(program, fault)}{where}")


def _message(program: Program, fault: Fault) -> str:
    """What happened, with the limit."""
    if fault is program.faults[RUNAWAY]:
        return f"{fault.message} within {program.fuse} steps and {program.work:,} steps of work"
    return f"{fault.message}, which is {program.work:,} steps" if fault.code == CODE else fault.message

"""Evaluate the checks of the printed material when a ruleset is validated: statements about constants."""

from __future__ import annotations

from collections.abc import Mapping

from ruleforge.backends import reference
from ruleforge.backends.faults import Trapped
from ruleforge.compiler.ir import WORK_DONE
from ruleforge.compiler.program import checking_program
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ThingT
from ruleforge.support.diagnostics import NOWHERE, Report, Span

MANY = 5  # things that fail a check: of more it is likely the check that is wrong


def run_checks(rules: t.Checked, report: Report) -> None:
    """Report every failed check, once for each thing."""
    if not rules.checks:
        return
    program, functions = checking_program(rules)
    machine = reference.compile(program)
    row = list(program.start)
    for check, function in zip(rules.checks, functions, strict=True):
        row[WORK_DONE] = 0
        try:
            culprits = _culprits(machine, row, check, function)
        except Trapped as trapped:
            fault = program.faults[trapped.fault]
            span = check.span if fault.span == NOWHERE else fault.span
            report.add(fault.code, f"the check `{check.name}` cannot be made: {fault.message}", span)
            continue
        if culprits is not None:
            _report_contradiction(rules, check, culprits, report)


def _report_contradiction(rules: t.Checked, check: t.Check, culprits: list[str], report: Report) -> None:
    """Report a failed check at each declared thing, and at the check for all others."""
    code = "RF720" if check.warn else "RF601"
    text = check.text.rstrip(".") or f"the check `{check.name}` fails"
    text += f" [{', '.join(check.clauses)}]" if check.clauses else ""
    spans = _spans(rules, check) if len(culprits) <= MANY else {}
    for name in culprits:
        if name in spans:
            notes = ((f"in the check `{check.name}`", check.span),)
            report.add(code, f"`{name}`: {text}", spans[name], notes=notes)
    others = [f"`{name}`" for name in culprits if name not in spans]
    if others or not culprits:
        more = f" and {len(others) - MANY} more" if len(others) > MANY else ""
        about = f"{', '.join(others[:MANY])}{more}: " if others else ""
        report.add(code, f"{about}{text}", check.span)


def _spans(rules: t.Checked, check: t.Check) -> Mapping[str, Span]:
    """The declarations of the things that a check is about."""
    type_ = check.binder.variable.type if check.binder else None
    return rules.kinds[type_.kind].spans if isinstance(type_, ThingT) else {}


def _culprits(
    machine: reference.Interpreter, row: list[int], check: t.Check, function: str
) -> list[str] | None:
    """The things for which a check fails, none of a check that is about no thing; None if it holds."""
    if check.binder is None:
        return None if machine.call(function, row, ()) else []
    type_ = check.binder.variable.type
    assert isinstance(type_, ThingT)
    kind = next(k for k in machine.program.kinds if k.name == type_.kind)
    found = [name for i, name in enumerate(kind.things) if i and not machine.call(function, row, (i,))]
    return found or None

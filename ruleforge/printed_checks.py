"""Checks of the printed material: statements about constants, asked when a ruleset is validated."""

from __future__ import annotations

from ruleforge.backends import reference
from ruleforge.check import typed as t
from ruleforge.compiler.program import checking_program
from ruleforge.diagnostics import Report


def run_checks(rules: t.Checked, report: Report) -> None:
    """Report every check that fails, naming the things for which it does."""
    if not rules.checks:
        return
    program, functions = checking_program(rules)
    machine = reference.compile(program)
    row = list(program.start)
    for check, function in zip(rules.checks, functions, strict=True):
        culprits = _culprits(machine, row, check, function)
        if culprits:
            names = ", ".join(f"`{name}`" for name in culprits if name)
            text = check.text.rstrip(".") or f"the check `{check.name}` fails"
            cited = f" [{', '.join(check.clauses)}]" if check.clauses else ""
            report.add("RF601", f"{names + ': ' if names else ''}{text}{cited}", check.span)


def _culprits(machine: reference.Interpreter, row: list[int], check: t.Check, function: str) -> list[str]:
    """The things for which a check fails; an empty name for a check that is about no thing."""
    if check.binder is None:
        return [] if machine.call(function, row, ()) else [""]
    kind = next(k for k in machine.program.kinds if k.name == check.binder.variable.type.kind)  # type: ignore[union-attr]
    return [name for i, name in enumerate(kind.things) if i and not machine.call(function, row, (i,))]

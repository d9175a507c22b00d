"""Program -> the plain functions that somebody outside it may call: who sees what, formulas, invariants, scores."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.analysis.ranges import Ranges
from ruleforge.compiler import ir


def asked(program: ir.Program, ranges: Ranges) -> set[str]:
    """Those that a fact of the program names, and those that nothing in it calls."""
    called, named = ranges.called, {*_named(program)}
    return {name for name in program.plain if name in named or name not in called}


def _named(program: ir.Program) -> Iterator[str | None]:
    for seen in (program.columns, program.places, program.notes, program.sites, program.actions):
        yield from (each.sees for each in seen)
    for formula in program.formulas:
        yield from (formula.function, formula.sees, formula.base)
    for modifier in program.modifiers:
        yield from (modifier.function, modifier.applies)
    yield from (invariant.function for invariant in program.invariants)
    yield from (program.score, program.heuristic)

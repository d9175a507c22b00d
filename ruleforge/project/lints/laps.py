"""RF711: a loop that may go round very often; RF712: one that goes round oftener than any decision is granted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.spread import MOST, Spreads
from ruleforge.lang.checker.types import NumbersT, NumberT
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.support.diagnostics import Report, Span

MANY = 1_000_000
EARLY = (t.Return, t.Finish, t.Leave)  # a loop around these may be left before its end
WHOLE = ("count", "sum", "min", "max")  # go through all they are given


def check(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    for node in nodes:
        for span, least, most, complete in _laps(node):
            if complete and least > rules.ceilings.work:
                says = f"this loop runs {least:,} times, and one decision is granted {rules.ceilings.work:,} steps"
                report.add("RF712", says, span)
            elif most > MANY:
                report.add(
                    "RF711", f"this loop may run {most:,} times", span, "narrow the range it runs over"
                )
    spreads = Spreads()
    for formula in rules.formulas.values():
        if isinstance(formula.result, NumbersT) and spreads.of(formula) >= MOST:
            says = f"`{formula.name}` is too long together with the formulas it calls"
            report.add("RF712", says, formula.span)


def _laps(node: object) -> Iterator[tuple[Span, int, int, bool]]:
    """Where a loop says how often it runs, how often that is at least and at most, and whether it runs to its end."""
    match node:
        case t.Repeat(times=t.Expr(type=NumberT(low=low, high=high)) as times):
            yield times.span, low, high, node.condition is None and _runs_through(node.body)
        case t.For(binder=binder, body=body):
            yield from _walked(binder, _runs_through(body))
        case t.Aggregate(op=op, binder=binder):
            yield from _walked(binder, op in WHOLE)
        case t.Selection(binder=binder):
            yield from _walked(binder, False)


def _walked(binder: t.Binder, complete: bool) -> Iterator[tuple[Span, int, int, bool]]:
    match binder.source:
        case t.Interval(low=t.Expr(type=NumberT() as low), high=t.Expr(type=NumberT() as high)):
            least, most = high.low - low.high + 1, high.high - low.low + 1
            yield binder.source.span, least, most, complete and binder.until is None


def _runs_through(body: t.Block) -> bool:
    return not any(isinstance(node, EARLY) for node in all_nodes(body))

"""Warnings about numbers: divisors, ranges, long loops, lists and tables that are too large."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from ruleforge.analysis.intervals import WORD, apply
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.geometry import SHAPES
from ruleforge.lang.checker.sizes import MOST, Spreads, refuse
from ruleforge.lang.checker.types import NumbersT, NumberT, ThingT
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.support.diagnostics import Report, Span

MANY = 1_000_000
EARLY = (t.Return, t.Finish, t.Leave)  # a loop around these may be left before its end
WHOLE = ("count", "sum", "min", "max")  # go through all they are given
CODES = 2**31 - 1  # answers of one question are numbered


def check_numbers(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    for node in nodes:
        if not isinstance(node, t.Arithmetic) or not isinstance(node.left.type, NumberT):
            continue
        assert isinstance(node.right.type, NumberT)
        if node.op in ("//", "%") and node.right.type.low <= 0 <= node.right.type.high:
            report.add(
                "RF706",
                "this may divide by zero",
                node.right.span,
                "divide by `max(1, ...)`, or narrow the range",
            )
        elif not apply(node.op, node.left.type.range, node.right.type.range).within(WORD) and not _unknown(
            node
        ):
            report.add(
                "RF707", "this may leave the range of whole numbers", node.span, "narrow the ranges involved"
            )


def _unknown(node: t.Arithmetic) -> bool:
    """A local written several times, or a formula open without limits, has no known range: play checks it."""
    return any(
        isinstance(s.type, NumberT) and s.type.high - s.type.low >= 2**31 for s in (node.left, node.right)
    )


# RF711: a loop that may go round very often; RF712: one that goes round oftener than any decision is granted.


def check_loops(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    for node in nodes:
        for span, least, most, complete in _iterations(node):
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


def _iterations(node: object) -> Iterator[tuple[Span, int, int, bool]]:
    """The bounds on the iterations of a loop: its place, the least, the most, and whether it runs to its
    end.
    """
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


# RF511: lists of choices, and tables about boards, that a ceiling of the host does not allow.


def check_sizes(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    for action in rules.actions.values():
        _one_by_one(rules, action.binders, report)
        if action.joined and len(action.binders) > 1:
            _at_once(rules, action, report)
    for node in nodes:
        match node:
            case t.Choose(binders=binders):
                _one_by_one(rules, binders, report)
            case t.Sealed(binders=binders, span=span):
                _one_by_one(rules, binders, report)
                if len(binders) > 1 or isinstance(binders[0], t.Several):
                    _numbered(rules, "a secret choice", binders, span, report)
            case t.Builtin(name=name, kind=t.Kind() as kind, span=span) if name in (*_PAIRS, *_WAYS):
                _board(rules, name, kind, span, report)


def _one_by_one(rules: t.Checked, binders: tuple[t.Binder | t.Several, ...], report: Report) -> None:
    """Refuse a choice between two constant numbers that are too far apart: each number becomes a choice."""
    for binder in binders:
        count = _sure_count(binder)
        if count > rules.ceilings.choices:
            name = binder.variable.name if isinstance(binder, t.Binder) else binder.chosen.name
            refuse(
                report,
                f"`{name}` makes a list of too many choices",
                count,
                rules.ceilings.choices,
                binder.span,
            )


def _sure_count(binder: t.Binder | t.Several) -> int:
    source = binder.source if isinstance(binder, t.Binder) else binder.binder.source
    match source:
        case t.Interval(low=t.Constant(value=low), high=t.Constant(value=high)):
            return high - low + 1
        case t.All(kind=kind):
            return kind.size
    return 0


def _at_once(rules: t.Checked, action: t.Action, report: Report) -> None:
    """An action whose parts are one answer: all combinations are numbered, and listed unless something is left out."""
    if not _numbered(rules, f"`{action.name}`", action.binders, action.span, report):
        return
    free = not action.needs and not any(
        isinstance(b, t.Several) or b.where or b.until for b in action.binders
    )
    listed = prod(map(_sure_count, action.binders)) if free else 0
    if listed > rules.ceilings.choices:
        message = f"`{action.name}` makes a list of too many choices"
        refuse(report, message, listed, rules.ceilings.choices, action.span)


def _numbered(
    rules: t.Checked, what: str, binders: tuple[t.Binder | t.Several, ...], span: Span, report: Report
) -> bool:
    """Whether all combinations of what is answered at once have a number each."""
    codes = prod(_codes(rules, binder) for binder in binders)
    if codes > CODES:
        refuse(report, f"{what} has too many answers", codes, CODES, span)
    return codes <= CODES


def _codes(rules: t.Checked, binder: t.Binder | t.Several) -> int:
    one = binder if isinstance(binder, t.Binder) else binder.binder
    times = 1 if isinstance(binder, t.Binder) else binder.size or 1
    match one.variable.type:
        case NumberT(low=low, high=high):
            return int(max(1, high - low + 1) ** times)
        case ThingT(kind=kind):
            return int(max(1, rules.kinds[kind].size) ** times)
    return 1


# Functions that need a table for all pairs of cells, and those that need one for all ways over the board.
_PAIRS = ("distance", "edge_between", "edge_joining")
_WAYS = {"ray": "ray", "steps_on": "step"}


def _board(rules: t.Checked, name: str, kind: t.Kind, span: Span, report: Report) -> None:
    geometry = rules.geometry[kind.name]
    if name in _PAIRS:
        count = max(kind.size, geometry.border.board.size if geometry.border else 0) ** 2
    else:  # a way along a track, or along edges, may be as long as all of it
        longest = max(geometry.columns, geometry.rows, geometry.levels)
        count = kind.size * len(geometry.steps) * (longest if geometry.shape in SHAPES else kind.size)
    if count > rules.ceilings.tables:
        called = _WAYS.get(name) or (name if name == "distance" else kind.name)
        refuse(report, f"`{called}` makes a table of too many numbers", count, rules.ceilings.tables, span)

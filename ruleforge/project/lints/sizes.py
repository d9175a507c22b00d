"""RF511: lists of choices, and tables about boards, that a ceiling of the host does not allow."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.sizes import refuse
from ruleforge.lang.checker.types import NumberT, ThingT
from ruleforge.lang.checker.vectors import SHAPES
from ruleforge.support.diagnostics import Report, Span

CODES = 2**31 - 1  # answers of one question are numbered


def check(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
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
    """A list between two numbers that are written there has all of them to look through, whatever is kept."""
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


# What makes a table for all pairs of cells, and what makes one for all ways over the board.
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

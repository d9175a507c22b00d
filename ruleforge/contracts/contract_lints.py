"""Finds mistakes in a contract, alone and beside the rules: empty points, limits without effect, inconsistent
figures.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.contracts.model import Contract, Guard, Point
from ruleforge.contracts.terms import (
    EACH,
    FINAL,
    OPS,
    RANGE,
    RESULT,
    SOURCES,
    SUM,
    WARN,
    WHOSE,
    Target,
    written,
)
from ruleforge.lang.checker import typed as t
from ruleforge.lang.model.ruleset import Ruleset
from ruleforge.support.diagnostics import Report, Span

COUNTED = ("call", "act", "instead", "listen")  # what `sources` can count


def lint_contract(contract: Contract, report: Report) -> None:
    for point in contract.points:
        _admits_something(point, report)
        _agrees(point, report)
    _called_alike(contract, report)
    for flow in contract.flows:
        if not flow.into or not (flow.source or flow.after or flow.by):
            message = "this separates nothing"
            report.add("RF346", message, flow.span, "write `from`, `after` or `by`, and `into`")
    for guard in contract.guards:
        _can_be_met(guard, contract, report)
    for limited, free in _shadowed(contract):
        report.add(
            "RF347",
            f"the limits of the point `{limited.id}` never act: `{free.id}` admits the same without them",
            limited.span,
            "delete one of the two, or give both their limits",
            (("the other is", free.span),),
        )


def _called_alike(contract: Contract, report: Report) -> None:
    seen: dict[str, Point] = {}
    for point in contract.points:
        if point.id and point.id in seen:
            message, there = f"two points are called `{point.id}`", (("the other is", seen[point.id].span),)
            report.add("RF348", message, point.span, "give it a name of its own", there)
        seen.setdefault(point.id, point)


def _admits_something(point: Point, report: Report) -> None:
    if not any(point.admits.values()):
        message = f"the point `{point.id}` admits nothing"
        report.add("RF346", message, point.span, "write `modify: [...]`, `call: [...]`, `listen: any`")
    for term in (EACH, SUM, RESULT, FINAL, RANGE):
        bounds = point[term]
        if bounds is not None and bounds.low > bounds.high:
            message = f"`{term}` of the point `{point.id}` is empty: {written(bounds)}"
            report.add("RF346", message, point.span, "write the smaller number first")


def _agrees(point: Point, report: Report) -> None:
    """Figures of one point that cannot both be kept, and counting where nothing can be counted."""
    if point[EACH] is not None and point[OPS] == ("set",):
        message = f"`each` of the point `{point.id}` never acts: what is set has no size"
        report.add("RF347", message, point.span, "give the range of the result with `result`")
    if point[SOURCES] is not None and not any(kind in COUNTED for kind in point.admits):
        message = f"`sources` of the point `{point.id}` never act: it admits nothing that is counted in play"
        report.add("RF347", message, point.span, f"only {', '.join(COUNTED)} are counted")
    for one, other in ((EACH, SUM), (RESULT, FINAL)):
        a, b = point[one], point[other]
        if a is not None and b is not None and (a.low > b.high or b.low > a.high):
            figures = f"{written(a)} and {written(b)}"
            message = f"`{one}` and `{other}` of the point `{point.id}` have nothing in common: {figures}"
            report.add("RF348", message, point.span, "let the ranges overlap")


def _can_be_met(guard: Guard, contract: Contract, report: Report) -> None:
    """A guard speaks where no point admits a change; where points admit all there is, it never does."""
    if not guard.of:
        report.add("RF346", "this guard has no target", guard.span, "write `of: [...]`")
    kinds = [kind for point in contract.points for kind, targets in point.admits.items() for t in targets]
    if guard.of and "redefine" in kinds:
        free = [p for p in contract.points if not _has_limits(p) and "redefine" in p.admits]
        named = {target.text for point in free for target in point.admits["redefine"]}
        if all(target.text in named for target in guard.of):
            message = f"the guard of `{guard.of[0].text}` never applies: a point lets packs replace it"
            report.add("RF347", message, guard.span, "delete the guard, or limit the point")


def _shadowed(contract: Contract) -> Iterator[tuple[Point, Point]]:
    """Pairs of points for the very same target and kind, one with limits and the other without."""
    for limited in contract.points:
        for free in contract.points:
            if limited is free or not _has_limits(limited) or _has_limits(free):
                continue
            for kind, targets in limited.admits.items():
                other = {target.text for target in free.admits.get(kind, ())}
                if targets and kind != "act" and all(target.text in other for target in targets):
                    yield limited, free


def _has_limits(point: Point) -> bool:
    return any(term is not WARN for term in point.limits)


# --- beside the rules of the game ---

ContractLint = tuple[str, str, Span, str]  # code, message, place, help


def lint_beside_rules(contract: Contract, rules: t.Checked, core: Ruleset, report: Report) -> None:
    placeholders = {event.id for event in core.events if event.placeholder}
    for point in contract.points:
        for code, message, span, help in (*_admits(point, rules, placeholders), *_owned(point, rules)):
            report.add(code, message, span, help)
    for secrecy in contract.secrecy:
        for name in secrecy.keep:
            if _is_open(name, rules):
                message = f"`{name}` is kept hidden, but all players see it"
                report.add("RF347", message, secrecy.span, "hide it with `sees`, or delete it here")


def _admits(point: Point, rules: t.Checked, placeholders: set[str]) -> Iterator[ContractLint]:
    for kind, targets in point.admits.items():
        for target in targets:
            why, help = _nothing(kind, target, rules, placeholders)
            if why:
                yield "RF346", f"the point `{point.id}` admits nothing: {why}", target.span, help


def _nothing(kind: str, target: Target, rules: t.Checked, placeholders: set[str]) -> tuple[str, str]:
    """Why a target can never be changed in this way, and what to do about it."""
    name = target.text
    formula, event = rules.formulas.get(name), rules.events.get(name)
    if kind == "modify" and formula is not None and not formula.open:
        return f"`{name}` takes no modifiers", "write `open: true` where it is declared"
    if kind == "redefine":
        return (
            "definitions of a game are never repeated",
            "let packs set it with `choose`, or modify a formula",
        )
    if kind == "fill" and event is not None and name not in placeholders:
        return f"`{name}` is not a placeholder", "write `placeholder: true` where it is declared"
    if kind == "look" and _is_open(name, rules):
        return f"all players see `{name}` anyway", "delete it here"
    return "", ""


def _owned(point: Point, rules: t.Checked) -> Iterator[ContractLint]:
    """A kind without a controller has no owner, so `whose` never applies to it."""
    for target in point.admits.get("move", ()) if (point[WHOSE] or "") in ("own", "enemy") else ():
        kind = rules.kinds.get(target.text.split()[0].partition(".")[0])
        conduct = rules.conduct.get(kind) if kind is not None else None
        if kind is not None and (conduct is None or conduct.controller is None):
            message = f"`whose` of the point `{point.id}` never applies: `{kind.name}` has no controller"
            yield "RF347", message, target.span, "declare `controller` for its things"


def _is_open(name: str, rules: t.Checked) -> bool:
    kind, _, column = name.partition(".")
    found: t.Place | t.Column | None = rules.places.get(name) or rules.columns.get((kind, column))
    return found is not None and not found.hidden

"""A contract beside the rules of its game -> diagnostics: points that admit what the game never lets a pack do."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.contracts.model import Contract, Point
from ruleforge.contracts.terms import WHOSE, Target
from ruleforge.lang.checker import typed as t
from ruleforge.lang.model.ruleset import Ruleset
from ruleforge.support.diagnostics import Report, Span

PointLint = tuple[str, str, Span, str]  # code, message, place, help


def look_beside_rules(contract: Contract, rules: t.Checked, core: Ruleset, report: Report) -> None:
    placeholders = {event.id for event in core.events if event.placeholder}
    for point in contract.points:
        for code, message, span, help in (*_admits(point, rules, placeholders), *_owned(point, rules)):
            report.add(code, message, span, help)
    for secrecy in contract.secrecy:
        for name in secrecy.keep:
            if _is_open(name, rules):
                message = f"`{name}` is kept hidden, but everybody sees it"
                report.add("RF347", message, secrecy.span, "hide it with `sees`, or delete it here")


def _admits(point: Point, rules: t.Checked, placeholders: set[str]) -> Iterator[PointLint]:
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
        return "what a game says is never said anew", "let packs settle it with `choose`, or modify a formula"
    if kind == "fill" and event is not None and name not in placeholders:
        return f"`{name}` is no placeholder", "write `placeholder: true` where it is declared"
    if kind == "look" and _is_open(name, rules):
        return f"everybody sees `{name}` anyway", "delete it here"
    return "", ""


def _owned(point: Point, rules: t.Checked) -> Iterator[PointLint]:
    """Nobody can say whose a thing is of a kind that has no controller."""
    for target in point.admits.get("move", ()) if (point[WHOSE] or "") in ("own", "enemy") else ():
        kind = rules.kinds.get(target.text.split()[0].partition(".")[0])
        conduct = rules.conduct.get(kind) if kind is not None else None
        if kind is not None and (conduct is None or conduct.controller is None):
            message = f"`whose` of the point `{point.id}` is met by nobody: `{kind.name}` has no controller"
            yield "RF347", message, target.span, "say who controls its things with `controller`"


def _is_open(name: str, rules: t.Checked) -> bool:
    kind, _, column = name.partition(".")
    found: t.Place | t.Column | None = rules.places.get(name) or rules.columns.get((kind, column))
    return found is not None and not found.hidden

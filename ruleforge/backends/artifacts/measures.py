"""Compile texts to measures of playouts: counts of events, actions and rules, or values of expressions.

hurt                            how often the event happened
action play                     how often the action was chosen
count(c in ann.field)           the value of an expression at the end of the game
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ruleforge.backends.artifacts.info import GameInfo
from ruleforge.backends.artifacts.query_programs import absent
from ruleforge.compiler import ir
from ruleforge.compiler.program import Measured
from ruleforge.lang.checker.check_snippet import check_text
from ruleforge.lang.checker.typed import Checked, Expr, Kind
from ruleforge.lang.checker.types import FlagT, NumberT, ThingT
from ruleforge.support.diagnostics import Report, Span
from ruleforge.support.records import dataclass

_COPY = re.compile(r"_[0-9]+")


def measuring(rules: Checked, players: int, texts: Sequence[str]) -> tuple[Measured, ...] | Report:
    """The measure for each text, or a report of all errors."""
    report = Report()
    found = [_measured(rules, players, text, report) for text in texts]
    return report if report.has_errors else tuple(m for m in found if m is not None)


def _measured(rules: Checked, players: int, text: str, report: Report) -> Measured | None:
    what = next((means for names, means in _counted(rules) if text in names), None)
    if what is not None:
        return Measured(text, what)
    checked = check_text(rules, text)
    report.include(*checked.diagnostics)
    tree = checked.tree
    if not isinstance(tree, Expr):
        return None
    report.include(*absent(rules, players, tree))
    if not isinstance(tree.type, FlagT | NumberT | ThingT):
        report.add(
            "RF848", f"`{text}` is neither a number nor a thing", tree.span, "`count(...)` is a number"
        )
    return Measured(text, tree)


def _counted(rules: Checked) -> Iterator[tuple[tuple[str, str], ir.Meaning]]:
    """Everything that can be counted, by name. If two share a short name, it means the first."""
    for event in rules.events:
        yield (event, f"event {event}"), ir.EventHappened(event)
    for number, action in enumerate(rules.actions):
        yield (action, f"action {action}"), ir.ActionBegan(number)
    for rule in rules.rules:
        yield (rule.name, f"rule {rule.name}"), ir.RuleApplied(rule.name)


# Everything that can be counted in play: things and actions by their names, keywords and packs.


@dataclass(frozen=True, slots=True)
class Component:
    """A thing or an action with its name, its keywords and its pack.

    Copies share one name without a number. Dynamic things have the name of their kind.
    """

    name: str
    keywords: tuple[str, ...]
    pack: str  # empty: from the game itself


@dataclass(frozen=True, slots=True)
class Components:
    """Things by kind and name, actions by name, and all keywords."""

    things: Mapping[tuple[str, str], Component]
    actions: Mapping[str, Component]
    keywords: tuple[str, ...]


def components_of(checked: Checked, info: GameInfo) -> Components:
    keywords = tuple(checked.keywords)
    things = {
        (kind.name, name): component
        for kind in checked.kinds.values()
        for name, component in _things(checked, info, kind)
    }
    actions = {}
    for action in checked.actions.values():
        given = action.carrier.keyword if action.carrier else None
        actions[action.name] = Component(
            action.name, (given.name,) if given else (), _pack(info, action.span)
        )
    return Components(things, actions, keywords)


def _things(checked: Checked, info: GameInfo, kind: Kind) -> Iterator[tuple[str, Component]]:
    names = tuple(checked.keywords)
    column = checked.columns.get((kind.name, "keywords"))
    copies = Counter(kind.spans.values())  # the copies of a thing are declared at one place
    for number, name in enumerate(kind.things):
        span = kind.spans.get(name)
        printed = column.values[number] if column is not None and number < len(column.values) else ()
        marked = printed if isinstance(printed, tuple) else (printed,)
        yield (
            name,
            Component(
                kind.name
                if kind.name in kind.made
                else _COPY.sub("", name)
                if span and copies[span] > 1
                else name,
                tuple(names[word - 1] for word in marked),
                _pack(info, span or kind.span),
            ),
        )


def _pack(info: GameInfo, span: Span) -> str:
    pack = info.pack_of(span)
    return pack.id if pack else ""

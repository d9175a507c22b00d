"""RF708: what is only tried out asks somebody or rolls dice."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.check import typed as t
from ruleforge.check.walk import all_nodes
from ruleforge.diagnostics import Report

_ASKS = (t.Choose, t.Pick, t.Sealed, t.Offer)
_CHANCE = (t.Roll, t.RandomPick, t.Shuffle)


def check(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    for node in nodes:
        if isinstance(node, t.Would):
            found = _inside(node.event)
            if found is not None:
                what = "asks somebody" if isinstance(found, _ASKS) else "leaves something to chance"
                report.add(
                    "RF708",
                    f"`{node.event.name}` {what}, so it cannot be tried out",
                    node.span,
                    notes=(("here", found.span),),
                )


def _inside(event: t.Event) -> t.Statement | None:
    """The first question or chance in an event and all it calls."""
    seen: set[t.Event] = set()
    todo = [event]
    while todo:
        current = todo.pop()
        if current in seen or current.body is None:
            continue
        seen.add(current)
        for node in all_nodes(current.body):
            if isinstance(node, (*_ASKS, *_CHANCE)):
                return node
            if isinstance(node, t.Perform):
                todo.append(node.event)
    return None

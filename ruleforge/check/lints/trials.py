"""RF708: what is only tried out asks somebody or rolls dice."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.check import typed as t
from ruleforge.check.unforeseen import ASKS, unforeseen
from ruleforge.diagnostics import Report


def check(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    for node in nodes:
        if isinstance(node, t.Would):
            found = unforeseen(node.event.body)
            if found is not None:
                what = "asks somebody" if isinstance(found, ASKS) else "leaves something to chance"
                report.add(
                    "RF708",
                    f"`{node.event.name}` {what}, so it cannot be tried out",
                    node.span,
                    notes=(("here", found.span),),
                )

"""RF706: a divisor that can be zero; RF707: a number that can leave 32 bits."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.analysis.intervals import WORD, apply
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NumberT
from ruleforge.support.diagnostics import Report


def check(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
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

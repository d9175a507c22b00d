"""Checked rules -> who changes which attribute: what is paid, gained, lost and marked."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NumberT
from ruleforge.tools.graph.diagram import Arrow, Box, Diagram
from ruleforge.tools.graph.doers import doers


def counter_diagram(rules: t.Checked) -> Diagram:
    """Numbers that rules change; what is paid leads to who is paid for."""
    boxes: dict[str, Box] = {}
    arrows: list[Arrow] = []
    for doer in doers(rules):
        for column, paid in _changed(doer.nodes()):
            box = Box(
                f"counter {column.kind.name}.{column.name}", f"{column.kind.name}.{column.name}", "counter"
            )
            for each in (doer.box, box):
                boxes.setdefault(each.id, each)
            arrows.append(Arrow(box.id, doer.box.id, "pays") if paid else Arrow(doer.box.id, box.id))
    return Diagram(f"{rules.title}: counters", tuple(boxes.values()), tuple(dict.fromkeys(arrows)))


def _changed(nodes: Iterator[object]) -> Iterator[tuple[t.Column, bool]]:
    for node in nodes:
        match node:
            case t.Store(column=column) if isinstance(column.type, NumberT):
                yield column, False
            case t.Pay(pools=pools):
                yield from ((pool.column, True) for pool in pools)

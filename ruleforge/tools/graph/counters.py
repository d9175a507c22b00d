"""The diagram of counters: payments, gains, losses and marks of attributes."""

from __future__ import annotations

from ruleforge.analysis.effects.definitions import definitions
from ruleforge.analysis.effects.relations import Verb, relations_in
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NumberT
from ruleforge.tools.graph.diagram import Arrow, Box, Diagram, definition_box


def counter_diagram(rules: t.Checked) -> Diagram:
    """Numbers that rules change; what is paid leads to who is paid for."""
    boxes: dict[str, Box] = {}
    arrows: list[Arrow] = []
    for definition in definitions(rules):
        for verb, column in relations_in(rules, *definition.blocks):
            if verb in (Verb.WRITE, Verb.PAY) and isinstance(column, t.Column) and _counts(column):
                name = f"{column.kind.name}.{column.name}"
                doer, counter = definition_box(definition), Box(f"counter {name}", name, "counter")
                for each in (doer, counter):
                    boxes.setdefault(each.id, each)
                paid = verb is Verb.PAY
                arrows.append(Arrow(counter.id, doer.id, "pays") if paid else Arrow(doer.id, counter.id))
    return Diagram(f"{rules.title}: counters", tuple(boxes.values()), tuple(dict.fromkeys(arrows)))


def _counts(column: t.Column) -> bool:
    return isinstance(column.type, NumberT)

"""The diagrams there are, by name."""

from __future__ import annotations

from ruleforge.lang.checker import typed as t
from ruleforge.lang.model.ruleset import Ruleset
from ruleforge.tools.graph.components import component_diagram
from ruleforge.tools.graph.counters import counter_diagram
from ruleforge.tools.graph.diagram import Diagram
from ruleforge.tools.graph.keywords import keyword_diagram
from ruleforge.tools.graph.phases import phase_diagram
from ruleforge.tools.graph.triggers import trigger_diagram

SORTS = ("phases", "triggers", "keywords", "components", "counters")


def diagram_of(ruleset: Ruleset, checked: t.Checked, sort: str) -> Diagram:
    match sort:
        case "phases":
            return phase_diagram(ruleset)
        case "triggers":
            return trigger_diagram(checked)
        case "keywords":
            return keyword_diagram(ruleset)
        case "components":
            return component_diagram(checked)
    return counter_diagram(checked)

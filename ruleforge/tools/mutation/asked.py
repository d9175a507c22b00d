"""Scenarios -> the formulas that each of them asks, the rules that modify those, and the actions that it wants refused.

What an expectation asks is answered beside the game, so it is not among what a scenario touches by playing; and of an
action that is refused no effect runs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.tools.scenarios.scenario import Scenario

_NAME = re.compile(r"[^\W\d]\w*")
_LOOKS = ("expect", "sees")


class Asked:
    """What formulas hang on each other in some rules."""

    def __init__(self, rules: t.Checked) -> None:
        self._formulas, self._actions = rules.formulas, rules.actions
        self._modifying: dict[str, list[t.Rule]] = defaultdict(list)
        for rule in rules.rules:
            subject = rule.pattern.subject if rule.pattern is not None else None
            if rule.form == "modify" and isinstance(subject, t.Formula):
                self._modifying[subject.name].append(rule)

    def definitions(self, scenario: Scenario) -> frozenset[str]:
        """What its expectations ask, as changes name it: `formulas.price`, `rules.cheaper`, `actions.buy`."""
        refused = [self._actions[name] for name in _refused(scenario) if name in self._actions]
        conditions = (part for a in refused for part in (*a.binders, *a.needs, *a.holds, a.cost))
        names = dict.fromkeys((*_named(scenario), *_called(*conditions)))
        reached = self._reached([name for name in names if name in self._formulas])
        return frozenset((*reached, *(f"actions.{action.name}" for action in refused)))

    def _reached(self, names: list[str]) -> Iterator[str]:
        known, todo = set(names), names
        while todo:
            name = todo.pop()
            yield f"formulas.{name}"
            formula, modifying = self._formulas[name], self._modifying[name]
            yield from (f"rules.{rule.name}" for rule in modifying)
            for called in _called(formula, *formula.behind, *modifying):
                if called not in known and called in self._formulas:
                    known.add(called)
                    todo.append(called)


def _named(scenario: Scenario) -> Iterator[str]:
    for step in scenario.steps:
        if step.word in _LOOKS:
            yield from dict.fromkeys(name for path in step.content for name in _NAME.findall(path))


def _refused(scenario: Scenario) -> Iterator[str]:
    """The first word of what must be refused: the name of an action, if it begins with one."""
    for step in scenario.steps:
        if step.word == "refuse":
            yield from _NAME.findall(str(step.content.get("choice", "")))[:1]


def _called(*trees: object) -> Iterator[str]:
    for tree in trees:
        for node in all_nodes(tree) if tree is not None else ():
            if isinstance(node, t.CallFormula):
                yield node.formula.name

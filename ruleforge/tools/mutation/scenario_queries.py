"""The formulas, modifiers and refused actions that each scenario asks about.

Expectations are evaluated beside the game, so play does not touch them. A refused action runs no effect.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from ruleforge.analysis.dataflow import reach
from ruleforge.analysis.effects.relations import Verb, relations_in
from ruleforge.lang.checker import typed as t
from ruleforge.tools.scenarios.scenario import Scenario

_NAME = re.compile(r"[^\W\d]\w*")
_LOOKS = ("expect", "sees")


class FormulaDependencies:
    """The dependencies between formulas."""

    def __init__(self, rules: t.Checked) -> None:
        self._rules = rules
        self._modifying: dict[object, list[t.Rule]] = defaultdict(list)
        for rule in rules.rules:
            if rule.form == "modify" and rule.pattern is not None:
                self._modifying[rule.pattern.subject].append(rule)

    def definitions(self, scenario: Scenario) -> frozenset[str]:
        """What its expectations ask, as changes name it: `formulas.price`, `rules.cheaper`, `actions.buy`."""
        formulas, actions = self._rules.formulas, self._rules.actions
        refused = [actions[name] for name in _refused(scenario) if name in actions]
        conditions = (part for a in refused for part in (*a.binders, *a.needs, *a.holds, a.cost))
        named = (formulas[name] for name in _named(scenario) if name in formulas)
        reached = reach([*named, *self._called(*conditions)], self._behind)
        modifying = (rule for formula in reached for rule in self._modifying[formula])
        return frozenset(
            (
                *(f"formulas.{formula.name}" for formula in reached),
                *(f"rules.{rule.name}" for rule in modifying),
                *(f"actions.{action.name}" for action in refused),
            )
        )

    def _behind(self, formula: t.Formula) -> list[t.Formula]:
        texts = [text for rule in self._modifying[formula] for text in (*rule.conditions, rule.amount)]
        return self._called(formula.body, *(rest.body for rest in formula.behind), *texts)

    def _called(self, *texts: object) -> list[t.Formula]:
        called = (what for verb, what in relations_in(self._rules, *texts) if verb is Verb.CALL)
        return [formula for formula in called if isinstance(formula, t.Formula)]


def _named(scenario: Scenario) -> Iterator[str]:
    for step in scenario.steps:
        if step.word in _LOOKS:
            yield from dict.fromkeys(name for path in step.content for name in _NAME.findall(path))


def _refused(scenario: Scenario) -> Iterator[str]:
    """The first word of what must be refused: the name of an action, if it begins with one."""
    for step in scenario.steps:
        if step.word == "refuse":
            yield from _NAME.findall(str(step.content.get("choice", "")))[:1]

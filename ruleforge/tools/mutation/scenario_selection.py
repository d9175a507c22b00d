"""Selects scenarios for a mutant by the parts that each touches and asks, and finds the best order to try them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ruleforge.analysis.dataflow import reach
from ruleforge.analysis.effects.relations import Verb, relations_in
from ruleforge.engine.game import Game
from ruleforge.lang.checker import typed as t
from ruleforge.lang.source.tree import MappingNode, SequenceNode, SourceNode
from ruleforge.project.pipeline import Analysis
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import Span
from ruleforge.tools.coverage.cover import Cover, Observed, observed
from ruleforge.tools.coverage.items import in_order
from ruleforge.tools.mutation.mutant import Mutant
from ruleforge.tools.scenarios.scenario import Scenario
from ruleforge.tools.scenarios.suites import Case, Suites, play_case

EFFECT = "do"
Touched = frozenset[Span]  # where everything is written that ran in a scenario, or was tried out
_NAME = re.compile(r"[^\W\d]\w*")
_LOOKS = ("expect", "sees")
_WORD = re.compile(r"[^\W\d]\w*")
_NEAR, _EVER = (
    0.25,
    0.01,
)  # what it counts for that a scenario noticed a change of the same definition, or any


def smallest_around(span: Span, touched: Touched) -> Span | None:
    """The smallest part around a place that ever runs; around a declaration there is none."""
    return min(
        around(span, touched),
        key=lambda one: (one.end_line - one.line, one.end_column - one.column),
        default=None,
    )


def around(span: Span, touched: Touched) -> Touched:
    """The parts that a place lies in."""
    return frozenset(one for one in touched if _holds(one, span))


def beside(span: Span, root: MappingNode, touched: Touched) -> Touched:
    """The effects around a place that ever run.

    A run of these effects has evaluated the conditions of the definition, which are not always recorded.
    """
    effects = list(_effects(_smallest_mapping(span, root)))
    return frozenset(one for one in touched if any(_holds(effect, one) for effect in effects))


def _smallest_mapping(span: Span, root: MappingNode) -> MappingNode:
    """The definition, thing or rule that a place is an entry of."""
    found = root
    node: SourceNode = root
    while True:
        if isinstance(node, MappingNode):
            found = node
        inner = next((part for part in _parts(node) if _holds(part.span, span)), None)
        if inner is None:
            return found
        node = inner


def _parts(node: SourceNode) -> tuple[SourceNode, ...]:
    if isinstance(node, MappingNode):
        return tuple(entry.value for entry in node)
    return node.items if isinstance(node, SequenceNode) else ()


def _effects(node: SourceNode) -> Iterator[Span]:
    """The places of the effects in a definition and in its parts."""
    if isinstance(node, MappingNode):
        yield from (entry.value.span for entry in node if entry.name == EFFECT)
    for part in _parts(node):
        yield from _effects(part)


def _holds(outer: Span, inner: Span) -> bool:
    start, end = (outer.line, outer.column), (outer.end_line, outer.end_column)
    return outer.file == inner.file and start <= inner[1:3] and inner[3:5] <= end


Seen = tuple[Cover, Mapping[str, Touched], tuple[Case, ...]]


def touched_by(analysis: Analysis, name: str, suites: Suites) -> Seen:
    """Play all scenarios with their packs: the items that ran, those of each scenario by digest, and the failures."""
    watched: list[Observed] = []

    def load(rules: Path, packs: tuple[str | Path, ...]) -> Game:
        watched.append(observed(analyse(rules, packs, ceilings=analysis.ceilings), name))
        return watched[-1].game

    tables, cover = suites.tables(load), Cover(())
    found: dict[str, Touched] = {}
    failing: list[Case] = []
    for case in suites.cases:
        if play_case(tables, case):
            failing.append(case)
        seen = [one.take() for one in watched]
        for part in seen:
            cover.add(part)
        found[case.digest] = frozenset(item.span for part in seen for item in part)
    cover.items = in_order({item for one in watched for item in one.items})
    return cover, found, tuple(failing)


# The formulas, modifiers and refused actions that each scenario asks about.
#
# Expectations are evaluated beside the game, so play does not touch them. A refused action runs no effect.


class FormulaDependencies:
    """The dependencies between formulas."""

    def __init__(self, rules: t.Checked) -> None:
        self._rules = rules
        self._modifying: dict[object, list[t.Rule]] = defaultdict(list)
        for rule in rules.rules:
            if rule.form == "modify" and rule.pattern is not None:
                self._modifying[rule.pattern.subject].append(rule)

    def definitions(self, scenario: Scenario) -> frozenset[str]:
        """The definitions that its expectations ask, by their names in changes: `formulas.price`, `actions.buy`."""
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


# Orders scenarios for a mutant so that few of them run.


class Promising:
    """Puts scenarios first that name the changed part, or that noticed changes beside it."""

    def __init__(self, cases: Iterable[Case]) -> None:
        self._words = {case.digest: _words_of(case.scenario) for case in cases}
        self._common = Counter(word for words in self._words.values() for word in words)
        self._near: Counter[tuple[str, str]] = Counter()
        self._ever: Counter[str] = Counter()

    def noticed(self, mutant: Mutant, case: Case) -> None:
        self._near[mutant.inside, case.digest] += 1
        self._ever[case.digest] += 1

    def sorted(self, mutant: Mutant, text: str, cases: Iterable[Case]) -> list[Case]:
        """The most promising first; `text` is the file that is changed."""
        words = _words_around(mutant, text)

        def promise(case: Case) -> tuple[float, int, str]:
            named = sum(1 / self._common[word] for word in sorted(words & self._words[case.digest]))
            near, ever = self._near[mutant.inside, case.digest], self._ever[case.digest]
            return -(named + _NEAR * min(near, 10) + _EVER * min(ever, 100)), case.steps, str(case.file)

        return sorted(cases, key=promise)


def _words_of(scenario: Scenario) -> frozenset[str]:
    """The words of what is played and expected, not those of its title."""
    content = (scenario.options, scenario.start, *((step.word, step.content) for step in scenario.steps))
    return frozenset(_WORD.findall(repr(content)))


def _words_around(mutant: Mutant, text: str) -> frozenset[str]:
    """The words of the changed lines, and of the keys that these lie under."""
    lines = text.split("\n")
    first = mutant.span.line - 1
    found, indent = lines[first : mutant.span.end_line], _indent(lines[first])
    for line in reversed(lines[:first]):
        if line.strip() and _indent(line) < indent:
            found.append(line)
            indent = _indent(line)
    return frozenset(word for line in found for word in _WORD.findall(line))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())

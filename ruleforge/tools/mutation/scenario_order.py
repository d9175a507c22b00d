"""Orders scenarios for a mutant so that few of them run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from ruleforge.tools.mutation.mutant import Mutant
from ruleforge.tools.scenarios.scenario import Scenario
from ruleforge.tools.scenarios.suites import Case

_WORD = re.compile(r"[^\W\d]\w*")
_NEAR, _EVER = (
    0.25,
    0.01,
)  # what it counts for that a scenario noticed a change of the same definition, or any


class Promising:
    """Scenarios that name what is changed, and those that noticed changes beside it, come first."""

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

"""Formulas -> how long each becomes when all formulas in it are written out in its place."""

from __future__ import annotations

from collections.abc import Callable

from ruleforge.analysis.dataflow import Solver
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import all_nodes

MOST = 1_000_000  # longer is as good as endless


class Spreads:
    """Nodes of a formula's text, with those of the formulas it calls, as often as it calls them."""

    def __init__(self) -> None:
        self._solver: Solver[t.Formula, int] = Solver(self._spread, 0, max)
        self._own: dict[t.Formula, tuple[int, tuple[t.Formula, ...]]] = {}

    def of(self, formula: t.Formula) -> int:
        """Without recursion: formulas may call one another in long chains."""
        return self._solver[formula]

    def _spread(self, formula: t.Formula, read: Callable[[t.Formula], int]) -> int:
        size, called = self._text_of(formula)
        return min(MOST, size + sum(map(read, called)))

    def _text_of(self, formula: t.Formula) -> tuple[int, tuple[t.Formula, ...]]:
        if formula not in self._own:
            nodes = [] if formula.body is None else list(all_nodes(formula.body))
            called = tuple(node.formula for node in nodes if isinstance(node, t.CallFormula))
            self._own[formula] = len(nodes), called
        return self._own[formula]

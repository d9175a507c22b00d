"""Formulas -> how long each becomes when all formulas in it are written out in its place."""

from __future__ import annotations

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import all_nodes

MOST = 1_000_000  # longer is as good as endless


class Spreads:
    """Nodes of a formula's text, with those of the formulas it calls, as often as it calls them."""

    def __init__(self) -> None:
        self._known: dict[t.Formula, int] = {}
        self._own: dict[t.Formula, tuple[int, tuple[t.Formula, ...]]] = {}

    def of(self, formula: t.Formula) -> int:
        """Without recursion: formulas may call one another in long chains."""
        todo = [formula]
        while todo:
            here = todo[-1]
            if here in self._known:
                todo.pop()
                continue
            size, called = self._looked_at(here)
            missing = [other for other in called if other not in self._known]
            if missing:
                todo += missing
                continue
            self._known[here] = min(MOST, size + sum(self._known[other] for other in called))
            todo.pop()
        return self._known[formula]

    def _looked_at(self, formula: t.Formula) -> tuple[int, tuple[t.Formula, ...]]:
        if formula not in self._own:
            nodes = [] if formula.body is None else list(all_nodes(formula.body))
            called = tuple(node.formula for node in nodes if isinstance(node, t.CallFormula))
            self._own[formula] = len(nodes), called
        return self._own[formula]

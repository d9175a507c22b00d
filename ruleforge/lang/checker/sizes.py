"""Estimates the size of a ruleset before it is built, and rejects sizes above the ceilings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from math import prod

from ruleforge.analysis.dataflow import Solver
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import WORD, SetT, Type
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.lang.model import ruleset as m
from ruleforge.support.ceilings import CEILINGS, Ceilings
from ruleforge.support.diagnostics import Report, Span
from ruleforge.support.records import dataclass

HELP = "make it smaller, or raise the ceiling of the host"
MOST = 1_000_000  # longer is as good as endless


def refuse(report: Report, what: str, number: int, ceiling: int, span: Span) -> None:
    report.add("RF511", f"{what}: {number}, but at most {ceiling} are allowed", span, HELP)


@dataclass
class Sizes:
    """Running sums over a ruleset. Each method adds a request, and says whether there is room for it."""

    report: Report
    ceilings: Ceilings = CEILINGS
    things: int = field(default=0, init=False)
    row: int = field(default=0, init=False)
    places: int = field(default=0, init=False)
    tables: int = field(default=0, init=False)
    passed: bool = field(default=False, init=False)  # a ceiling was
    refused: set[str] = field(default_factory=set, init=False)  # kinds whose things are not made
    boards: dict[str, tuple[m.Thing, ...]] = field(default_factory=dict, init=False)  # all that a board makes

    def room_for_things(self, count: int, what: str, span: Span) -> bool:
        return self._room("things", max(count, 0), f"{what} makes too many things", span)

    def made(self, kind: m.Kind) -> tuple[m.Thing, ...]:
        """The listed things of a kind; none for a refused kind; all cells for a board that lists some."""
        return () if kind.id in self.refused else self.boards.get(kind.id, kind.things)

    def room_for_table(self, entries: int, what: str, span: Span) -> bool:
        return self._room("tables", entries, f"{what} makes tables with too many numbers", span)

    def room_for_column(
        self, kind: t.Kind, per: tuple[t.Kind, ...], words: int, name: str, span: Span
    ) -> bool:
        count = prod((kind.size, *(each.size for each in per))) * words
        return self._room("row", count, f"`{name}` makes a state of too many numbers", span)

    def room_for_place(self, place: t.Place) -> bool:
        """Instances, and the words in which the state keeps what lies in them."""
        count, things = prod(kind.size for _, kind in place.of), place.holds.size
        if not self._room("places", count, f"`{place.name}` makes too many places", place.span):
            return False
        words = count if place.single else 3 * count + 2 * things if place.ordered else 0
        message = f"`{place.name}` makes a state of too many numbers"
        return self._room("row", words + things, message, place.span)

    def room_for_limits(self, limits: tuple[tuple[str, int], ...], span: Span) -> bool:
        """Whether the state has room for the effects and waiting rules that `limits` allows."""
        given = dict(limits)
        words = given.get("stack", 0) + 8 * given.get("queue", 0)
        return self._room("row", words, "`limits` makes a state of too many numbers", span)

    def room_for_remembered(self, count: int, what: str, span: Span) -> bool:
        return self._room("row", 2 * count + 1, f"{what} makes a state of too many numbers", span)

    def words(self, type: Type, kinds: dict[str, t.Kind]) -> int:
        """How many words a value of a type takes."""
        return max(1, -(-kinds[type.kind].size // WORD)) if isinstance(type, SetT) else 1

    def _room(self, name: str, more: int, message: str, span: Span) -> bool:
        ceiling, wanted = getattr(self.ceilings, name), getattr(self, name) + more
        if wanted > ceiling:
            refuse(self.report, message, wanted, ceiling, span)
            self.passed = True
            return False
        setattr(self, name, wanted)
        return True


# The length of each formula with all formulas in it written out.


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

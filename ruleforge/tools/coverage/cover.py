"""Rule coverage: runs games under observation and collects the parts of the rules that ran."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from functools import partial

from ruleforge.backends.artifacts.coverage_program import Coverage, Covered, Ran
from ruleforge.compiler.trace_marks import CONDITION
from ruleforge.engine.errors import PlayError, RulesetError
from ruleforge.engine.game import Game
from ruleforge.engine.loader import opened
from ruleforge.project.pipeline import Analysis
from ruleforge.support.records import dataclass
from ruleforge.tools.coverage.items import CHOICE, STATEMENT, TRIED, Item, items_of, marks_of

NO, YES = 1, 2  # a condition that did not hold, one that did; anything else that ran
BOTH = NO | YES
Seen = dict[Item, int]  # bits


@dataclass(frozen=True, slots=True)
class Observed:
    """A game whose rules are watched, and all of them that can run."""

    game: Game
    items: tuple[Item, ...]
    _rules: Covered

    def take(self) -> Seen:
        """The items that ran since the last call; speculative runs on a copy are marked."""
        seen: Seen = {}
        for coverage, ran in self._rules.take():
            for item, bits in _seen(coverage, ran):
                seen[item] = seen.get(item, 0) | bits
        return seen


def observed(analysis: Analysis, name: str) -> Observed:
    """The game of an analysis under observation. Raises RulesetError if it is not complete."""
    if analysis.checked is None or not analysis.complete:
        raise RulesetError(analysis.diagnostics)
    items = items_of(analysis.checked)
    game = opened(analysis, name, "reference", make=partial(Covered, marks=marks_of(items)))
    assert isinstance(game.compiled, Covered)
    return Observed(game, items, game.compiled)


def _seen(coverage: Coverage, ran: Ran) -> Iterable[tuple[Item, int]]:
    program = coverage.program
    for kind, numbers in ((STATEMENT, ran.places), (TRIED, ran.tried)):
        yield from ((Item(kind, span), YES) for span in coverage.places(numbers))
    for name, bits in ran.values.items():
        kind = coverage.marked[name]
        span = program.place_of(program.functions[name]).span
        yield Item(kind, span), bits if kind == CONDITION else YES
    for number, option in ran.answers:
        site = program.sites[number]
        answer = site.options[option]
        if answer.action is not None:
            yield Item(CHOICE, program.actions[answer.action].span), YES
        elif not site.chance:
            yield Item(CHOICE, answer.span, answer.word), YES


@dataclass
class Cover:
    """The parts of the rules that ran, out of all that can run."""

    items: tuple[Item, ...]
    seen: Seen = field(default_factory=dict)

    def add(self, seen: Mapping[Item, int]) -> None:
        for item, bits in seen.items():
            self.seen[item] = self.seen.get(item, 0) | bits

    def bits(self, item: Item) -> int:
        return self.seen.get(item, 0)

    def of(self, kind: str) -> tuple[int, int]:
        """How many items of a kind ran (a condition: both ways), and how many there are."""
        own = [item for item in self.items if item.kind == kind]
        wanted = BOTH if kind == CONDITION else YES
        return sum(self.bits(item) & wanted == wanted for item in own), len(own)

    def lines(self) -> dict[tuple[str, int], bool]:
        """Every line on which something that can run begins, and whether all of it ran."""
        found: dict[tuple[str, int], bool] = {}
        for item in self.items:
            at = (item.span.file, item.span.line)
            found[at] = found.get(at, True) and bool(self.bits(item))
        return found


# --- random games ---


def random_games(observed: Observed, games: int, seed: int, most: int) -> Iterator[Seen]:
    """The items that ran in each random game, with every number of players in turn."""
    game = observed.game
    low, high = game.info.players
    for number in range(games):
        state = game.start(players=low + number % (high - low + 1), seed=seed + number)
        rng = random.Random(seed + number)
        for _ in range(most):
            if state.outcome is not None:
                break
            try:
                state.apply(rng.choice(state.choices))
            except PlayError:  # the rules stop here; what ran until then did
                break
        yield observed.take()

"""Runs a plan in this process, in other processes, or on a cluster, and yields tallies; the games are the same."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TypeVar

from ruleforge.engine.game import Game
from ruleforge.support.records import dataclass
from ruleforge.tools.experiments.bundle import bundle_of
from ruleforge.tools.experiments.cluster import over_cluster
from ruleforge.tools.experiments.parts import Part, looked_at, played
from ruleforge.tools.experiments.plan import Plan, Rules
from ruleforge.tools.experiments.tally import Tally
from ruleforge.tools.experiments.workers import spread

T = TypeVar("T")
SHARES = 8  # parts for each worker, so that none has to wait long for the last
# Games in a part: what takes about a second, so that progress is seen and little is lost by an interruption.
MOST_COUNTED, MOST_STEPPED, MOST_THOUGHT = 2000, 20, 2


@dataclass(frozen=True, slots=True)
class Force:
    """The workers: this process, several processes, or a cluster."""

    jobs: int = 1
    cluster: str = ""

    @property
    def alone(self) -> bool:
        return self.jobs <= 1 and not self.cluster

    def sent(self, rules: Rules, game: Game) -> Rules:
        """Rules as they are sent to whoever plays: another machine does not have our files."""
        return replace(rules, bundle=bundle_of(game, rules.what, rules.packs)) if self.cluster else rules

    def results(self, tasks: Sequence[Callable[[], T]]) -> Generator[tuple[int, T], None, None]:
        """Each task's number and result, as they are done."""
        if self.cluster:
            return over_cluster(tasks, self.cluster)
        return spread(tasks, self.jobs)


ALONE = Force()


def simulate(plan: Plan, game: Game, force: Force = ALONE) -> Generator[Tally, None, None]:
    """Tallies of parts of the plan, as they are done; at last why a game did not end, if one did not."""
    stuck: list[int] = []
    with closing(_parts(plan, game, force)) as parts:
        for tally in parts:
            stuck += tally.stuck
            yield tally
    if stuck:
        yield looked_at(plan, game, min(stuck))


def _parts(plan: Plan, game: Game, force: Force) -> Generator[Tally, None, None]:
    if force.alone:
        yield from played(Part(plan, plan.first, plan.first + plan.games), game)
        return
    plan = replace(plan, rules=force.sent(plan.rules, game))
    with closing(force.results(parts_of(plan, force.jobs))) as results:
        for _, tally in results:
            yield tally


def parts_of(plan: Plan, workers: int) -> list[Part]:
    most = MOST_COUNTED if plan.counted else MOST_STEPPED if plan.table.random else MOST_THOUGHT
    size = max(1, min(most, plan.games // (workers * SHARES)))
    last = plan.first + plan.games
    return [Part(plan, first, min(first + size, last)) for first in range(plan.first, last, size)]

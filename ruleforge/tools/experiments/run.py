"""Splits a plan into parts, runs them here, in processes or on a cluster, and adds up their tallies."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from threading import Lock
from typing import TypeVar

from ruleforge.engine.game import Game
from ruleforge.engine.playouts import Plan as RandomGames
from ruleforge.engine.playouts import Result, counted, results
from ruleforge.engine.variant import Variant
from ruleforge.support.records import dataclass
from ruleforge.tools.experiments.game_runner import play_one, variant_of
from ruleforge.tools.experiments.plan import Plan, Rules, bundle_of
from ruleforge.tools.experiments.rows import GameRow
from ruleforge.tools.experiments.tally import Tally, tally_of
from ruleforge.tools.experiments.usage_marks import Marks
from ruleforge.tools.experiments.workers import over_cluster, spread

T = TypeVar("T")
SHARES = 8  # parts for each worker, so that none has to wait long for the last
# Games in a part: what takes about a second, so that progress is seen and little is lost by an interruption.
MOST_COUNTED, MOST_STEPPED, MOST_THOUGHT = 2000, 20, 2
SECONDS = 0.2  # between two signs of life
CACHED = 4  # games
_games: dict[Rules, Game] = {}
_one_at_a_time = Lock()  # a cluster may run several parts in one process, and a game is played by one


@dataclass(frozen=True, slots=True)
class Force:
    """The workers: this process, several processes, or a cluster."""

    jobs: int = 1
    cluster: str = ""

    @property
    def alone(self) -> bool:
        return self.jobs <= 1 and not self.cluster

    def sent(self, rules: Rules, game: Game) -> Rules:
        """The rules as the worker gets them: another machine does not have our files."""
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


# A part of a plan: the unit of work for a process or a machine.


def read(rules: Rules) -> Game:
    """The game as its files are now, kept for the parts that are played here or in processes made from this one."""
    game = rules.load()
    _games.pop(rules, None)
    for oldest in [*_games][: len(_games) + 1 - CACHED]:
        del _games[oldest]
    _games[rules] = game
    return game


def loaded(rules: Rules) -> Game:
    """The game as it was last read: all parts of an experiment use one game, even if files change meanwhile."""
    return _games.get(rules) or read(rules)


@dataclass(frozen=True, slots=True)
class Part:
    """Games `first` to `last` of a plan, without the latter."""

    plan: Plan
    first: int
    last: int

    def __call__(self) -> Tally:
        total = Tally()
        with _one_at_a_time:
            for some in played(self, loaded(self.plan.rules)):
                total.add(some)
        return total


def played(part: Part, game: Game) -> Iterator[Tally]:
    """The part, some games at a time."""
    yield from _counted(part, game) if part.plan.counted else _stepped(part, game)


def _stepped(part: Part, game: Game) -> Iterator[Tally]:
    plan = part.plan
    marks, some, since = Marks(variant_of(plan, game)), Tally(), time.monotonic()
    for number in range(part.first, part.last):
        some.count(play_one(plan, game, marks, number), plan.rows)
        if time.monotonic() - since > SECONDS:
            yield some
            some, since = Tally(), time.monotonic()
    yield some


def _counted(part: Part, game: Game) -> Iterator[Tally]:
    """Games that the backend plays by itself."""
    plan, variant = part.plan, variant_of(part.plan, game)
    wanted = RandomGames(plan.seed, part.first, part.last, plan.limit, watch=True)
    program = variant.special.measuring(plan.count).program
    number, stuck = part.first, False
    for records in game.recorded(wanted, plan.table.players, plan.table.options, plan.count):
        some = tally_of(counted(program, (records,)))
        first_stuck = bool(some.cut_off or some.failed) and not stuck
        if plan.rows or first_stuck:
            rows = [row_of(variant, n, r) for n, r in enumerate(results(program, records), number)]
            some.rows = rows if plan.rows else []
            some.stuck = [row.game for row in rows if row.ending is None][:1] if first_stuck else []
        number, stuck = number + some.games, stuck or first_stuck
        yield some


def looked_at(plan: Plan, game: Game, number: int) -> Tally:
    """Why a game that a backend played did not end: it is played again, choice by choice."""
    again = play_one(plan, game, Marks(variant_of(plan, game)), number)
    return Tally(stopped=[again.stopped] if again.stopped else [])


def row_of(variant: Variant, number: int, result: Result) -> GameRow:
    names = variant.player_names
    return GameRow(
        game=number,
        seats=names,
        agents=("random",) * len(names),
        ending=result.reason,
        fault=result.fault,
        winners=result.winners,
        scores=result.scores,
        decisions=result.decisions,
        violations=result.violations,
        lost=result.lost,
        counts=result.measured,
    )

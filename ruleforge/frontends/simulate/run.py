"""Many seeded games -> a Tally; the same seed gives the same games, whatever the number of jobs."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

from ruleforge.engine.decision import CHANCE
from ruleforge.engine.errors import PlayError
from ruleforge.engine.game import Game
from ruleforge.engine.state import State
from ruleforge.frontends.simulate.tally import Tally
from ruleforge.loading import load
from ruleforge.play.agents import Agent, make_agent

BATCH = 50
BATCH_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Plan:
    """What to simulate; small, so that it can be sent to other processes."""

    rules: str
    games: int
    seed: int
    limit: int
    players: int | None = None
    options: dict[str, Any] = field(default_factory=dict)
    agents: dict[str, str] = field(default_factory=dict)


def simulate(plan: Plan, game: Game, jobs: int = 1) -> Iterator[Tally]:
    """Tallies of parts of the plan, as they are done."""
    if jobs <= 1:
        yield from _in_turn(plan, game)
    else:
        yield from _side_by_side(plan, jobs)


def _in_turn(plan: Plan, game: Game) -> Iterator[Tally]:
    number = 0
    while number < plan.games:
        part, began = Tally(), time.perf_counter()
        while number < plan.games and time.perf_counter() - began < BATCH_SECONDS:
            play_one(plan, game, number, part)
            number += 1
        yield part


def _side_by_side(plan: Plan, jobs: int) -> Iterator[Tally]:
    """At most a few parts are out at a time, so that an interruption ends soon."""
    size = max(1, min(BATCH, -(-plan.games // jobs)))
    starts = iter(range(0, plan.games, size))
    with ProcessPoolExecutor(jobs, initializer=_prepare, initargs=(plan,)) as pool:
        running: set[Future[Tally]] = set()
        try:
            while True:
                while len(running) < 2 * jobs and (first := next(starts, None)) is not None:
                    running.add(pool.submit(_part, first, min(first + size, plan.games)))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


_work: tuple[Plan, Game] | None = None  # of a worker process


def _prepare(plan: Plan) -> None:
    global _work
    _work = (plan, load(plan.rules))


def _part(first: int, last: int) -> Tally:
    assert _work is not None
    tally = Tally()
    for number in range(first, last):
        play_one(*_work, number, tally)
    return tally


def play_one(plan: Plan, game: Game, number: int, tally: Tally) -> None:
    """Play game `number` of the plan and count it."""
    seed = _mixed(plan.seed, number, "game")
    tally.games += 1
    began = time.perf_counter()
    made = 0
    try:
        state = game.start(players=plan.players, seed=seed & 0xFFFFFFFF, options=plan.options)
        agents = _agents(plan, state, number)
        while state.choices and made < plan.limit:
            state.apply(agents[_seat(state)].choose(state))
            made += 1
    except PlayError as error:
        tally.failed += 1
        tally.failures[error.code] += 1
    else:
        _count(state, tally)
    tally.decisions += made
    tally.lengths[made] += 1
    tally.seconds += time.perf_counter() - began


def _count(state: State, tally: Tally) -> None:
    outcome = state.outcome
    if outcome is None:
        tally.cut_off += 1
        return
    tally.endings[outcome.reason] += 1
    tally.wins.update(outcome.winners)
    tally.draws += not outcome.winners
    tally.scores.update(outcome.scores)


def _agents(plan: Plan, state: State, number: int) -> dict[str, Agent]:
    return {
        player: make_agent(plan.agents.get(player, "random"), _mixed(plan.seed, number, player))
        for player in (*state.players, CHANCE)
    }


def _seat(state: State) -> str:
    decision = state.decision
    assert decision is not None
    return decision.player


def _mixed(seed: int, number: int, word: str) -> int:
    """A seed of its own for each game and seat, the same on every machine."""
    mixed = hashlib.blake2b(f"{seed}/{number}/{word}".encode(), digest_size=8)
    return int.from_bytes(mixed.digest(), "little")

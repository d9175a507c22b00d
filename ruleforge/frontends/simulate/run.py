"""Many seeded games -> a Tally; the same seed gives the same games, whatever the backend and the number of jobs.

Random games are played by the backend, many at a time; where a seat has an agent of its own, step by step.
"""

from __future__ import annotations

import hashlib
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing import Pool
from typing import Any

from ruleforge.engine.decision import CHANCE
from ruleforge.engine.errors import PlayError
from ruleforge.engine.game import Game
from ruleforge.engine.playouts import Plan as RandomGames
from ruleforge.engine.state import State
from ruleforge.frontends.simulate.tally import Tally, tally_of
from ruleforge.loading import load
from ruleforge.play.agents import Agent, make_agent

BATCH = 50
BATCH_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Plan:
    """What to simulate; small, so that it can be sent to other processes."""

    rules: str
    packs: tuple[str, ...]
    games: int
    seed: int
    limit: int
    players: int | None = None
    options: dict[str, Any] = field(default_factory=dict)
    agents: dict[str, str] = field(default_factory=dict)
    backend: str = "auto"
    observe: bool = False

    @property
    def random(self) -> bool:
        """Whether nobody plays who has to be asked."""
        return all(agent == "random" for agent in self.agents.values())


def simulate(plan: Plan, game: Game, jobs: int = 1) -> Iterator[Tally]:
    """Tallies of parts of the plan, as they are done."""
    if jobs <= 1:
        yield from _in_turn(plan, game)
    else:
        yield from _side_by_side(plan, jobs)


def _in_turn(plan: Plan, game: Game) -> Iterator[Tally]:
    if plan.random:
        yield from _at_random(plan, game, 0, plan.games)
        return
    number = 0
    while number < plan.games:
        part, began = Tally(), time.perf_counter()
        while number < plan.games and time.perf_counter() - began < BATCH_SECONDS:
            play_one(plan, game, number, part)
            number += 1
        yield part


def _side_by_side(plan: Plan, jobs: int) -> Iterator[Tally]:
    """Parts are played by other processes; leaving early, by an interruption too, ends them at once."""
    size = max(1, min(BATCH, -(-plan.games // jobs)))
    parts = [(first, min(first + size, plan.games)) for first in range(0, plan.games, size)]
    with Pool(min(jobs, len(parts)), initializer=_prepare, initargs=(plan,)) as pool:
        yield from pool.imap_unordered(_part, parts)


_work: tuple[Plan, Game] | None = None  # of a worker process


def _prepare(plan: Plan) -> None:
    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interruption is the first process's business
    _work = (plan, load(plan.rules, plan.packs, backend=plan.backend, observe=plan.observe))


def _part(games: tuple[int, int]) -> Tally:
    assert _work is not None
    plan, game = _work
    tally = Tally()
    if plan.random:
        for part in _at_random(plan, game, *games):
            tally.add(part)
        return tally
    for number in range(*games):
        play_one(plan, game, number, tally)
    return tally


def _at_random(plan: Plan, game: Game, first: int, last: int) -> Iterator[Tally]:
    """Games of the plan that the backend plays by itself, some at a time."""
    wanted = RandomGames(plan.seed, first, last, plan.limit, watch=True)
    began = time.perf_counter()
    for part in game.simulated(wanted, plan.players, plan.options):
        now = time.perf_counter()
        yield tally_of(part, now - began)
        began = now


def play_one(plan: Plan, game: Game, number: int, tally: Tally) -> None:
    """Play game `number` of the plan and count it."""
    seed = _mixed(plan.seed, number, "game")
    tally.games += 1
    began = time.perf_counter()
    made = 0
    broken: set[str] = set()
    try:
        state = game.start(players=plan.players, seed=seed & 0xFFFFFFFF, options=plan.options)
        agents = _agents(plan, state, number)
        while state.choices and made < plan.limit:
            state.apply(agents[_seat(state)].choose(state))
            made += 1
            if state.choices:  # a game that ends in the middle of an effect leaves it unfinished
                broken.update(state.violations())
    except PlayError as error:
        tally.failed += 1
        tally.failures[error.code] += 1
    else:
        _count(state, tally)
    tally.violations.update(broken)
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
        player: make_agent(
            plan.agents.get(player, "random"), _mixed(plan.seed, number, player), state.game.compiled.profiles
        )
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

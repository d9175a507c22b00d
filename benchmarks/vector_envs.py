"""Many games that advance together, with choices made outside: against choices drawn inside, and against peers.

`python -m benchmarks.vector_envs` measures choices a second, all in this one run and in turns. Peers that are not
installed are left out with a word.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

import ruleforge
from benchmarks.ours import step_batch
from benchmarks.timing import Contender, contender, ratio, take_turns
from ruleforge import rl
from ruleforge.engine.batch import Batch
from ruleforge.rl.vector import VectorPositions

SEED, WANTED = 20, 0.5
GAMES = {"connect-four": 1024, "splicers": 1024}  # with the number of games at once
PEER_GAMES = {"connect-four": ("connect_four", "connect_four")}  # in OpenSpiel, in Pgx
PEER_ENVS = 64  # OpenSpiel's vector environment steps games one by one
INSIDE, OUTSIDE = "drawn inside", "batch.apply, drawn with numpy"


@dataclass(frozen=True)
class Row:
    game: str
    what: str
    rate: float  # choices a second
    share: float  # of choices drawn inside


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.vector_envs", description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="short turns: a first impression, noisy")
    parser.add_argument(
        "--check", action="store_true", help=f"exit 1 if `{OUTSIDE}` has a share below {WANTED}"
    )
    parser.add_argument("--game", action="append", choices=list(GAMES))
    options = parser.parse_args(arguments)
    turns, seconds = (3, 0.1) if options.quick else (7, 0.5)
    rows = [row for name in options.game or GAMES for row in measure(name, turns, seconds)]
    if options.json:
        print(json.dumps([asdict(row) for row in rows], indent=2))
    else:
        for row in rows:
            print(f"{row.game:14}{row.what:44}{row.rate / 1000:>10.1f} k/s{row.share:>8.2f}")
        for peer in ("pgx", "pufferlib"):
            if find_spec(peer) is None:
                print(f"{peer} is not installed and was not measured.")
    slow = [row for row in rows if row.what == OUTSIDE and row.share < WANTED]
    return 1 if options.check and slow else 0


def measure(name: str, turns: int, seconds: float) -> Iterator[Row]:
    contenders = [*ours(name), *peers(name)]
    take_turns(contenders, turns, seconds)
    for each in contenders:
        yield Row(name, each.name, each.median, ratio(each, contenders[0]))
    yield from threads(name, 4 * seconds)


def ours(name: str) -> Iterator[Contender]:
    num_envs, rng = GAMES[name], np.random.default_rng(SEED)
    game = ruleforge.load(name)
    inside, outside = game.batch(num_envs, SEED), game.batch(num_envs, SEED)
    drawn: Any = np.full(num_envs, Batch.DRAWN, np.int32)
    yield contender(INSIDE, repeated(lambda: inside.apply(drawn)), 4, num_envs)
    yield contender(OUTSIDE, lambda n: step_batch(outside, n, rng), 4, num_envs)
    sparse = VectorPositions(rl.space(game), num_envs, SEED, rl.MOST_STEPS)
    yield contender("bounded actions, as lists", repeated(lambda: act(sparse, rng)), 4, num_envs)
    envs = rl.gymnasium_vector_env(game, num_envs, self_play=True)
    envs.reset(seed=SEED)
    yield contender("gymnasium, with tensors and masks", repeated(lambda: step(envs, rng)), 2, num_envs)


def repeated(work: Callable[[], object]) -> Callable[[int], None]:
    def several(times: int) -> None:
        for _ in range(times):
            work()

    return several


def drawn_actions(games: VectorPositions, rng: np.random.Generator) -> Any:
    """A legal action for each environment, from the lists of actions."""
    envs, actions = games.legal()
    firsts = np.flatnonzero(np.diff(envs, prepend=-1))
    counts = np.diff(firsts, append=len(envs))
    found = np.zeros(games.size, np.int64)
    found[envs[firsts]] = actions[firsts + (rng.random(len(firsts)) * counts).astype(np.int64)]
    return found


def act(games: VectorPositions, rng: np.random.Generator) -> None:
    others = np.where(games.players < 0, Batch.NEXT, Batch.WAIT).astype(np.int32)
    games.act(drawn_actions(games, rng), others)


def step(envs: Any, rng: np.random.Generator) -> None:
    envs.step(drawn_actions(envs.games, rng))


# --- two cores ---


def threads(name: str, seconds: float) -> Iterator[Row]:
    """Batches in two threads, by the clock on the wall: calls into machine code leave Python free."""
    one, two = (by_the_clock(name, count, seconds) for count in (1, 2))
    yield Row(name, "one thread, by the clock", one, 1.0)
    yield Row(name, "two threads, by the clock", two, two / one)


def by_the_clock(name: str, count: int, seconds: float) -> float:
    batches = [ruleforge.load(name).batch(GAMES[name], SEED + number) for number in range(count)]
    done = [0] * count

    def play(number: int) -> None:
        batch = batches[number]
        drawn: Any = np.full(batch.size, Batch.DRAWN, np.int32)
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            batch.apply(drawn)
            done[number] += batch.size

    workers = [threading.Thread(target=play, args=(number,)) for number in range(count)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(done) / seconds


# --- peers ---


def peers(name: str) -> Iterator[Contender]:
    if name in PEER_GAMES:
        theirs, pgx_name = PEER_GAMES[name]
        yield openspiel_vector_env(theirs)
        if find_spec("pgx") is not None:
            yield pgx_env(pgx_name, GAMES[name])


def openspiel_vector_env(name: str) -> Contender:
    """OpenSpiel's own vector environment, with observations and lists of actions as it gives them."""
    from open_spiel.python.rl_agent import StepOutput
    from open_spiel.python.rl_environment import Environment
    from open_spiel.python.vector_env import SyncVectorEnv

    envs, rng = SyncVectorEnv([Environment(name) for _ in range(PEER_ENVS)]), np.random.default_rng(SEED)
    steps = envs.reset()

    def go_on() -> None:
        nonlocal steps
        legal = (each.observations["legal_actions"][each.observations["current_player"]] for each in steps)
        picks = [StepOutput(actions[int(rng.random() * len(actions))], []) for actions in legal]
        steps, _, _, _ = envs.step(picks, reset_if_done=True)

    return contender("OpenSpiel SyncVectorEnv", repeated(go_on), 1, PEER_ENVS)


def pgx_env(name: str, num_envs: int) -> Contender:
    """Pgx on the processor: a compiled step of all games, each with an action drawn from its mask."""
    import jax  # type: ignore[import-not-found]
    import pgx  # type: ignore[import-not-found]

    env = pgx.make(name)

    def stepped(state: Any, key: Any) -> Any:
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        action = jax.random.categorical(key, logits, axis=-1)
        going = jax.vmap(pgx.experimental.wrappers.auto_reset(env.step, env.init))
        return going(state, action, jax.random.split(key, num_envs))

    go, key = jax.jit(stepped), jax.random.PRNGKey(SEED)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, num_envs))

    def go_on() -> None:
        nonlocal state, key
        key, own = jax.random.split(key)
        state = jax.block_until_ready(go(state, own))

    go_on()
    return contender("Pgx, with observations and masks", repeated(go_on), 2, num_envs)


if __name__ == "__main__":
    sys.exit(main())

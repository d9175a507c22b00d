"""How much more `mcts` searches in machine code: `python -m benchmarks.searching`, simulations a second of work.

Before there was machine code the same search ran in Python, on generated Python; it still does where choices are hidden
things. Both begin in the same positions of random games, and each simulation plays on from a world that the player
who decides could be in.
"""

from __future__ import annotations

import argparse
import statistics
import time
from random import Random

import ruleforge
from benchmarks.run import OPTIONS, RULESETS
from ruleforge.engine.search import can_search
from ruleforge.play.agents.mcts import MctsAgent

WANTED = 100.0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.searching", description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each choice, as in mcts:1s")
    parser.add_argument("--positions", type=int, default=4, help="of each game")
    parser.add_argument("--game", action="append", choices=[*RULESETS], help="only this game (repeatable)")
    parser.add_argument("--check", action="store_true", help="exit 1 if a game falls short")
    given = parser.parse_args(arguments)
    print("simulations a second    natively   in Python   ratio (median of positions)")
    missed = False
    for name in given.game or RULESETS:
        pairs = [rates(state, given.seconds) for state in positions(name, given.positions)]
        inside, python = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(one / other for one, other in pairs)
        missed |= ratio < WANTED
        print(f"{name:20} {inside:11,.0f} {python:11,.1f} {ratio:7.0f}", flush=True)
    return 1 if given.check and missed else 0


def positions(name: str, count: int) -> list[ruleforge.State]:
    """Positions of random games in which somebody has a choice, some decisions apart."""
    game, rng = ruleforge.load(name, backend="python"), Random(1)
    found: list[ruleforge.State] = []
    state = game.start(seed=1, options=OPTIONS.get(name))
    while len(found) < count:
        for _ in range(7):
            if state.outcome is not None:
                state = game.start(seed=rng.randrange(999), options=OPTIONS.get(name))
            state.apply(rng.choice(state.choices))
        if len(state.choices) > 1 and can_search(state):
            found.append(state.copy())
    return found


def rates(state: ruleforge.State, seconds: float) -> tuple[float, float]:
    """Simulations a second of work, natively and in Python."""
    native, python = MctsAgent(1, seconds=seconds), MctsAgent(1, seconds=seconds)
    native.choose(state)  # compiled, or fetched
    begin = time.process_time()
    native.choose(state)
    middle = time.process_time()
    python._choose_in_python(state, time.monotonic() + seconds)
    return native.simulated / (middle - begin), python.simulated / (time.process_time() - middle)


if __name__ == "__main__":
    raise SystemExit(main())

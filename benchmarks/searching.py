"""How much more `mcts` searches in machine code: `python -m benchmarks.searching`, simulations a second of work.

Before there was machine code the same search ran in Python, on generated Python; it still does where choices are hidden
things. Both begin in the same positions of random games, and each simulation plays on from a world that the player
who decides could be in. `--before CHECKOUT` measures the agent of an older checkout, too, in turns with these and in
positions of its own random games (`before.py`).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import ruleforge
from benchmarks.run import OPTIONS, RULESETS
from ruleforge.engine.search import can_search
from ruleforge.play.agents.mcts import MctsAgent

WANTED = 100.0
OLDER = Path(__file__).with_name("before.py")


def main(arguments: list[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    print(
        "simulations a second    natively   in Python   ratio" + "      before   ratio" * bool(given.before)
    )
    missed = False
    for name in given.game or RULESETS:
        rows = list(measured(name, given))
        columns = [statistics.median(column) for column in zip(*rows, strict=True)]
        ratios = [
            statistics.median(row[0] / max(row[k], 0.1) for row in rows) for k in range(1, len(columns))
        ]
        missed |= ratios[-1] < WANTED
        rest = "".join(f"{rate:12,.1f}{ratio:8,.0f}" for rate, ratio in zip(columns[1:], ratios, strict=True))
        print(f"{name:20} {columns[0]:11,.0f}{rest}", flush=True)
    print("medians of positions; a ratio is the median of theirs")
    return 1 if given.check and missed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.searching", description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each choice, as in mcts:1s")
    parser.add_argument("--positions", type=int, default=8, help="of each game")
    parser.add_argument("--game", action="append", choices=[*RULESETS], help="only this game (repeatable)")
    parser.add_argument("--before", type=Path, help="an older checkout of RuleForge")
    parser.add_argument("--check", action="store_true", help="exit 1 if a game falls short")
    return parser


def measured(name: str, given: argparse.Namespace) -> Iterator[tuple[float, ...]]:
    """For each position the rates: natively, in Python, before."""
    states = positions(name, given.positions)
    if given.before is None:
        yield from (rates(state, given.seconds) for state in states)
        return
    with older(name, given.before, given.positions) as worker:
        asked(worker, given.seconds)  # compiled
        for state in states:
            yield (*rates(state, given.seconds), asked(worker, given.seconds))


@contextmanager
def older(name: str, checkout: Path, count: int) -> Iterator[subprocess.Popen[str]]:
    """A process that runs the older modules, and no others of ours."""
    folder = checkout.absolute()
    command = [sys.executable, "-P", str(OLDER), str(folder / "rulesets" / name)]
    command += [json.dumps(OPTIONS.get(name, {})), str(count)]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    worker = subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with worker:
        yield worker


def asked(worker: subprocess.Popen[str], seconds: float) -> float:
    """The rate in its next position; it waits meanwhile."""
    assert worker.stdin and worker.stdout
    print(seconds, file=worker.stdin, flush=True)
    return float(json.loads(worker.stdout.readline()))


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

"""How the cost of a ruleset grows with its size: `python -m benchmarks.growth`, for cards with three abilities each."""

from __future__ import annotations

import argparse
import gc
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import process_time
from typing import TypeVar

import ruleforge
from benchmarks.large_games import growing_game
from ruleforge.engine.game import Game

Made = TypeVar("Made")

SIZES = (250, 500, 1000, 2000)
DECISIONS = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of cards")
    parser.add_argument("--backend", default="python", help="python, native or reference")
    given = parser.parse_args()
    os.environ["RULEFORGE_CACHE"] = ""  # everything anew
    ruleforge.load("nim", backend=given.backend).start()
    print("cards   validate  compile  100 decisions   (seconds of CPU; in brackets to the size before)")
    before: list[float] = []
    for cards in given.sizes:
        gc.collect()  # what the size before leaves behind
        times = measured(cards, given.backend)
        ratios = [f"({now / old:.1f})" for now, old in zip(times, before, strict=False)] or [""] * 3
        shown = "  ".join(f"{now:7.2f} {ratio:6}" for now, ratio in zip(times, ratios, strict=True))
        print(f"{cards:5}  {shown}")
        before = times


def measured(cards: int, backend: str) -> list[float]:
    """Seconds to validate, to start, and to play some decisions at random."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "growing.yaml"
        path.write_text(growing_game(cards))
        times, game = timed(lambda: ruleforge.load(path, backend=backend))
        compiling, _ = timed(lambda: game.start(seed=1))
        playing, _ = timed(lambda: play(game))
    return [times, compiling, playing]


def play(game: Game) -> None:
    rng, state = Random(1), game.start(seed=1)
    for _ in range(DECISIONS):
        if state.outcome is not None:
            state = game.start(seed=rng.randrange(99))
        state.apply(rng.choice(state.choices))


def timed(work: Callable[[], Made]) -> tuple[float, Made]:
    begin = process_time()
    result = work()
    return process_time() - begin, result


if __name__ == "__main__":
    main()

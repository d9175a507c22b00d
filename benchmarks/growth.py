"""How the cost of a game grows with its size: `python -m benchmarks.growth`, in seconds of work with nothing kept.

Boards grow by their side, decks by cards with three abilities each, tables by players. `--plot FILE.svg` draws it.
"""

from __future__ import annotations

import argparse
import gc
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import TypeVar

import ruleforge
from benchmarks.growing_games import GROWING

Made = TypeVar("Made")

DECISIONS = {"python": 1_000, "native": 20_000}  # to be timed
MOST = 200  # decisions of a game


@dataclass(frozen=True)
class Cost:
    """What a game of one size costs: seconds to read and to compile it, microseconds of a decision in random play."""

    size: int
    validate: float
    compile: float
    compile_native: float
    python: float
    native: float


def main(arguments: list[str] | None = None) -> None:
    given = _parser().parse_args(arguments)
    os.environ["RULEFORGE_CACHE"] = ""  # everything anew
    for backend in DECISIONS:
        ruleforge.load("nim", backend=backend).start()
    found: dict[str, list[Cost]] = {}
    for what in given.what or GROWING:
        make, sizes = GROWING[what]
        print(f"{what:>17}  validate  compile  to native  decision  natively   (s, s, s, µs, µs)")
        found[what] = []
        for size in given.sizes or sizes:
            cost = measured(size, make(size))
            found[what].append(cost)
            times = f"{cost.validate:8.2f} {cost.compile:8.2f} {cost.compile_native:10.2f}"
            print(f"{size:17}  {times} {cost.python:9.1f} {cost.native:9.2f}", flush=True)
    if given.plot:
        plot(found, given.plot)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--what", action="append", choices=[*GROWING], help="only this (repeatable)")
    parser.add_argument("--sizes", type=int, nargs="+", help="other sizes than usual")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw it, as SVG or PNG (extra `report`)")
    return parser


def measured(size: int, rules: str) -> Cost:
    gc.collect()  # what the size before leaves behind
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "growing.yaml"
        path.write_text(rules)
        validate, python = timed(lambda: ruleforge.load(path, backend="python"))
        native = ruleforge.load(path, backend="native")
        compiling, _ = timed(lambda: python.start(seed=1))
        compiling_native, _ = timed(lambda: native.start(seed=1))
    return Cost(
        size,
        validate,
        compiling,
        compiling_native,
        per_decision(python, "python"),
        per_decision(native, "native"),
    )


def per_decision(game: ruleforge.Game, backend: str) -> float:
    """Microseconds, with complete lists."""
    start, made, spent, seed = game.start(seed=1), 0, 0.0, 0
    while made < DECISIONS[backend]:
        seed += 1
        games = 1 if backend == "python" else 100
        took, result = timed(lambda seed=seed, games=games: game.playouts(start, games, seed, MOST))  # type: ignore[misc]
        made, spent = made + result.decisions, spent + took
    return 1e6 * spent / made


def timed(work: Callable[[], Made]) -> tuple[float, Made]:
    begin = process_time()
    result = work()
    return process_time() - begin, result


def plot(found: dict[str, list[Cost]], file: Path) -> None:
    """A panel for each way to grow: above what a decision costs, below what compiling does."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"svg.hashsalt": "growth", "svg.fonttype": "none", "font.size": 8}):
        figure = Figure(figsize=(3 * len(found), 4.6), layout="constrained")
        panels = figure.subplots(2, len(found), squeeze=False)
        for column, (what, costs) in enumerate(found.items()):
            sizes = [cost.size for cost in costs]
            above, below = panels[0][column], panels[1][column]
            above.plot(sizes, [c.python for c in costs], "o-", label="Python")
            above.plot(sizes, [c.native for c in costs], "s-", label="native")
            above.set(title=what, xscale="log", yscale="log", ylabel="µs of a decision")
            below.plot(sizes, [c.validate for c in costs], "^-", label="validate")
            below.plot(sizes, [c.compile for c in costs], "o-", label="compile, Python")
            below.plot(sizes, [c.compile_native for c in costs], "s-", label="compile, native")
            below.set(xscale="log", yscale="log", xlabel=what, ylabel="seconds, nothing kept")
            for panel in (above, below):
                panel.set_xticks(sizes, [str(size) for size in sizes], minor=False)
                panel.minorticks_off()
                panel.grid(True, alpha=0.3)
        for panel in panels[:, 0]:
            panel.legend(frameon=False)
        figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)


if __name__ == "__main__":
    main()

"""Packs that keep their contract, and all that one change makes of them and is still accepted: played and observed.

    python -m tests.observed_packs --games 10000 --minutes 30

deals out so many random games over all of them. What is accepted never breaks what was proved of it, sets nothing off
without end, and leaves every invariant alone. How often several cards came to more than the gate lets through is only
counted, and so are choices that a limit of the pack's own broke off, such as a pool that is used up.
`make packs` does it; the tests play a few.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import yaml

import ruleforge
from ruleforge.engine.playouts import Plan
from ruleforge.finding import packs_of
from ruleforge.loading import best_for_many_games
from ruleforge.resources import shipped_games
from tests.mutated_packs import Mutant, can_be_changed, mutants
from tests.pack_sets import ENDING

CASES = Path(__file__).parent / "packs"
DECISIONS = 2000
ENDLESS = "RF812"


def keeping() -> list[Path]:
    """The packs that ship, and the cases that are accepted."""
    shipped = [path / "expansions" / name for path in shipped_games().values() for name in packs_of(path)]
    cases = sorted(CASES.glob("*/*.yaml"))
    return shipped + [
        f.with_suffix("") for f in cases if yaml.safe_load(f.read_text())["verdict"] == "accepted"
    ]


@dataclass
class Watch:
    """What random games with one pack came to."""

    games: int = 0
    wrong: Counter[str] = field(default_factory=Counter)  # by what it is, in how many games
    cut: Counter[str] = field(default_factory=Counter)  # what the gate would have kept back
    stopped: Counter[str] = field(default_factory=Counter)


def observed(core: str, pack: Path, games: int, seed: int = 0) -> Watch:
    """Random games with a pack from which nothing is kept back."""
    game = ruleforge.load(core, [pack], backend=best_for_many_games(), observe=True)
    settled = {option.name for option in game.info.options if option.settled_by}
    options = {name: value for name, value in ENDING.get(core, {}).items() if name not in settled}
    proved = {b.name: b.proved for b in game.start(options=options)._variant.program.breaches}
    watch = Watch()
    for part in game.simulated(Plan(seed, 0, games, DECISIONS, watch=True), None, options):
        watch.games += part.games
        for code, count in part.faults.items():
            (watch.wrong if code == ENDLESS else watch.stopped)[code] += count
        for name, count in part.violations.items():
            (watch.wrong if proved.get(name, True) else watch.cut)[name] += count
    return watch


def accepted(folders: list[Path], seed: int) -> Iterator[tuple[str, Mutant | None, Path]]:
    """Packs as they are, then what one change makes of them where that is accepted; in an order of chance."""
    rng = Random(seed)
    with tempfile.TemporaryDirectory() as shelf:
        for folder in folders:
            yield ruleforge.judge(folder).core.split()[0], None, folder
        every = [mutant for folder in folders if can_be_changed(folder) for mutant in mutants(folder)]
        rng.shuffle(every)
        for number, mutant in enumerate(every):
            path = mutant.write(Path(shelf) / str(number))
            found = ruleforge.judge(path)
            if found.verdict == "accepted":
                yield found.core.split()[0], mutant, path


def _core(folder: Path) -> str:
    """The core of a pack, which lies in a folder of its name or beside the game itself."""
    return folder.parent.parent.name if folder.parent.name == "expansions" else folder.parent.name


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.observed_packs", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--games", type=int, default=10_000, help="random games in all, at least")
    parser.add_argument("--each", type=int, default=100, help="random games with each pack at a time")
    parser.add_argument("--minutes", type=float, default=30, help="after which no further pack is begun")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--core", help="only packs of this core")
    parser.add_argument("--mutants", action="store_true", help="only what a change makes of packs")
    given = parser.parse_args(arguments)
    began, games, packs, wrong = time.monotonic(), 0, 0, 0
    cut, stopped = Counter[str](), Counter[str]()
    folders = [folder for folder in keeping() if given.core in (None, _core(folder))]
    for core, mutant, path in accepted(folders, given.seed):
        if given.mutants and mutant is None:
            continue
        watch = observed(core, path, given.each, given.seed)
        games, packs, wrong = games + watch.games, packs + 1, wrong + len(watch.wrong)
        cut.update(watch.cut)
        stopped.update(watch.stopped)
        for complaint, count in watch.wrong.items():
            print(f"{mutant or path}: {complaint} in {count} games", flush=True)
        if games >= given.games or time.monotonic() - began > 60 * given.minutes:
            break
    print(f"{games} games with {packs} packs: {wrong or 'no'} complaints")
    for name, count in sorted(cut.items()):
        print(f"    the gate would have acted in {count} games: {name.removeprefix('breach ')}")
    for code, count in sorted(stopped.items()):
        print(f"    a limit of a pack stopped {count} games: {code}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

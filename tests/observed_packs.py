"""What one change makes of packs that keep their contract, and is still accepted: played and observed.

    python -m tests.observed_packs --games 10000 --minutes 30

deals out so many random games over all of them: one analysis, one verdict and one program for each hundred. What is
accepted never breaks what was proved of it, sets nothing off without end, and leaves every invariant alone. How often
several cards came to more than the gate lets through is only counted, and so are choices that a limit of the pack's own
broke off, such as a pool that is used up. With `--refused` the reasons of the others can be read.
`make packs` does it; the tests play a few.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

from ruleforge.contracts.contract_reader import contract_of
from ruleforge.contracts.judge import Findings, findings
from ruleforge.contracts.model import Contract
from ruleforge.engine.loader import best_for_many_games, opened
from ruleforge.engine.playouts import Plan
from ruleforge.project.locator import packs_of
from ruleforge.project.pipeline import Analysis
from ruleforge.support.resources import shipped_games
from ruleforge.tools.pack_check import analysed
from tests.inside import variant_of
from tests.mutated_packs import Mutant, can_be_changed, mutants
from tests.pack_sets import ENDING
from tests.plain_yaml import data_of

CASES = Path(__file__).parent / "packs"
DECISIONS = 2000
ENDLESS = "RF812"


def keeping() -> list[Path]:
    """The packs that ship, and the cases that are accepted."""
    shipped = [path / "expansions" / name for path in shipped_games().values() for name in packs_of(path)]
    cases = sorted(CASES.glob("*/*.yaml"))
    return shipped + [f.with_suffix("") for f in cases if data_of(f)["verdict"] == "accepted"]


@dataclass
class Watch:
    """What random games with one pack came to."""

    games: int = 0
    wrong: Counter[str] = field(default_factory=Counter)  # by what it is, in how many games
    cut: Counter[str] = field(default_factory=Counter)  # what the gate would have kept back
    stopped: Counter[str] = field(default_factory=Counter)


def observed(analysis: Analysis, games: int, seed: int = 0) -> Watch:
    """Random games with a pack from which nothing is kept back."""
    game = opened(analysis, analysis.path, best_for_many_games(), observe=True)
    settled = {option.name for option in game.info.options if option.settled_by}
    endings = ENDING.get(game.info.id, {})
    options = {name: value for name, value in endings.items() if name not in settled}
    proved = {b.name: b.proved for b in variant_of(game.start(options=options)).program.breaches}
    watch = Watch()
    for part in game.simulated(Plan(seed, 0, games, DECISIONS, watch=True), None, options):
        watch.games += part.games
        for code, count in part.faults.items():
            (watch.wrong if code == ENDLESS else watch.stopped)[code] += count
        for name, count in part.violations.items():
            (watch.wrong if proved.get(name, True) else watch.cut)[name] += count
    return watch


@cache
def _contract(core: Path) -> Contract | None:
    return contract_of(core)


def judged(folders: list[Path], seed: int) -> Iterator[tuple[Mutant, Analysis, Findings]]:
    """What one change makes of packs, in an order of chance; each is read and judged once."""
    every = [mutant for folder in folders if can_be_changed(folder) for mutant in mutants(folder)]
    Random(seed).shuffle(every)
    with tempfile.TemporaryDirectory() as shelf:
        for number, mutant in enumerate(every):
            analysis = analysed(mutant.write(Path(shelf) / str(number)), ())
            yield mutant, analysis, findings(analysis, _contract(analysis.path))


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
    parser.add_argument("--originals", action="store_true", help="play the packs as they are first")
    parser.add_argument("--refused", action="store_true", help="say why the others are refused, to be read")
    given = parser.parse_args(arguments)
    os.environ["RULEFORGE_CACHE"] = ""  # what is played once is not kept
    folders = [folder for folder in keeping() if given.core in (None, _core(folder))]
    tally = _Tally(given.each, given.seed)
    for folder in folders if given.originals else ():
        tally.play(str(folder), analysed(folder, ()))
    for mutant, analysis, found in judged(folders, given.seed):
        if tally.games >= given.games or tally.seconds > 60 * given.minutes:
            break
        if found.verdict == "accepted":
            tally.play(str(mutant), analysis)
        elif given.refused:
            print(f"{mutant}: {found.verdict}")
            for fault in found.faults:
                print(
                    f"    {fault.place.line} {fault.code} {', '.join(fault.clauses)}: {fault.why}", flush=True
                )
    print(tally)
    return 1 if tally.wrong else 0


class _Tally:
    """What all games came to."""

    def __init__(self, each: int, seed: int) -> None:
        self._each, self._seed, self._began = each, seed, time.monotonic()
        self.games = self.packs = self.wrong = 0
        self._cut, self._stopped = Counter[str](), Counter[str]()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def play(self, name: str, analysis: Analysis) -> None:
        watch = observed(analysis, self._each, self._seed)
        self.games, self.packs = self.games + watch.games, self.packs + 1
        self.wrong += len(watch.wrong)
        self._cut.update(watch.cut)
        self._stopped.update(watch.stopped)
        for complaint, count in watch.wrong.items():
            print(f"{name}: {complaint} in {count} games", flush=True)

    def __str__(self) -> str:
        told = [f"{self.games} games with {self.packs} packs: {self.wrong or 'no'} complaints"]
        for name, count in sorted(self._cut.items()):
            told.append(f"    the gate would have acted in {count} games: {name.removeprefix('breach ')}")
        for code, count in sorted(self._stopped.items()):
            told.append(f"    a limit of a pack stopped {count} games: {code}")
        return "\n".join(told)


if __name__ == "__main__":
    sys.exit(main())

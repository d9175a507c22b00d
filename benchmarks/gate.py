"""What the gate of a contract costs in play: each pack that ships with it and without it, decisions a second of work.

    python -m benchmarks.gate --quick --core soul-gems

Where no pack touches what the contract speaks of, both play the same program, and nothing is measured.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import process_time

from benchmarks.timing import Contender, ratio, take_turns
from ruleforge.backends.artifacts.compiled import Compiled
from ruleforge.backends.playouts import Plan
from ruleforge.contracts.contract_reader import contract_of
from ruleforge.contracts.gate import gate_of
from ruleforge.engine.game import Game
from ruleforge.engine.loader import LoadedFrom, best_for_many_games, game_from_analysis
from ruleforge.project.locator import packs_of
from ruleforge.project.pipeline import Analysis
from ruleforge.support.resources import shipped_games
from ruleforge.tools.pack_check import analysed

TENTH = 0.1
QUICK, FULL = (5, 0.3), (15, 1.0)  # turns, seconds of work a turn
GAMES, MOST = 4, 2000  # games between two looks at the clock, and their decisions
OPTIONS = {"soul-gems": {"max_turns": 20}}


def pair(analysis: Analysis, backend: str) -> tuple[Game, Game]:
    """A pack under the gate, and the same without one."""
    assert analysis.checked is not None and analysis.source is not None
    names = tuple(str(reading.path.absolute()) for reading in analysis.packs)
    origin = LoadedFrom(str(analysis.path.absolute()), names, backend)
    trees = (analysis.source, *(reading.source for reading in analysis.packs))
    texts = {file.path: file.content for tree in trees for file in tree.files}
    return game_from_analysis(analysis, origin), Game(Compiled(analysis.checked, texts, backend), origin)


def playing(game: Game, name: str) -> Contender:
    """Decisions a second of work, the same random games in every turn."""
    settled = {option.name for option in game.info.options if option.settled_by}
    options = {k: v for k, v in OPTIONS.get(game.info.id, {}).items() if k not in settled}

    def rate(seconds: float) -> float:
        made, first, begin = 0, 0, process_time()
        while (spent := process_time() - begin) < seconds or not made:
            for part in game.simulated(Plan(1, first, first + GAMES, MOST), None, options):
                made += sum(length * games for length, games in part.lengths.items())
            first += GAMES
        return made / spent

    return Contender(name, rate)


def cost(folder: Path, turns: int, seconds: float, backend: str) -> float | None:
    """How much longer a decision takes with the gate; None where there is none."""
    analysis = analysed(folder, ())
    if gate_of(analysis, contract_of(analysis.path)) is None:
        return None
    gated, bare = pair(analysis, backend)
    ours, peer = playing(gated, "gate"), playing(bare, "none")
    take_turns((ours, peer), turns, seconds)
    return 1 / ratio(ours, peer) - 1


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gate", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a few short turns")
    parser.add_argument("--core", help="only packs of this core")
    parser.add_argument("--pack", help="only this pack")
    parser.add_argument("--backend", default=best_for_many_games())
    given = parser.parse_args(arguments)
    turns, seconds = QUICK if given.quick else FULL
    dear = False
    for core, path in shipped_games().items():
        for name in packs_of(path) if given.core in (None, core) else ():
            if given.pack not in (None, name):
                continue
            found = cost(path / "expansions" / name, turns, seconds, given.backend)
            dear |= found is not None and found > TENTH
            told = "nothing: no gate" if found is None else f"{100 * found:+.1f} %"
            print(f"{core:<16} {name:<16} {told}", flush=True)
    return 1 if dear else 0


if __name__ == "__main__":
    sys.exit(main())

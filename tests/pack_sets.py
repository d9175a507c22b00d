"""Sets of shipped packs that can stand together, and what goes wrong in them: scenarios, digests, random games.

    python -m tests.pack_sets --games 1000

runs the long form: the scenarios of every pack alone, in every pair and in every largest set, and random games with each
pack and in random sets. `make packs` does it; the tests run a part of it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import combinations
from pathlib import Path
from random import Random

import ruleforge
from ruleforge.engine.game import Game
from ruleforge.engine.loader import best_for_many_games
from ruleforge.lang.model.from_source import ruleset_from_source
from ruleforge.lang.model.pack import Pack, pack_from_source
from ruleforge.lang.model.ruleset import Ruleset
from ruleforge.lang.packs.assembly import assemble
from ruleforge.lang.source.folder import read_folder
from ruleforge.project.locator import packs_of
from ruleforge.support.diagnostics import Report
from ruleforge.support.resources import shipped_games
from ruleforge.tools.experiments.plan import Plan, Rules, Table
from ruleforge.tools.experiments.run import simulate
from ruleforge.tools.experiments.tally import Tally
from ruleforge.tools.scenarios.locator import Suite, find_suite
from ruleforge.tools.scenarios.runner import run_scenario
from ruleforge.tools.scenarios.scenario import read_scenario

Packs = tuple[str, ...]
PackSet = tuple[str, Packs]  # a core and packs of it

CORES = {name: path for name, path in shipped_games().items() if packs_of(path)}
SINGLES: list[PackSet] = [(core, (pack,)) for core, path in CORES.items() for pack in packs_of(path)]
APART = {"RF335", "RF336", "RF337"}  # two at one point, one that is needed, one that is excluded
# Options with which games of random players come to an end.
ENDING: dict[str, dict[str, int | str | bool]] = {"soul-gems": {"max_turns": 30}}


@cache
def together(core: str, packs: Packs) -> bool:
    """Whether packs go together, by what they say themselves; that they have no mistakes is tested."""
    report = Report()
    assemble(_alone(core), tuple(_pack(core, pack) for pack in packs), report)
    return not any(d.code in APART for d in report)


@cache
def _alone(core: str) -> Ruleset:
    source = read_folder(CORES[core], Report())
    assert source is not None
    return ruleset_from_source(source, Report())


@cache
def _pack(core: str, name: str) -> Pack:
    source = read_folder(folder(core, name), Report(), head="pack")
    found = pack_from_source(source, Report()) if source else None
    assert found is not None
    return found


@cache
def pairs() -> list[PackSet]:
    """Every two packs of one core that go together."""
    every = [(core, pair) for core, path in CORES.items() for pair in combinations(packs_of(path), 2)]
    return [found for found in every if together(*found)]


@cache
def largest() -> list[PackSet]:
    """The sets to which no further pack can be added: all packs of a core, if none keeps another away."""
    return [(core, packs) for core in CORES for packs in _largest(core)]


def _largest(core: str) -> Iterator[Packs]:
    friends = {packs for of, packs in pairs() if of == core}
    names = tuple(packs_of(CORES[core]))
    found: list[Packs] = []
    for size in range(len(names), 0, -1):
        for packs in combinations(names, size):
            fits = all(pair in friends for pair in combinations(packs, 2))
            if fits and not any(set(packs) <= set(larger) for larger in found) and together(core, packs):
                found.append(packs)
    yield from found


def random_sets(core: str, number: int, seed: int) -> list[PackSet]:
    """Sets of two packs or more, drawn from the largest ones; the same for the same seed."""
    rng = Random(seed)
    wholes = [packs for of, packs in largest() if of == core and len(packs) > 1]
    found: list[PackSet] = []
    for _ in range(number if wholes else 0):
        whole = rng.choice(wholes)
        packs = rng.sample(whole, rng.randint(2, len(whole)))
        found.append((core, tuple(sorted(packs))))
    return list(dict.fromkeys(found))


@lru_cache(maxsize=6)
def table(core: str, packs: Packs, backend: str = "auto") -> Game:
    """The game with these packs, compiled once."""
    return ruleforge.load(core, packs, backend=backend)


@cache
def suite(core: str, pack: str) -> Suite:
    report = Report()
    found = find_suite(str(folder(core, pack)), report)
    assert found is not None, [d.message for d in report]
    return found


def folder(core: str, pack: str) -> Path:
    return CORES[core] / "expansions" / pack


def failures(core: str, packs: Packs, backend: str = "auto") -> list[str]:
    """What goes wrong in the scenarios of all packs of a set when they are played with the whole set."""
    return [failure for pack in packs for failure in _failures(core, pack, packs, backend)]


def _failures(core: str, pack: str, packs: Packs, backend: str) -> Iterator[str]:
    for file in suite(core, pack).files:
        report = Report()
        scenario = read_scenario(file, report)
        if scenario is not None:
            whole = tuple(sorted({*packs, *scenario.packs}))
            if not together(core, whole):
                continue  # it shows what happens between packs, and one of them keeps a pack of this set away
            others = frozenset(whole) - {pack, *scenario.packs}
            run_scenario(table(core, whole, backend), scenario, report, others)
        yield from (f"{d.span}: {d.message}" for d in report)


def broken(core: str, packs: Packs, games: int, seed: int = 0) -> list[str]:
    """What goes wrong in random games with the packs: games that stop, invariants that do not hold."""
    backend = best_for_many_games()
    game = ruleforge.load(core, packs, backend=backend)
    low, high = game.info.players
    settled = {option.name for option in game.info.options if option.settled_by}
    options = {name: value for name, value in ENDING.get(core, {}).items() if name not in settled}
    total = Tally()
    for players in range(low, high + 1):
        share = -(-games // (high - low + 1))
        table = Table(players, options)
        plan = Plan(Rules(core, packs, backend), share, seed, limit=5000, table=table)
        for part in simulate(plan, game):
            total.add(part)
    wrong = [f"{count} games were stopped by {code}" for code, count in total.failures.items()]
    return wrong + [f"in {count} games `{name}` did not hold" for name, count in total.violations.items()]


def main(arguments: list[str] | None = None) -> int:
    """The long form; the number of complaints decides the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.pack_sets", description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1000, help="random games with each pack and set")
    parser.add_argument("--sets", type=int, default=5, help="random sets of each core")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--core", choices=[*CORES], action="append", help="only this core (repeat)")
    parser.add_argument("--only", choices=["scenarios", "games"], help="only this half")
    given = parser.parse_args(arguments)
    cores = given.core or [*CORES]
    wrong = 0
    for core, packs in dict.fromkeys((*SINGLES, *pairs(), *largest())) if given.only != "games" else ():
        if core in cores:
            wrong += _told("scenarios", core, packs, lambda c, p: failures(c, p))
    played = [single for single in SINGLES if single[0] in cores]
    for core in cores:
        played += random_sets(core, given.sets, given.seed)
    for core, packs in dict.fromkeys(played) if given.only != "scenarios" else ():
        wrong += _told(
            f"{given.games} games", core, packs, lambda c, p: broken(c, p, given.games, given.seed)
        )
    print(f"{wrong} complaints" if wrong else "nothing is wrong")
    return 1 if wrong else 0


def _told(what: str, core: str, packs: Packs, look: Callable[[str, Packs], list[str]]) -> int:
    began = time.perf_counter()
    found = look(core, packs)
    print(
        f"{what:>12}  {core} with {', '.join(packs)}: {len(found) or 'fine'}, {time.perf_counter() - began:.1f} s"
    )
    for complaint in found:
        print(f"    {complaint}")
    sys.stdout.flush()
    return len(found)


if __name__ == "__main__":
    sys.exit(main())

"""Games and packs -> random decisions by turns, looked at on the way; what breaks is told with its seed."""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import ruleforge
from ruleforge.project.locator import packs_of
from ruleforge.support.resources import shipped_games

CHUNK = 500  # decisions of one game before the next has its turn
LOOK = 100  # decisions between two close looks
TOO_LONG = 3_000  # decisions of one game, which is then left
PAGE = 4096


@dataclass
class Soaked:
    """How far it has come."""

    decisions: int = 0
    games: int = 0
    looks: int = 0
    refusals: int = 0  # choices that a limit of the rules took back
    troubles: list[str] = field(default_factory=list)
    by_table: dict[str, int] = field(default_factory=dict)
    memory_before: int = 0  # bytes, when every table has been played at once
    memory_after: int = 0


Table = tuple[str, tuple[str, ...]]  # a game and the packs it is played with


def tables() -> list[Table]:
    """Every game that ships, alone and with each of its packs."""
    games = shipped_games().items()
    return [(name, packs) for name, path in games for packs in ((), *((pack,) for pack in packs_of(path)))]


def soak(found: Soaked, all_tables: list[Table], seed: int, more: Callable[[], bool]) -> Iterator[None]:
    """Plays by turns while there is more to do; hands over after each turn."""
    rng, number = random.Random(seed), 0
    loaded: dict[Table, ruleforge.Game] = {}
    while more():
        table = all_tables[number % len(all_tables)]
        if table not in loaded:
            loaded[table] = ruleforge.load(*table)
        name, before = " + ".join((table[0], *table[1])), found.decisions
        _chunk(found, name, loaded[table], rng.randrange(2**32))
        found.by_table[name] = found.by_table.get(name, 0) + found.decisions - before
        number += 1
        if number == 2 * len(all_tables):
            found.memory_before = memory()
        yield
    found.memory_after = memory()
    found.memory_before = found.memory_before or found.memory_after


def _chunk(found: Soaked, name: str, game: ruleforge.Game, seed: int) -> None:
    rng, end = random.Random(seed), found.decisions + CHUNK
    try:
        while found.decisions < end:
            state = game.start(players=rng.randint(*game.info.players), seed=rng.randrange(2**32))
            found.games += 1
            _played(found, state, rng, end)
    except Exception as problem:  # whatever it is: this is what is looked for
        found.troubles.append(f"{name}, seed {seed}: {type(problem).__name__}: {str(problem)[:300]}")
        found.decisions += 1


def _played(found: Soaked, state: ruleforge.State, rng: random.Random, end: int) -> None:
    made = 0
    while state.choices and found.decisions < end and made < TOO_LONG:
        try:
            state.apply(rng.choice(state.choices))
        except ruleforge.IllegalChoice:
            found.refusals += 1
        found.decisions += 1
        made += 1
        if found.decisions % LOOK == 0:
            _looked_at(found, state)
    if not state.choices:
        assert state.outcome is not None, "nobody can choose, and nobody has won"
        _looked_at(found, state)


def _looked_at(found: Soaked, state: ruleforge.State) -> None:
    found.looks += 1
    broken = state.violations() if state.choices else ()  # a game may end in the middle of an effect
    assert not broken, f"invariants that do not hold: {', '.join(broken)}"
    assert state.game.restore(state.save()) == state, "a saved game is another one"
    for player in (*state.players, None):
        state.view(player)
    texts = [choice.text for choice in state.choices]
    assert len(set(texts)) == len(texts), "two choices with one text"


def memory() -> int:
    """What this process holds now."""
    gc.collect()
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * PAGE
    except OSError:
        return 0


def until(seconds: float, decisions: int, found: Soaked) -> Callable[[], bool]:
    """Whether there is time and work left."""
    end = time.monotonic() + seconds
    return lambda: found.decisions < decisions and time.monotonic() < end

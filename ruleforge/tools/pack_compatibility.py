"""Checks every pair of packs and the whole set, and plays random games with each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import combinations
from pathlib import Path
from typing import Any

from ruleforge.contracts.contract_reader import contract_of
from ruleforge.contracts.judge import findings
from ruleforge.contracts.judgement import Fault
from ruleforge.engine.errors import PlayError, RulesetError
from ruleforge.engine.loader import best_for_many_games, load
from ruleforge.project.locator import packs_of
from ruleforge.project.resolver import analyse
from ruleforge.support.records import dataclass

GAMES = 200
DECISIONS = 2000  # of one random game at most: some go on for ever
MANY = 50  # games that are worth machine code
_APART = "RF337"  # packs that say themselves that they do not go together


@dataclass(frozen=True, slots=True)
class Meeting:
    """A set of packs in one game: the verdict on them together, and the result of random games."""

    packs: tuple[str, ...]
    verdict: str  # accepted, rejected, invalid, or apart where a pack excludes another one
    faults: tuple[Fault, ...] = ()
    games: int = 0
    endings: dict[str, int] = field(default_factory=dict)
    troubles: dict[str, int] = field(default_factory=dict)  # codes of what stopped a game, and how often

    @property
    def is_fine(self) -> bool:
        return self.verdict in ("accepted", "apart") and not self.troubles

    def to_json(self) -> dict[str, Any]:
        return {
            "packs": list(self.packs),
            "verdict": self.verdict,
            "faults": [fault.to_json() for fault in self.faults],
            "games": self.games,
            "endings": self.endings,
            "troubles": self.troubles,
        }


def those_who_meet(game: str | Path, packs: Sequence[str] = ()) -> tuple[str, ...]:
    """The packs that are named, else those that lie beside the game. Raises RulesetError if the game has mistakes."""
    core = analyse(game)
    if core.ruleset is None or not core.complete:
        raise RulesetError(core.diagnostics)
    return tuple(packs) or tuple(packs_of(core.path))


def meetings(
    game: str | Path, packs: Sequence[str] = (), games: int = GAMES, seed: int = 0
) -> Iterator[Meeting]:
    """Every pair of packs, then all of them that go together; without packs those that lie beside the game."""
    names = those_who_meet(game, packs)
    apart: set[str] = set()
    for pair in combinations(names, 2):
        meeting = _meet(game, pair, games, seed)
        apart |= set(pair) if meeting.verdict == "apart" else set()
        yield meeting
    pack_set = tuple(name for name in names if name not in apart)
    if len(pack_set) > 2 or len(names) == 1:
        yield _meet(game, pack_set, games, seed)


def _meet(game: str | Path, packs: tuple[str, ...], games: int, seed: int) -> Meeting:
    analysis = analyse(game, packs)
    if any(d.code == _APART for d in analysis.diagnostics):
        return Meeting(packs, "apart")
    found = findings(analysis, contract_of(analysis.path))
    if found.verdict == "invalid" or not analysis.complete:
        return Meeting(packs, found.verdict, found.faults)
    return _played(game, Meeting(packs, found.verdict, found.faults), games, seed)


def _played(game: str | Path, meeting: Meeting, games: int, seed: int) -> Meeting:
    try:
        backend = best_for_many_games() if games >= MANY else "auto"
        loaded = load(game, meeting.packs, backend=backend)
        result = loaded.playouts(loaded.start(seed=seed), games, seed, DECISIONS)
    except PlayError as error:
        return Meeting(meeting.packs, meeting.verdict, meeting.faults, games, {}, {error.code: games})
    endings, troubles = dict(result.endings), {**result.faults, **result.violations}
    return Meeting(meeting.packs, meeting.verdict, meeting.faults, games, endings, troubles)

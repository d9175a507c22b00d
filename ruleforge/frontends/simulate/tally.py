"""What many games came to: counts that can be added up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from ruleforge.engine.playouts import Playouts


def tally_of(part: Playouts, seconds: float) -> Tally:
    """Games that the backend played by itself."""
    return Tally(
        games=part.games,
        cut_off=part.cut,
        failed=sum(part.faults.values()),
        decisions=part.decisions,
        seconds=seconds,
        endings=Counter(part.endings),
        wins=Counter(part.winners),
        draws=part.draws,
        scores=Counter(part.scores),
        lengths=Counter(part.lengths),
        failures=Counter(part.faults),
        violations=Counter(part.violations),
    )


@dataclass
class Tally:
    """Counts over games; `lengths` are decisions made in each finished or cut-off game."""

    games: int = 0
    cut_off: int = 0
    failed: int = 0
    decisions: int = 0
    seconds: float = 0.0
    endings: Counter[str] = field(default_factory=Counter)
    wins: Counter[str] = field(default_factory=Counter)
    draws: int = 0
    scores: Counter[str] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    violations: Counter[str] = field(default_factory=Counter)  # games in which an invariant did not hold

    def add(self, other: Tally) -> None:
        self.games += other.games
        self.cut_off += other.cut_off
        self.failed += other.failed
        self.decisions += other.decisions
        self.seconds += other.seconds
        self.draws += other.draws
        for name in ("endings", "wins", "scores", "lengths", "failures", "violations"):
            getattr(self, name).update(getattr(other, name))

    @property
    def finished(self) -> int:
        return self.games - self.cut_off - self.failed

    def length(self) -> dict[str, float]:
        """Shortest, mean, median and longest game, in decisions."""
        if not self.lengths:
            return {"min": 0, "mean": 0.0, "median": 0, "max": 0}
        total = sum(self.lengths.values())
        mean = sum(length * count for length, count in self.lengths.items()) / total
        passed = 0
        median = 0
        for length in sorted(self.lengths):
            passed += self.lengths[length]
            if 2 * passed >= total:
                median = length
                break
        return {"min": min(self.lengths), "mean": round(mean, 2), "median": median, "max": max(self.lengths)}

    def as_data(self, players: tuple[str, ...], wall: float) -> dict[str, Any]:
        """Plain data for `--json`; everything but the times depends on the seed alone."""
        finished = max(self.finished, 1)
        return {
            "games": self.games,
            "finished": self.finished,
            "cut_off": self.cut_off,
            "failed": self.failed,
            "failures": dict(sorted(self.failures.items())),
            "violations": dict(sorted(self.violations.items())),
            "endings": dict(sorted(self.endings.items())),
            "wins": {player: self.wins[player] for player in players},
            "draws": self.draws,
            "mean_scores": {player: round(self.scores[player] / finished, 4) for player in players},
            "length": self.length(),
            "decisions": self.decisions,
            "seconds": round(wall, 3),
            "decisions_per_second": round(self.decisions / wall) if wall else 0,
        }

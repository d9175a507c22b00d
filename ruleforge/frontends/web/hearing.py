"""The turns of a session -> all that one seat was told of them; what was told before is not worked out again."""

from __future__ import annotations

from ruleforge.play.narration import Sentence
from ruleforge.play.seats.onlooker import Onlooker
from ruleforge.play.session import Turn


class Hearing:
    """What one seat has heard, turn by turn; steps that were taken back are forgotten."""

    def __init__(self, seat: str | None) -> None:
        self._seat = seat
        self._heard: list[tuple[Turn, tuple[Sentence, ...]]] = []

    def all(self, onlooker: Onlooker, turns: list[Turn]) -> tuple[tuple[Sentence, bool], ...]:
        """Every sentence, and whether it is news: from after the last choice of the seat that came to something."""
        same = 0
        for (known, _), turn in zip(self._heard, turns, strict=False):
            if known is not turn:
                break
            same += 1
        del self._heard[same:]
        self._heard += [(turn, onlooker.told(turn, n)) for n, turn in enumerate(turns[same:], same)]
        since = self._last_looked(turns)
        return tuple((s, n >= since) for n, (_, said) in enumerate(self._heard) for s in said)

    def _last_looked(self, turns: list[Turn]) -> int:
        """Who only looks on has seen all but the last thing that was told: a step made in secret is none."""
        if self._seat is None:
            return max((n for n, (_, said) in enumerate(self._heard) if said), default=0)
        own = (n for n, turn in enumerate(turns) if turn.player == self._seat and self._heard[n][1])
        return max(own, default=0)

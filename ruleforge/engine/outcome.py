"""How a game ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """The ruleset's own reason, who shares the win (empty for a draw), and every player's score."""

    reason: str
    winners: tuple[str, ...]
    scores: Mapping[str, int]
    text: str = ""

    def __str__(self) -> str:
        won = f"{' and '.join(self.winners)} won" if self.winners else "draw"
        return f"{won} ({self.reason})"

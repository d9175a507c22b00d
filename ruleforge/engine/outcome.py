"""How a game ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn


class Scores(dict[str, int]):
    """Scores by player, not to be changed: games that end alike share one outcome."""

    __slots__ = ()

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("the scores of an outcome cannot be changed")

    __setitem__ = __delitem__ = update = setdefault = pop = popitem = clear = __ior__ = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return Scores, (dict(self),)


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

"""How a game ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from ruleforge.backends.api import Row
from ruleforge.compiler.ir import OUTCOME, WINNERS

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant


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


def outcome_of(variant: Variant, row: Row) -> Outcome:
    """How a row that is at its end ended. Without scores of their own the ending and the winners say it all."""
    return variant.outcomes.get((row[OUTCOME], row[WINNERS])) or _new(variant, row)


def _new(variant: Variant, row: Row) -> Outcome:
    program, names = variant.program, variant.player_names
    number, bits = row[OUTCOME], row[WINNERS]
    ending = program.endings[number - 1]
    winners = tuple(name for n, name in enumerate(names) if bits >> n & 1)
    counted = variant.scratch(row)
    scores = Scores({name: _score(variant, counted, name, winners) for name in names})
    outcome = Outcome(ending.name, winners, scores, ending.text)
    if program.score is None:
        variant.outcomes[number, bits] = outcome
    return outcome


def _score(variant: Variant, row: Row, player: str, winners: tuple[str, ...]) -> int:
    score = variant.program.score
    if score is not None:
        return variant.ask(score, row, (variant.player_number(player),), f"`{player}` has no score")
    if not winners or len(winners) == len(variant.player_names):
        return 0
    return 1 if player in winners else -1

"""`outcome` says how a game ended, and stops a game that would never end."""

from __future__ import annotations

from itertools import repeat, starmap
from random import Random
from typing import TYPE_CHECKING

from ruleforge.backends.api import Row
from ruleforge.compiler.ir import OUTCOME, WINNERS
from ruleforge.engine.errors import PlayError
from ruleforge.engine.presentation.observation import Outcome, Scores

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

__all__ = ["Outcome", "Scores", "outcome_of"]
DRAWS = 4  # random numbers for each decision: where choices are drawn and tried, some are drawn in vain


def outcome_of(variant: Variant, row: Row) -> Outcome:
    """The outcome of a row at its end. Without scores, the ending and the winners determine it."""
    return variant.outcomes.get((row[OUTCOME], row[WINNERS])) or _new(variant, row)


def _new(variant: Variant, row: Row) -> Outcome:
    program, names = variant.program, variant.player_names
    number, bits = row[OUTCOME], row[WINNERS]
    ending = program.endings[number - 1]
    winners = tuple(name for n, name in enumerate(names) if bits >> n & 1)
    counted = variant.scratch(row)
    scores = Scores({name: _score(variant, counted, name, winners) for name in names})
    outcome = Outcome(ending.name, winners, scores, ending.text, ending.lost and not winners)
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


# Games that never end: random play has a limited number of random numbers, and a single player stops in time.


class Draws:
    """A limited generator: `random` raises StopIteration after the numbers for a given number of decisions."""

    __slots__ = ("random",)

    def __init__(self, rng: Random, decisions: int) -> None:
        self.random = starmap(rng.random, repeat((), DRAWS * decisions)).__next__


def unfinished(decisions: int) -> PlayError:
    """Why a game was broken off."""
    return PlayError("RF833", f"the game is cut: it does not end within {decisions:,} decisions")

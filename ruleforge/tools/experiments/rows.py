"""Rows of single games and decisions, as plain values."""

from __future__ import annotations

from ruleforge.engine.presentation.observation import Value
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game. What was not measured is None; so is the ending of a game that was cut off or stopped by a fault.

    `seats`, `agents`, `winners` and `scores` go by seat; several winners share a win.
    """

    game: int
    seats: tuple[str, ...]
    agents: tuple[str, ...]
    ending: str | None
    fault: str | None
    winners: tuple[str, ...]
    scores: tuple[int, ...]
    decisions: int
    violations: tuple[str, ...] = ()
    lost: bool = False  # by all
    choices: float | None = None  # in a decision, on the mean
    lead_changes: int | None = None
    drama: float | None = None
    counts: tuple[Value, ...] = ()  # what the backend was asked to count

    @property
    def cut_off(self) -> bool:
        return self.ending is None and self.fault is None

    def points(self, seat: int, can_be_lost: bool) -> float:
        """One point a game: for the winner, or shared by the winners; by all if there is none.

        Where a game can be lost by all, nobody takes it from anybody: if all win each has a point, if it is lost
        nobody has, and half a point is between the two.
        """
        name, takers = self.seats[seat], self.winners or self.seats
        if can_be_lost and len(takers) == len(self.seats):
            return 0.0 if self.lost else 1.0 if self.winners else 0.5
        return 1 / len(takers) if name in takers else 0.0


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """One decision of a game: who had how many choices, what was taken, how long that took, how the seats stood."""

    game: int
    decision: int
    player: str
    agent: str
    asked: str
    choices: int
    choice: str
    action: str | None
    standing: tuple[float, ...]
    seconds: float


@dataclass(frozen=True, slots=True, order=True)
class StoppedGame:
    """A game that did not come to an end: by which limit or fault, whom it waited for, what was chosen of late."""

    game: int
    by: str
    why: str
    player: str
    asked: str
    lately: tuple[tuple[str, int], ...]

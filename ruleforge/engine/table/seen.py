"""What a seat sees of a state: boards, places, things, values, the decision and the outcome, as frozen data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ruleforge.compiling import BoardInfo
from ruleforge.engine.outcome import Outcome
from ruleforge.engine.paths import Subject, Value


@dataclass(frozen=True, slots=True)
class SeenValue:
    """An attribute, or a formula that is shown."""

    of: Subject
    value: Value


@dataclass(frozen=True, slots=True)
class SeenThing:
    """A thing where it lies; a hidden one has no name, but what is openly marked on it can be seen."""

    name: str | None
    marks: tuple[tuple[str, Value], ...] = ()

    @property
    def hidden(self) -> bool:
        return self.name is None


@dataclass(frozen=True, slots=True)
class SeenPlace:
    """A container with all that lies in it; where things have no order, hidden ones come last."""

    of: Subject
    things: tuple[SeenThing, ...]
    single: bool  # it holds one thing at most


@dataclass(frozen=True, slots=True)
class SeenCell:
    """A cell of a board with its values and places."""

    name: str
    values: tuple[SeenValue, ...]
    places: tuple[SeenPlace, ...]

    def __iter__(self) -> Iterator[SeenValue | SeenPlace]:
        yield from self.values
        yield from self.places


@dataclass(frozen=True, slots=True)
class SeenBoard:
    """A board and what is on it; a cell of which nothing is known is not there."""

    info: BoardInfo
    cells: tuple[SeenCell, ...]


@dataclass(frozen=True, slots=True)
class SeenDecision:
    """Who is asked. Kind and prompt are None if they would tell a secret, choices if another seat decides."""

    player: str
    kind: str | None
    prompt: str | None
    choices: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Table:
    """All that one seat may know. `seat` is the player, None for the public or for one who sees everything."""

    game: str
    seat: str | None
    players: tuple[str, ...]
    values: tuple[SeenValue, ...]
    places: tuple[SeenPlace, ...]
    boards: tuple[SeenBoard, ...]
    decision: SeenDecision | None
    outcome: Outcome | None

    def __iter__(self) -> Iterator[SeenValue | SeenPlace]:
        """Everything with a path."""
        yield from self.values
        yield from self.places

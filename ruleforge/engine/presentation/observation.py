"""`Table` is a seat's observation of a state: boards, places, things, values, decision and outcome, as frozen data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, NoReturn

from ruleforge.backends.artifacts.info import BoardInfo
from ruleforge.support.records import dataclass

Value = int | bool | str | None | list[str] | list[int]
DONE = "done"  # the answer that closes a window
HIDDEN = "?"  # stands for hidden information


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a path: `spirit.ash.power[fire]` is `power` of `ash` for `fire`.

    `owner` is how the thing is written at the head of the path, `thing` its own name; all are empty without
    an owner.
    """

    path: str
    owner: str
    kind: str
    thing: str
    name: str
    index: tuple[str, ...] = ()

    @property
    def tail(self) -> str:
        """The path without its owner."""
        return f"{self.name}[{','.join(self.index)}]" if self.index else self.name


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
    """The result of a game: the reason from the rules, the winners, and the score of each player.

    Without winners the game is a draw, or all players lost it (`lost`).
    """

    reason: str
    winners: tuple[str, ...]
    scores: Mapping[str, int]
    text: str = ""
    lost: bool = False

    def __str__(self) -> str:
        won = f"{' and '.join(self.winners)} won" if self.winners else "lost" if self.lost else "draw"
        return f"{won} ({self.reason})"


@dataclass(frozen=True, slots=True)
class SeenValue:
    """An attribute, or a formula that is shown."""

    of: Subject
    value: Value


@dataclass(frozen=True, slots=True)
class SeenThing:
    """A thing at its place; a hidden one has no name, but its open marks are visible."""

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
    holds: str  # the kind of what lies in it
    ordered: bool = False  # it keeps an order


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
    """A board and its contents; a cell is missing if the seat knows nothing of it."""

    info: BoardInfo
    cells: tuple[SeenCell, ...]


@dataclass(frozen=True, slots=True)
class Filled:
    """A value in the middle of words."""

    value: Value


Hint = tuple[str | Filled, ...]  # what stands beside a choice


class SeenPart(NamedTuple):
    """A part of a choice.

    `kind` is the kind of the thing (empty: a number), `name` its word in the text, `parameter` the parameter
    that it answers. `member` says that it belongs to a set.
    """

    kind: str
    name: str
    parameter: str
    member: bool = False


@dataclass(frozen=True, slots=True)
class SeenChoice:
    """A possible choice: its text, the word before its parts, the action that it begins (if any), its parts
    and its hint.
    """

    text: str
    word: str
    action: str | None
    parts: tuple[SeenPart, ...]
    hint: Hint = ()


@dataclass(frozen=True, slots=True)
class SeenDecision:
    """The player who decides. `kind` and `prompt` are None if they would tell a secret, `offers` if another
    seat decides.
    """

    player: str
    kind: str | None
    prompt: str | None
    offers: tuple[SeenChoice, ...] | None

    @property
    def choices(self) -> tuple[str, ...] | None:
        """The texts of what may be chosen."""
        return None if self.offers is None else tuple(offer.text for offer in self.offers)


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

"""Typed descriptions of cells and log entries, so that the engine never parses names."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Literal

from ruleforge.compiler.ir.expressions import Expr
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

LOWEST, HIGHEST = -(2**31), 2**31 - 1

# --- the type of a value ---


@dataclass(frozen=True, slots=True)
class Number:
    low: int = LOWEST
    high: int = HIGHEST


@dataclass(frozen=True, slots=True)
class Flag:
    """1 is true."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing of a kind (index into Program.kinds), counted from 1; 0 is none."""

    kind: int


@dataclass(frozen=True, slots=True)
class SetOf:
    """Things of a kind, one bit each, 31 in a word. Thing 1 is the lowest bit."""

    kind: int


@dataclass(frozen=True, slots=True)
class Left:
    """The remaining values of low..high as bits, the lowest first."""

    of: Number | Flag | Thing
    low: int
    high: int

    @property
    def all(self) -> int:
        """The word in which every value is left."""
        return (1 << (self.high - self.low + 1)) - 1


@dataclass(frozen=True, slots=True)
class Container:
    """A container by its number (PlaceInfo.first); 0 is nowhere."""


ValueType = Number | Flag | Thing | SetOf | Left


# --- meanings of records ---


@dataclass(frozen=True, slots=True)
class Changed:
    """A changed attribute. The arguments are its thing, its indices, the old and the new value."""

    column: int


@dataclass(frozen=True, slots=True)
class Restarted:
    """All values of a column return to their start. It is not shown to players; observers of the cells need it."""

    column: int


@dataclass(frozen=True, slots=True)
class Moved:
    """A moved thing of a kind. The arguments are the thing, its old container, and its new container."""

    kind: int
    top: bool = False  # of a container with an order


@dataclass(frozen=True, slots=True)
class Shuffled:
    place: int


@dataclass(frozen=True, slots=True)
class ShuffledThing:
    """A thing in a container that is being shuffled; observers of the cells need it."""

    kind: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A thing shown to some players.

    The arguments are both; slot known + thing holds the players who know it.
    """

    known: int


@dataclass(frozen=True, slots=True)
class Made:
    """A thing of a pool came into the game."""

    kind: int


@dataclass(frozen=True, slots=True)
class Removed:
    """A thing of a pool left the game. It has no place, and its attributes return to their start."""

    kind: int


@dataclass(frozen=True, slots=True)
class ActionBegan:
    """The complete choice of an action.

    The first argument is the acting player, the rest are the chosen values.
    """

    action: int


@dataclass(frozen=True, slots=True)
class ActionEnded:
    """The end of an action that is not visible to all players. From here on names are visible again.

    None if no action was taken, which is not visible to all players either.
    """

    action: int | None


@dataclass(frozen=True, slots=True)
class Unsealed:
    """A secret answer takes effect. Names are visible to its player, and to all after the last answer.

    The argument is that player, or 0 after the last answer.
    """


@dataclass(frozen=True, slots=True)
class EventHappened:
    """An event of the ruleset, by its name, with its own arguments."""

    event: str


@dataclass(frozen=True, slots=True)
class EventEnded:
    """The end of an event. Later entries are not inside it."""

    event: str


@dataclass(frozen=True, slots=True)
class HiddenSource:
    """Hidden information: a column, the content of a place, the identity of a thing of a kind, or a past
    value.
    """

    form: Literal["column", "place", "thing", "past"]
    number: int


@dataclass(frozen=True, slots=True)
class TaintBegins:
    """From here on, hidden information controls whether, how often, in which order or with which values
    effects happen.

    The arguments name the owners, one for each source: the owner of a column, the container of a place, the
    thing. 0 is any. A mark of a `phase` replaces the one before and all later marks, because another round of
    it may begin.
    """

    sources: tuple[HiddenSource, ...]
    phase: str = ""


@dataclass(frozen=True, slots=True)
class TaintEnds:
    """The part that depends on hidden information is over."""


@dataclass(frozen=True, slots=True)
class RuleWaits:
    """A rule was triggered and enters the queue."""

    rule: str


@dataclass(frozen=True, slots=True)
class RuleDue:
    """A queued rule starts. TaintEnds is recorded at its end, with or without effect."""

    rule: str


@dataclass(frozen=True, slots=True)
class RuleApplied:
    """An applied rule, by its name. The argument is the thing that carries it."""

    rule: str


@dataclass(frozen=True, slots=True)
class RuleEnded:
    """The end of a rule. Without an entry since its application, it had no effect."""

    rule: str


@dataclass(frozen=True, slots=True)
class Picked:
    """An answer to a menu, by its word. The argument is the answering player."""

    word: str


@dataclass(frozen=True, slots=True)
class Rolled:
    """A die. `unseen`: its result goes into an attribute that is hidden from some player."""

    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Drawn:
    """A random pick. `unseen` has the same meaning as for a die."""

    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Usual:
    """The default answer: a site, one of its options, and as arguments the player and the parts of the
    answer.

    It is recorded when the question is asked, or when it is skipped because no other answer is possible. For
    the last parts of a choice it is recorded with the choice: once for each number of omitted parts, the
    fewest first.
    """

    site: int
    option: int


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of the game, for the reason with this index in Program.endings.

    The argument holds the winners.
    """

    ending: int


@dataclass(frozen=True, slots=True)
class Void:
    """The contract of the core suppresses an event. The arguments are those of the event."""

    event: str


@dataclass(frozen=True, slots=True)
class Breached:
    """A breach of the contract by observed packs: the value that was reached, and the limit."""

    what: str


Meaning = (
    Changed
    | Restarted
    | Moved
    | Shuffled
    | ShuffledThing
    | Shown
    | Made
    | Removed
    | ActionBegan
    | ActionEnded
    | Unsealed
    | EventHappened
    | EventEnded
    | TaintBegins
    | TaintEnds
    | RuleWaits
    | RuleDue
    | RuleApplied
    | RuleEnded
    | Picked
    | Rolled
    | Drawn
    | Usual
    | Finished
    | Void
    | Breached
)


@dataclass(frozen=True, slots=True)
class Argument:
    """A value of a record: its label, its type, and its number of words. Only a set takes several."""

    label: str
    type: ValueType | Container
    words: int = 1
    hidden: bool = False  # of a value that is no thing: some player may not know it


@dataclass(frozen=True, slots=True)
class NoteInfo:
    """A record of a step.

    `name` is for people (`set cell.disc`, `move card`, `event damage`), `means` for programs.
    """

    name: str
    means: Meaning
    arguments: tuple[Argument, ...]
    span: Span
    clauses: tuple[str, ...] = ()
    sees: str | None = (
        None  # function (viewer, first argument) that gives 1 if the viewer sees it; None: all do
    )

    def values(self, words: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """The words of a record, argument by argument."""
        ends = tuple(accumulate(argument.words for argument in self.arguments))
        return tuple(
            tuple(words[end - argument.words : end])
            for end, argument in zip(ends, self.arguments, strict=True)
        )


# --- ways to draw a candidate ---


@dataclass(frozen=True, slots=True)
class DrawScan:
    """One of the things 1..size whose slot base + thing holds a value."""

    base: int
    size: int
    value: Expr


@dataclass(frozen=True, slots=True)
class DrawEach:
    """One of the numbers of a relation for a key."""

    relation: int
    key: Expr


@dataclass(frozen=True, slots=True)
class DrawRange:
    low: int
    high: int


Draw = DrawScan | DrawEach | DrawRange

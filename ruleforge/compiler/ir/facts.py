"""Typed descriptions of cells and log entries, so the engine never parses names."""

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
    """Things of a kind, a bit each, 31 in a word; thing 1 is the lowest bit."""

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


# --- what a record tells ---


@dataclass(frozen=True, slots=True)
class Changed:
    """An attribute: arguments are its thing, its indices, the old and the new value."""

    column: int


@dataclass(frozen=True, slots=True)
class Restarted:
    """All values of a column return to their start. It is not shown to players; observers of the cells need it."""

    column: int


@dataclass(frozen=True, slots=True)
class Moved:
    """A thing of a kind: arguments are the thing, the container it was in, the one it comes to."""

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
    """A thing to some players: arguments are both; slot known + thing keeps who was shown it."""

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
    """All is chosen that an action asks for: the first argument is who acts, the rest is what was chosen."""

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
    """An event of the ruleset, by its name; arguments are its own."""

    event: str


@dataclass(frozen=True, slots=True)
class EventEnded:
    """The end of an event. Later entries are not inside it."""

    event: str


@dataclass(frozen=True, slots=True)
class HiddenSource:
    """Hidden information: a column, the content of a place, which thing of a kind it is, or a value of the past."""

    form: Literal["column", "place", "thing", "past"]
    number: int


@dataclass(frozen=True, slots=True)
class TaintBegins:
    """From here on hidden information decides whether, how often, in which order or with what something is done.

    The arguments say whose, one for each source: the owner of a column, the container of a place, the thing; 0 is
    any. A mark of a `phase` takes the place of the one before, and of all marks since: another round of it may begin.
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
    """A rule, by its name; the argument is the thing that carries it."""

    rule: str


@dataclass(frozen=True, slots=True)
class RuleEnded:
    """The rule has done all it does; if nothing was recorded since it was applied, it came to nothing."""

    rule: str


@dataclass(frozen=True, slots=True)
class Picked:
    """An answer to a menu, by its word; the argument is who gave it."""

    word: str


@dataclass(frozen=True, slots=True)
class Rolled:
    """A die; `unseen` if its result goes into an attribute that is hidden from some player."""

    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Drawn:
    """A random pick; `unseen` as of a die."""

    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Usual:
    """The usual answer: a site, one of its options; who answers and the parts of the answer as arguments.

    Recorded when the question is asked, or where it is not because nothing else could be answered; for the
    last parts of a choice when it is made, once for each number of parts that can be left out, the fewest first.
    """

    site: int
    option: int


@dataclass(frozen=True, slots=True)
class Finished:
    """The game, for the reason with this index in Program.endings; the argument is who won."""

    ending: int


@dataclass(frozen=True, slots=True)
class Void:
    """An event does not happen, for the contract of the core keeps it back; the arguments are those of the event."""

    event: str


@dataclass(frozen=True, slots=True)
class Breached:
    """Packs that are only observed break the contract: what was reached, and what the limit is."""

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
    """A value of a record: what it is called, how it is read, and how many words it takes; only a set takes several."""

    label: str
    type: ValueType | Container
    words: int = 1
    hidden: bool = False  # of a value that is no thing: not everybody may know it


@dataclass(frozen=True, slots=True)
class NoteInfo:
    """A record of a step: `name` is for people (`set cell.disc`, `move card`, `event damage`), `means` for programs."""

    name: str
    means: Meaning
    arguments: tuple[Argument, ...]
    span: Span
    clauses: tuple[str, ...] = ()
    sees: str | None = None  # function (viewer, first argument) -> may the viewer be told; None: all are

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
    """One of the numbers a relation has for a key."""

    relation: int
    key: Expr


@dataclass(frozen=True, slots=True)
class DrawRange:
    low: int
    high: int


Draw = DrawScan | DrawEach | DrawRange

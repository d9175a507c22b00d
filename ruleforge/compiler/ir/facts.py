"""What words and records mean: the typed facts by which the engine reads a row, so that it never parses a name."""

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
    """Which of the values low..high are left, a bit each, the lowest first."""

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
    """All values of a column are as in the beginning again; nobody is told, but whoever follows the row must know."""

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
    """A thing of a kind, below the others of its container, while that is shuffled; for whoever follows the row."""

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
    """A thing of a pool left the game: it lies nowhere, and its attributes are as in the beginning."""

    kind: int


@dataclass(frozen=True, slots=True)
class ActionBegan:
    """All is chosen that an action asks for: the first argument is who acts, the rest is what was chosen."""

    action: int


@dataclass(frozen=True, slots=True)
class ActionEnded:
    """Of an action that not everybody is told of: from here on names are told again.

    None where none was taken, of which not everybody is told either.
    """

    action: int | None


@dataclass(frozen=True, slots=True)
class Unsealed:
    """A sealed answer is acted on: names are told to the one who gave it, and again to all when nobody's is left.

    The argument is who gave it, 0 when all of them were acted on.
    """


@dataclass(frozen=True, slots=True)
class EventHappened:
    """An event of the ruleset, by its name; arguments are its own."""

    event: str


@dataclass(frozen=True, slots=True)
class EventEnded:
    """What is recorded from here on does not happen inside the event any more."""

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
    """A rule was set off, and is put among those that wait."""

    rule: str


@dataclass(frozen=True, slots=True)
class RuleDue:
    """The turn of a rule that waited has come; TaintEnds is recorded when it is over, whatever came of it."""

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
    """A die; `unseen` where its result is for an attribute that not everybody sees."""

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

"""Statements: structured control flow over locals and slots of the row."""

from __future__ import annotations

from dataclasses import field

from ruleforge.compiler.ir.expressions import NOTHING, Expr
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the rules, with its definition (`event damage`)."""

    span: Span
    definition: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A statement with its source: `place` is an index into Lowered.written, 0 if it is not yet known.

    Statements that differ only in `place` are equal: passes may join them, and keep one of the places.
    """

    place: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Set(Placed):
    """Assign a local; the first assignment declares it."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Store(Placed):
    """Write slot `base + index`.

    For a slot of an indexed column with an index that is not constant, `base` is exactly ColumnInfo.base.
    """

    base: int
    index: Expr | None
    value: Expr


@dataclass(frozen=True, slots=True)
class NewArray(Placed):
    """Declare an array local of `size` zeros."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class SetElement(Placed):
    array: str
    index: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class If(Placed):
    test: Expr
    then: Body
    other: Body = ()


@dataclass(frozen=True, slots=True)
class While(Placed):
    """`most`: the most iterations, if known. `asks`: every iteration asks a player, adds a link, or is the last."""

    test: Expr
    body: Body
    most: int | None = None
    asks: bool = False


@dataclass(frozen=True, slots=True)
class ForRange(Placed):
    """`low` to `high`, both included, both evaluated once. `most` bounds the iterations if more is known."""

    name: str
    low: Expr
    high: Expr
    body: Body
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Each(Placed):
    """The rows of relation[key] in order; each row binds all `names` (one name: rows are plain numbers)."""

    names: tuple[str, ...]
    relation: int
    key: Expr
    body: Body


@dataclass(frozen=True, slots=True)
class Scan(Placed):
    """Ascending i in 1..size with slot `base + i` equal to `value` (evaluated once).

    The members are those at entry if `frozen`, else the body does not write slots base+1..base+size.
    A backend may answer it from an index kept beside the row.
    """

    name: str
    base: int
    size: int
    value: Expr
    body: Body
    frozen: bool = False


@dataclass(frozen=True, slots=True)
class Break(Placed):
    """Leave the innermost loop."""


@dataclass(frozen=True, slots=True)
class Return(Placed):
    value: Expr = NOTHING


@dataclass(frozen=True, slots=True)
class Perform(Placed):
    """Call a function for its effects; `into` receives the result. It may pause or finish the game,
    which is known from its Function; the passes take care of both."""

    function: str
    arguments: tuple[Expr, ...]
    into: str | None = None


@dataclass(frozen=True, slots=True)
class Offer(Placed):
    """In an enumerator: add `code` to the list of choices."""

    code: Expr


@dataclass(frozen=True, slots=True)
class Ask(Placed):
    """Wait for `who` to choose at a site; `into` receives the code, -1 if there was no choice.

    `arguments` are the values for the enumerator of the site. They are locals or constants.
    """

    site: int
    who: Expr
    arguments: tuple[Expr, ...]
    into: str


@dataclass(frozen=True, slots=True)
class Random(Placed):
    """A uniform number in 0..bound-1 from the state's generator (bound >= 1).

    `told`: it is a die or a pick with a log entry; otherwise a step of a shuffle.
    """

    into: str
    bound: Expr
    is_reported: bool = False


@dataclass(frozen=True, slots=True)
class Finish(Placed):
    """Set OUTCOME and WINNERS and leave everything at once."""

    ending: int
    winners: Expr


@dataclass(frozen=True, slots=True)
class Trap(Placed):
    """Stop: the choice is rolled back whole. `fault` is an index into Program.faults."""

    fault: int


@dataclass(frozen=True, slots=True)
class Link(Placed):
    """One more link of a chain of effects; beyond Program.chain it traps with the fault RUNAWAY.

    `idle`: nothing happened except a question without choices.
    """

    idle: bool = False


@dataclass(frozen=True, slots=True)
class Spend(Placed):
    """Account for `work` steps before they run. Trap beyond Program.work. Each place has its own fault.

    In a chain of effects of length LONG or more the fault is RUNAWAY.
    """

    work: int
    fault: int


@dataclass(frozen=True, slots=True)
class Note(Placed):
    """An event record: kind is an index into Program.notes; nothing unless events are recorded."""

    note: int
    arguments: tuple[Expr, ...]


Statement = (
    Set
    | Store
    | NewArray
    | SetElement
    | If
    | While
    | ForRange
    | Each
    | Scan
    | Break
    | Return
    | Perform
    | Offer
    | Ask
    | Random
    | Finish
    | Trap
    | Link
    | Spend
    | Note
)
Body = tuple[Statement, ...]

"""Typed expressions: names are resolved, every one has a type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker.types import FLAG, Type
from ruleforge.support.diagnostics import NOWHERE, Span
from ruleforge.support.records import dataclass

if TYPE_CHECKING:
    from ruleforge.lang.checker.typed.declarations import (
        Column,
        Event,
        Formula,
        Kind,
        Option,
        Place,
        Position,
        Variable,
    )


@dataclass(frozen=True, eq=False)
class Expr:
    span: Span
    type: Type


@dataclass(frozen=True, eq=False)
class Constant(Expr):
    """A number, 0/1 for a flag, the id of a thing, 0 for none."""

    value: int


@dataclass(frozen=True, eq=False)
class OptionValue(Expr):
    option: Option


@dataclass(frozen=True, eq=False)
class Use(Expr):
    """The value of a local."""

    variable: Variable


@dataclass(frozen=True, eq=False)
class Opponent(Expr):
    of: Expr


@dataclass(frozen=True, eq=False)
class Read(Expr):
    """A fact or attribute of a thing."""

    column: Column
    of: Expr
    index: tuple[Expr, ...] = ()


@dataclass(frozen=True, eq=False)
class Whereabouts(Expr):
    """The index of the place of a thing: `card.holder`; 0 if it is in none of `places`.

    Each of these places has an index of that name, at its own position.
    """

    places: tuple[Place, ...]
    index: str
    of: Expr


@dataclass(frozen=True, eq=False)
class Content(Expr):
    """The content of one container: a set, or a thing or none if it holds at most one."""

    place: Place
    index: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class Family(Expr):
    """The contents of all containers of a place."""

    place: Place


@dataclass(frozen=True, eq=False)
class All(Expr):
    kind: Kind


@dataclass(frozen=True, eq=False)
class Interval(Expr):
    """`low..high`"""

    low: Expr
    high: Expr


@dataclass(frozen=True, eq=False)
class Builtin(Expr):
    """A built-in function; `kind` is the grid it works on, where that matters."""

    name: str
    arguments: tuple[Expr, ...]
    kind: Kind | None = None


@dataclass(frozen=True, eq=False)
class CallFormula(Expr):
    formula: Formula
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class Arithmetic(Expr):
    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, eq=False)
class Negative(Expr):
    value: Expr


@dataclass(frozen=True, eq=False)
class Compare(Expr):
    """`op`: == != < <= > >= on numbers, flags, things or small sets."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, eq=False)
class In(Expr):
    element: Expr
    source: Expr


@dataclass(frozen=True, eq=False)
class Not(Expr):
    value: Expr


@dataclass(frozen=True, eq=False)
class Logic(Expr):
    """`and` / `or`"""

    op: str
    parts: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class Conditional(Expr):
    test: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, eq=False)
class SetOf(Expr):
    members: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class Binder:
    span: Span
    variable: Variable
    source: Expr
    until: Expr | None = None
    where: Expr | None = None
    by: tuple[Expr, ...] = ()
    usual: Expr | None = None  # of a choice: the answer of a text that leaves it out
    question: str = ""  # of a choice: the words in which it is asked for


@dataclass(frozen=True, eq=False)
class Selection(Expr):
    binder: Binder


@dataclass(frozen=True, eq=False)
class Aggregate(Expr):
    op: str
    binder: Binder
    value: Expr | None = None


@dataclass(frozen=True, eq=False)
class KeywordsOf(Expr):
    """The keywords a thing has: printed on it, and given to it."""

    of: Expr


@dataclass(frozen=True, eq=False)
class Sure(Expr):
    """A thing that a loop's `where` found present; earlier rounds may have changed that, so play looks again."""

    value: Expr


@dataclass(frozen=True, eq=False)
class Active(Expr):
    """The player whose turn it is: the innermost `me` of the flow."""


@dataclass(frozen=True, eq=False)
class AtPlace(Expr):
    """Is a container number that of one container, or of any in a family? (in patterns of moves)"""

    number: Expr
    place: Expr


@dataclass(frozen=True, eq=False)
class Can(Expr):
    """Could this event happen: its needs hold and nothing forbids it."""

    event: Event
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class Would(Expr):
    """The value of an expression after an event, by speculative execution."""

    event: Event
    arguments: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, eq=False)
class CanAct(Expr):
    """Has a player a choice: of all that is offered in a phase or window, or of one action.

    Actions are known by name, for they may ask in turn: see `checker/offered_choices.py`.
    """

    who: Expr
    name: str
    is_action: bool
    arguments: tuple[Expr, ...]  # what the window is opened with


@dataclass(frozen=True, eq=False)
class Repeats(Expr):
    """The number of remembered positions that equal the present one."""

    position: Position


@dataclass(frozen=True, eq=False)
class Reached(Expr):
    """The bound cells to which a path of bound cells leads from the start, across bound edges if any are."""

    start: Expr
    binder: Binder
    across: Binder | None


@dataclass(frozen=True, eq=False)
class Linked(Reached):
    """A test for a path to a goal."""

    goal: Expr


TRUE = Constant(NOWHERE, FLAG, 1)

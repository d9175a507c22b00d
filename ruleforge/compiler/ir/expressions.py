"""Expressions: every value is a signed 32-bit integer, truth is 0 or 1."""

from __future__ import annotations

from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class Const:
    value: int


@dataclass(frozen=True, slots=True)
class Local:
    name: str


@dataclass(frozen=True, slots=True)
class Load:
    """Slot `base + index` of the row; `index` None means the constant slot `base`."""

    base: int
    index: Expr | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Entry `index` of a constant vector of the program."""

    table: int
    index: Expr


@dataclass(frozen=True, slots=True)
class Element:
    """Entry `index` of an array local."""

    array: str
    index: Expr


@dataclass(frozen=True, slots=True)
class Binary:
    """`op`: + - * // % & | ^ << >> min max; == != < <= > >= give 0 or 1. Division rounds down.

    `checked`: the result may leave 32 bits and must then trap with OVERFLOW.
    """

    op: str
    left: Expr
    right: Expr
    checked: bool = False


@dataclass(frozen=True, slots=True)
class Negate:
    value: Expr


@dataclass(frozen=True, slots=True)
class LogicNot:
    value: Expr


@dataclass(frozen=True, slots=True)
class Logic:
    """Short-circuit `and` / `or` of two or more 0/1 values."""

    op: str
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Select:
    """`then` if `test` else `other`; only the taken side is evaluated."""

    test: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class CallExpr:
    """A function that neither pauses nor finishes the game."""

    function: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """1 if `value` is among the rows of relation[key] (arity 1), else 0."""

    relation: int
    key: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of a function on a copy of the state vector, which is not changed. A trap gives -1."""

    function: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Connected:
    """1 if neighbours lead from `start` to a cell in goal[key], else 0.

    Neighbours are those of the relation `near` with slot `base + cell` equal to `value`; `start` is one of
    them. Cells are 1..size. A backend may keep the groups beside the row.
    """

    base: int
    size: int
    near: int
    start: Expr
    value: Expr
    goal: int
    key: Expr


Expr = (
    Const
    | Local
    | Load
    | Table
    | Element
    | Binary
    | Negate
    | LogicNot
    | Logic
    | Select
    | CallExpr
    | Member
    | Trial
    | Connected
)

NOTHING = Const(0)

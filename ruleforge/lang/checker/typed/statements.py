"""Typed statements: the parts of effects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

if TYPE_CHECKING:
    from ruleforge.lang.checker.typed.declarations import (
        Column,
        Ending,
        Event,
        Kind,
        Place,
        Position,
        Variable,
        Window,
    )
    from ruleforge.lang.checker.typed.expressions import Binder, Expr, Read


@dataclass(frozen=True, eq=False)
class Statement:
    span: Span


@dataclass(frozen=True, eq=False)
class Assign(Statement):
    """Set a local, declared by its first assignment."""

    variable: Variable
    value: Expr


@dataclass(frozen=True, eq=False)
class Store(Statement):
    """Write an attribute; `add` adds the value to the present one."""

    column: Column
    of: Expr
    index: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, eq=False)
class Overwrite(Statement):
    """An attempt to change a fact or a number. It is a mistake, kept for the contract check of packs.

    `what` are its names, the most specific first.
    """

    what: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Roll(Statement):
    """`number` dice of low..low+sides-1, summed, into a local."""

    variable: Variable
    number: int
    low: Expr
    high: Expr


@dataclass(frozen=True, eq=False)
class RandomPick(Statement):
    variable: Variable
    binder: Binder


@dataclass(frozen=True, eq=False)
class Perform(Statement):
    event: Event
    arguments: tuple[Expr, ...]
    into: Variable | None = None


@dataclass(frozen=True, eq=False)
class Move(Statement):
    thing: Expr
    place: Place
    index: tuple[Expr, ...]
    top: bool = False


@dataclass(frozen=True, eq=False)
class Shuffle(Statement):
    place: Place
    index: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class Finish(Statement):
    ending: Ending
    winners: Expr | None


@dataclass(frozen=True, eq=False)
class Return(Statement):
    value: Expr | None


@dataclass(frozen=True, eq=False)
class Remember(Statement):
    """Remember the present position, so that later positions can be compared with it."""

    position: Position


@dataclass(frozen=True, eq=False)
class Forget(Statement):
    """No position of before is known any more."""

    position: Position


@dataclass(frozen=True, eq=False)
class Leave(Statement):
    """The phase ends as soon as the effect under way is over."""

    phase: str


@dataclass(frozen=True, eq=False)
class If(Statement):
    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block | None


@dataclass(frozen=True, eq=False)
class For(Statement):
    binder: Binder
    body: Block


@dataclass(frozen=True, eq=False)
class Repeat(Statement):
    times: Expr
    condition: Expr | None
    body: Block


@dataclass(frozen=True, eq=False)
class Several:
    """A set as a choice, taken one by one: `chosen` is the set, `such` must hold of it in the end."""

    span: Span
    chosen: Variable
    binder: Binder
    least: Expr
    most: Expr | None
    such: Expr | None
    size: int | None = None  # where the rules fix it
    question: str = ""  # the words in which it is asked for


@dataclass(frozen=True, eq=False)
class Choose(Statement):
    who: Expr
    optional: bool
    binders: tuple[Binder | Several, ...]
    body: Block
    otherwise: Block | None
    openly: bool = False  # others may know whether there was something to choose


@dataclass(frozen=True, eq=False)
class Pick(Statement):
    """A menu: each option has a word, an optional condition and an effect."""

    who: Expr
    options: tuple[tuple[str, Expr | None, Block], ...]
    openly: bool = False
    question: str = ""


@dataclass(frozen=True, eq=False)
class Sealed(Statement):
    """Every bound player chooses unseen; then the body runs for each in turn."""

    each: Binder
    binders: tuple[Binder | Several, ...]  # answered at once; sets have a fixed size
    body: Block


@dataclass(frozen=True, eq=False)
class Together(Statement):
    body: Block


@dataclass(frozen=True, eq=False)
class Pay(Statement):
    """An amount from one pool, or split by the payer between several."""

    who: Expr
    amount: Expr
    pools: tuple[Read, ...]
    purses: tuple[str, ...]  # what each pool is called where its share is asked for


@dataclass(frozen=True, eq=False)
class Proceed(Statement):
    """Run the replaced event, with these arguments."""

    arguments: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class New(Statement):
    variable: Variable | None
    kind: Kind
    given: tuple[tuple[Column, Expr], ...]
    among: tuple[int, int]  # the first and the last thing that can be made


@dataclass(frozen=True, eq=False)
class Remove(Statement):
    thing: Expr


@dataclass(frozen=True, eq=False)
class Show(Statement):
    """Let players know a thing, or all things of a set."""

    what: Expr
    to: Expr


@dataclass(frozen=True, eq=False)
class Tell(Show):
    """Show players a part of a thing: the value of a fact, or the result of a test.

    `test` is about `value`, the value of the fact.
    """

    fact: Read
    value: Variable
    test: Expr | None = None


@dataclass(frozen=True, eq=False)
class Offer(Statement):
    window: Window
    arguments: tuple[Expr, ...]
    to: Expr


@dataclass(frozen=True, eq=False)
class Block:
    span: Span
    statements: tuple[Statement, ...]

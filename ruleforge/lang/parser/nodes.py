"""The syntax tree of the effect language: frozen nodes, each with its span."""

from __future__ import annotations

from dataclasses import field

from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class Node:
    """Spans do not count in comparisons, so that a printed and re-read tree is equal to the first."""

    span: Span = field(compare=False, repr=False)


# --- expressions ---


@dataclass(frozen=True, slots=True)
class Number(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Bool(Node):
    value: bool


@dataclass(frozen=True, slots=True)
class NoneLiteral(Node):
    pass


@dataclass(frozen=True, slots=True)
class Name(Node):
    id: str


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    """`of.name`, or with further indices `of.name[i, j]`."""

    of: Expr
    name: str
    index: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Call(Node):
    name: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Negative(Node):
    value: Expr


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    """`op` is one of `+ - * // %` on numbers, `| &` and `-` on sets."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Comparison(Node):
    """A chain `first op second op third ...`; ops: is, is not, in, not in, has, <, <=, >, >=."""

    first: Expr
    rest: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, slots=True)
class Not(Node):
    value: Expr


@dataclass(frozen=True, slots=True)
class And(Node):
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Or(Node):
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    """`then if test else other`"""

    then: Expr
    test: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class SetLiteral(Node):
    """`[a, b]`: a set; members that are none are left out."""

    members: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Entry(Node):
    """`wood: 2` in a table."""

    key: Name
    value: Expr


@dataclass(frozen=True, slots=True)
class Table(Node):
    """`{wood: 2, clay: 1}`: the values of a fact `per` something."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Range(Node):
    """`low..high`, both included."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Binder(Node):
    """`name in source [until stop] [where condition] [by key [then key]...]`; also `[usually answer] ["question"]`"""

    name: str
    source: Expr
    until: Expr | None = None
    where: Expr | None = None
    by: tuple[Expr, ...] = ()
    usual: Expr | None = None
    question: str = ""


@dataclass(frozen=True, slots=True)
class Selection(Node):
    """`{binder}`: the set of all that match."""

    binder: Binder


@dataclass(frozen=True, slots=True)
class Gathering(Node):
    """`{value for binder}`: all that the values come to, each a thing or a set of things."""

    value: Expr
    binder: Binder


@dataclass(frozen=True, slots=True)
class Aggregate(Node):
    """`count any first best (binder)` with value None; `sum all min max (value for binder)`."""

    op: str
    binder: Binder
    value: Expr | None = None


@dataclass(frozen=True, slots=True)
class Nth(Node):
    """`things[number]`: one thing of a set by its number, counted from 1."""

    of: Expr
    number: Expr


@dataclass(frozen=True, slots=True)
class Reached(Node):
    """`reached(start, binder)`: the bound things to which a path of bound things leads from start.

    With `across` it may only cross edges that are bound there.
    """

    start: Expr
    binder: Binder
    across: Binder | None = None


@dataclass(frozen=True, slots=True)
class Linked(Node):
    """`linked(start, goal, binder)`: does a path of bound things lead from start to goal."""

    start: Expr
    goal: Expr
    binder: Binder
    across: Binder | None = None


@dataclass(frozen=True, slots=True)
class Can(Node):
    """`can(event(arguments))`: would the event be allowed now."""

    call: Call


@dataclass(frozen=True, slots=True)
class Would(Node):
    """`would(event(arguments): value)`: the value after the event, which is then taken back."""

    call: Call
    value: Expr


Expr = (
    Number
    | Bool
    | NoneLiteral
    | Name
    | Attribute
    | Call
    | Negative
    | Arithmetic
    | Comparison
    | Not
    | And
    | Or
    | Conditional
    | SetLiteral
    | Table
    | Range
    | Selection
    | Gathering
    | Aggregate
    | Nth
    | Linked
    | Reached
    | Can
    | Would
)

# --- chance: only at the right of `let` and `=` ---


@dataclass(frozen=True, slots=True)
class RollDice(Node):
    """`roll 3d6`: the sum of `number` dice of `sides`."""

    number: int
    sides: int


@dataclass(frozen=True, slots=True)
class RollRange(Node):
    """`roll low..high`"""

    range: Range


@dataclass(frozen=True, slots=True)
class RandomPick(Node):
    """`random(binder)`: one of the matching things, all equally likely; none if there is none."""

    binder: Binder


@dataclass(frozen=True, slots=True)
class New(Node):
    """`new kind(attribute = value, ..)`: a thing from the pool of its kind; also a statement by itself."""

    kind: str
    given: tuple[tuple[str, Expr], ...] = ()


Value = Expr | RollDice | RollRange | RandomPick | New

# --- statements ---


@dataclass(frozen=True, slots=True)
class Let(Node):
    """`let name [: type] = value`"""

    name: str
    value: Value
    type: Type | None = None


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """`op` is `=`, `+=` or `-=`; the target is an Attribute or the Name of a local."""

    target: Expr
    op: str
    value: Value


@dataclass(frozen=True, slots=True)
class Do(Node):
    """An event called for its effect."""

    call: Call


@dataclass(frozen=True, slots=True)
class Move(Node):
    """`move thing to place [at top | at bottom]`"""

    thing: Expr
    to: Expr
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Shuffle(Node):
    place: Expr


@dataclass(frozen=True, slots=True)
class Finish(Node):
    """`finish ending [for winners]`: the game ends at once."""

    ending: str
    winners: Expr | None = None


@dataclass(frozen=True, slots=True)
class Return(Node):
    value: Expr | None = None


@dataclass(frozen=True, slots=True)
class Remember(Node):
    """`remember board`: store the present position, so that later positions can be compared with it."""

    position: str


@dataclass(frozen=True, slots=True)
class Forget(Node):
    """`forget board`: no position of before is known any more."""

    position: str


@dataclass(frozen=True, slots=True)
class Leave(Node):
    """`leave phase`: end the innermost running phase of that name after this block."""

    phase: str


@dataclass(frozen=True, slots=True)
class Skip(Node):
    pass


@dataclass(frozen=True, slots=True)
class If(Node):
    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block | None = None


@dataclass(frozen=True, slots=True)
class For(Node):
    """`for x in ..:` for each member; `for one x in ..:` the first, if there is one, `for random x in ..:` any."""

    binder: Binder
    body: Block
    one: bool = False
    random: bool = False


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    """`repeat times [while condition]:`"""

    times: Expr
    condition: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class Several(Node):
    """A set as a choice; `how` is `up to`, `exactly` (both with a number) or `any number of`."""

    how: str
    number: Expr | None
    binder: Binder
    such: Expr | None = None
    question: str = ""


@dataclass(frozen=True, slots=True)
class Choose(Node):
    """`who chooses a in ..., b in ...:` or `who may choose ...:`, with `else:` when nothing was chosen."""

    who: Expr
    optional: bool
    binders: tuple[Binder | Several, ...]
    body: Block
    otherwise: Block | None = None
    openly: bool = False


@dataclass(frozen=True, slots=True)
class PickOption(Node):
    """`name [if condition]:` inside `picks`."""

    name: str
    condition: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class Picks(Node):
    """`who picks ["question"]:` a menu of named options."""

    who: Expr
    options: tuple[PickOption, ...]
    openly: bool = False
    question: str = ""


@dataclass(frozen=True, slots=True)
class Sealed(Node):
    """`each player in .. secretly chooses ..:` all choose unseen, then the body runs for each in turn."""

    each: Binder
    binders: tuple[Binder | Several, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class Together(Node):
    """`together:` one step, though written as several."""

    body: Block


@dataclass(frozen=True, slots=True)
class Pay(Node):
    """`pay amount from pool [or pool]...`"""

    amount: Expr
    pools: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Proceed(Node):
    """`proceed [with name = value, ...]`: run the replaced event, perhaps with other arguments."""

    changed: tuple[tuple[str, Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class Remove(Node):
    """`remove thing`: back to the pool of its kind."""

    thing: Expr


@dataclass(frozen=True, slots=True)
class Show(Node):
    """`show what to whom`"""

    what: Expr
    to: Expr


@dataclass(frozen=True, slots=True)
class Offer(Node):
    """`offer window(arguments) to whom`"""

    window: Call
    to: Expr


Statement = (
    Let
    | Assign
    | Do
    | Move
    | Shuffle
    | Finish
    | Return
    | Leave
    | Remember
    | Forget
    | Skip
    | If
    | For
    | Repeat
    | Choose
    | Picks
    | Sealed
    | Together
    | Pay
    | Proceed
    | Remove
    | Show
    | Offer
    | New
)


@dataclass(frozen=True, slots=True)
class Block(Node):
    statements: tuple[Statement, ...]


# --- types ---


@dataclass(frozen=True, slots=True)
class NumberType(Node):
    """`low..high`; both are constant expressions."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class FlagType(Node):
    pass


@dataclass(frozen=True, slots=True)
class KindType(Node):
    kind: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class SetType(Node):
    """`set of kind`"""

    kind: str


Type = NumberType | FlagType | KindType | SetType


@dataclass(frozen=True, slots=True)
class ColumnType(Node):
    """`type [per kind [per kind]...] [= start]`"""

    type: Type
    per: tuple[str, ...] = ()
    start: Expr | None = None


# --- patterns: what a rule waits for ---


@dataclass(frozen=True, slots=True)
class EventPattern(Node):
    """`event(a, b)`"""

    call: Call


@dataclass(frozen=True, slots=True)
class ChangePattern(Node):
    """`set thing.attribute`: the attribute is given a value."""

    target: Attribute


@dataclass(frozen=True, slots=True)
class MovePattern(Node):
    """`move thing [from place] [to place]`"""

    thing: str
    source: Expr | None = None
    to: Expr | None = None


@dataclass(frozen=True, slots=True)
class PhasePattern(Node):
    """`start of phase` or `end of phase`."""

    edge: str
    phase: str


Pattern = EventPattern | ChangePattern | MovePattern | PhasePattern

"""Checked rules: the same tree with names resolved, a type on every expression, and nothing left to look up."""

from __future__ import annotations

from dataclasses import dataclass, field

from ruleforge.check.types import FLAG, Type
from ruleforge.diagnostics import NOWHERE, Span

# --- what is declared ---


@dataclass(eq=False)
class Kind:
    """A finite set of things; thing 0 is none, the others are numbered from 1."""

    name: str
    plural: str
    things: list[str]
    span: Span
    titles: dict[str, str] = field(default_factory=dict)
    seats: bool = False
    pool: bool = False
    lasts: Pattern | None = None
    controller: About | None = None
    works: About | None = None
    trigger_order: About | None = None

    @property
    def size(self) -> int:
        return len(self.things)


@dataclass(eq=False)
class About:
    """An expression about one thing, which it calls `self`."""

    this: Variable
    value: Expr


@dataclass(eq=False)
class Column:
    """A fact (constant, with its values) or an attribute (stored)."""

    name: str
    kind: Kind
    type: Type
    span: Span
    per: tuple[Kind, ...] = ()
    constant: bool = False
    values: list[int | tuple[int, ...]] = field(default_factory=list)  # of facts: entry i for thing i + 1
    start: Expr | None = None
    sees: Visibility | None = None
    resets: str | None = None
    capped: bool = False
    text: str = ""
    clauses: tuple[str, ...] = ()


@dataclass(eq=False)
class Place:
    name: str
    of: tuple[tuple[str, Kind], ...]
    holds: Kind
    max: Expr | None
    ordered: bool
    span: Span
    single: bool = False
    sees: Visibility | None = None
    starts: Expr | None = None
    text: str = ""
    clauses: tuple[str, ...] = ()


@dataclass(eq=False)
class Visibility:
    """Who may see: an expression over the viewer, the thing and the indices of its place."""

    viewer: Variable
    thing: Variable
    index: tuple[Variable, ...]
    test: Expr


@dataclass(eq=False)
class Variable:
    """A local name; identity is what counts, two variables may share a name."""

    name: str
    type: Type
    span: Span = NOWHERE
    number: int = 0


@dataclass(eq=False)
class Formula:
    name: str
    parameters: tuple[Variable, ...]
    span: Span
    result: Type
    body: Expr | None = None
    clauses: tuple[str, ...] = ()
    sees: Visibility | None = None
    text: str = ""
    open: bool = False
    each: tuple[int, int] | None = None
    sum: tuple[int, int] | None = None
    clamp: tuple[int, int] | None = None


@dataclass(eq=False)
class Event:
    name: str
    parameters: tuple[Variable, ...]
    span: Span
    result: Type
    needs: tuple[Expr, ...] = ()
    body: Block | None = None
    clauses: tuple[str, ...] = ()
    together: bool = False
    open: bool = False


@dataclass(eq=False)
class Keyword:
    """A bundle of rules and actions; `number` is its position among all keywords, from 1."""

    name: str
    number: int
    kind: Kind
    text: str
    span: Span
    parameters: tuple[Variable, ...] = ()
    columns: tuple[Column, ...] = ()
    works: About | None = None
    clauses: tuple[str, ...] = ()


@dataclass(eq=False)
class Carrier:
    """Who carries a rule or action: the named things, those that have a keyword, or all of a kind."""

    kind: Kind
    this: Variable
    me: Variable | None
    things: tuple[int, ...] | None = None
    keyword: Keyword | None = None
    works: Expr | None = None
    given: tuple[tuple[Variable, Expr], ...] = ()


@dataclass(eq=False)
class Pattern:
    """What a rule waits for. `subject` is an Event, a Column, a Kind (a move of such a thing), a Formula, or a
    phase as ("start" | "end", name); `parameters` are bound to its values, `tests` must hold of them."""

    span: Span
    subject: Event | Column | Kind | Formula | tuple[str, str]
    parameters: tuple[Variable, ...] = ()
    tests: tuple[Expr, ...] = ()


@dataclass(eq=False)
class Limit:
    """At most `count` uses per phase (or `game`), counted in a column of players, of carriers, or of the game."""

    count: int
    per: str
    counter: Column


@dataclass(eq=False)
class Rule:
    name: str
    form: str  # after, instead, forbid, modify, always
    span: Span
    carrier: Carrier | None
    pattern: Pattern | None = None
    binder: Binder | None = None
    when: Expr | None = None
    before: tuple[tuple[Variable, Expr], ...] = ()
    may: bool = False
    who: Expr | None = None
    limit: Limit | None = None
    cost: Block | None = None
    body: Block | None = None
    op: str = ""
    amount: Expr | None = None
    text: str = ""
    clauses: tuple[str, ...] = ()


@dataclass(eq=False)
class Window:
    """An occasion for actions, opened by an effect."""

    name: str
    parameters: tuple[Variable, ...]
    mode: str
    span: Span
    title: str = ""
    clauses: tuple[str, ...] = ()
    open: bool = False


@dataclass(eq=False)
class Invariant:
    name: str
    test: Expr
    text: str
    span: Span
    clauses: tuple[str, ...] = ()


@dataclass(eq=False)
class Check:
    """A statement about the printed material, said of each thing that a binder binds."""

    name: str
    binder: Binder | None
    test: Expr
    text: str
    span: Span
    clauses: tuple[str, ...] = ()


@dataclass(eq=False)
class Action:
    name: str
    me: Variable
    span: Span
    during: tuple[str, ...] = ()
    binders: tuple[Binder | Several, ...] = ()
    needs: tuple[Expr, ...] = ()
    joined: bool = False
    body: Block | None = None
    title: str = ""
    text: str = ""
    clauses: tuple[str, ...] = ()
    carrier: Carrier | None = None
    given: tuple[Variable, ...] = ()  # of the window it is offered in
    limit: Limit | None = None
    cost: Block | None = None
    holds: tuple[Expr, ...] = ()
    sees: Visibility | None = None


@dataclass(eq=False)
class Phase:
    name: str
    span: Span
    when: Expr | None = None
    each: Binder | None = None
    me: Variable | None = None
    repeat: Expr | None = None
    body: Block | None = None
    window: str | None = None
    stuck: Block | None = None
    holds: tuple[Expr, ...] = ()
    sees: Visibility | None = None
    steps: tuple[Phase, ...] = ()
    end: Block | None = None
    title: str = ""
    clauses: tuple[str, ...] = ()


@dataclass(eq=False)
class Ending:
    name: str
    text: str
    span: Span
    clauses: tuple[str, ...] = ()
    when: Expr | None = None
    winners: Expr | None = None
    at: Pattern | None = None


@dataclass(eq=False)
class Option:
    name: str
    type: Type
    default: int
    span: Span
    kind: Kind | None = None
    text: str = ""


@dataclass(eq=False)
class Geometry:
    """A board: where each cell lies, what each step leads to (0: off the board), what is next to what."""

    kind: Kind
    shape: str
    columns: int
    rows: int
    cells: list[tuple[int, int]]  # (column, row), or (ring, sector)
    at: dict[tuple[int, int], int]
    steps: dict[str, list[int]]  # direction name -> entry i for cell i + 1
    near: list[tuple[int, ...]]  # neighbours of cell i + 1
    first_row: int = 1
    north_first: bool = False


@dataclass(eq=False)
class Checked:
    """A ruleset without a known mistake, for every number of players and every option."""

    name: str
    title: str
    version: str
    text: str
    players: tuple[int, int]
    digest: str
    limits: dict[str, int]
    kinds: dict[str, Kind]
    columns: dict[tuple[str, str], Column]
    places: dict[str, Place]
    formulas: dict[str, Formula]
    events: dict[str, Event]
    actions: dict[str, Action]
    endings: dict[str, Ending]
    options: dict[str, Option]
    geometry: dict[str, Geometry]
    setup: Block | None
    flow: tuple[Phase, ...]
    score: tuple[Variable, Expr] | None
    keywords: dict[str, Keyword] = field(default_factory=dict)
    rules: list[Rule] = field(default_factory=list)
    windows: dict[str, Window] = field(default_factory=dict)
    invariants: list[Invariant] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    files: tuple[str, ...] = ()
    words: dict[str, tuple[str, ...]] = field(default_factory=dict)  # what the author says about a name


# --- expressions ---


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
    """The index of the place where a thing lies: `card.holder`; 0 when it lies in none of `places`."""

    places: tuple[Place, ...]
    position: int
    of: Expr


@dataclass(frozen=True, eq=False)
class Content(Expr):
    """What lies in one container: a set, or a thing or none where it holds at most one."""

    place: Place
    index: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class Family(Expr):
    """All that lies in any container of a family."""

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
    """What a value would be after an event, tried out and taken back."""

    event: Event
    arguments: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, eq=False)
class Linked(Expr):
    start: Expr
    goal: Expr
    binder: Binder


# --- statements ---


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
    """Write an attribute; `add` says that the value is added to what is there."""

    column: Column
    of: Expr
    index: tuple[Expr, ...]
    value: Expr


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


@dataclass(frozen=True, eq=False)
class Choose(Statement):
    who: Expr
    optional: bool
    binders: tuple[Binder | Several, ...]
    body: Block
    otherwise: Block | None


@dataclass(frozen=True, eq=False)
class Pick(Statement):
    """A menu: each option has a word, an optional condition and what it does."""

    who: Expr
    options: tuple[tuple[str, Expr | None, Block], ...]


@dataclass(frozen=True, eq=False)
class Sealed(Statement):
    """Every bound player chooses unseen; then the body runs for each in turn."""

    each: Binder
    binder: Binder
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


@dataclass(frozen=True, eq=False)
class Proceed(Statement):
    """Go on with what is replaced, with these arguments."""

    arguments: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class New(Statement):
    variable: Variable | None
    kind: Kind
    given: tuple[tuple[Column, Expr], ...]


@dataclass(frozen=True, eq=False)
class Remove(Statement):
    thing: Expr


@dataclass(frozen=True, eq=False)
class Show(Statement):
    """Let players know a thing, or all things of a set."""

    what: Expr
    to: Expr


@dataclass(frozen=True, eq=False)
class Offer(Statement):
    window: Window
    arguments: tuple[Expr, ...]
    to: Expr


@dataclass(frozen=True, eq=False)
class Block:
    span: Span
    statements: tuple[Statement, ...]


TRUE = Constant(NOWHERE, FLAG, 1)

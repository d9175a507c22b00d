"""What a ruleset declares, once checked: kinds, columns, places, formulas, events, rules, actions, phases."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ruleforge.check.types import Type
from ruleforge.diagnostics import NOWHERE, Span

if TYPE_CHECKING:
    from ruleforge.check.typed.expressions import Binder, Expr
    from ruleforge.check.typed.statements import Block, Several


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
    triggers_chosen: bool = False  # the controller says which of several waiting rules comes next

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

"""Checked declarations: kinds, columns, places, formulas, events, rules, actions and phases.

All are frozen, and are made after all of their parts. Some rules refer to one another in circles: the
visibility of a column may depend on that column. Such facts are in tables of `Checked`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from itertools import product
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING

from ruleforge.lang.checker.types import SetT, ThingT, Type
from ruleforge.lang.model.appearance import Appearance
from ruleforge.lang.model.log_sentence import LogSentence
from ruleforge.lang.model.words import Entry
from ruleforge.support.ceilings import CEILINGS, Ceilings
from ruleforge.support.diagnostics import NOWHERE, Span
from ruleforge.support.records import dataclass

if TYPE_CHECKING:
    from ruleforge.lang.checker.names import Names
    from ruleforge.lang.checker.typed.expressions import Binder, Expr
    from ruleforge.lang.checker.typed.gate import Gate
    from ruleforge.lang.checker.typed.statements import Block, Several


@dataclass(frozen=True, eq=False)
class Kind:
    """A finite set of things; thing 0 is none, the others are numbered from 1."""

    name: str
    plural: str
    things: tuple[str, ...]
    span: Span
    titles: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    seats: bool = False
    pool: bool = False
    spans: Mapping[str, Span] = field(
        default_factory=lambda: MappingProxyType({})
    )  # where things are declared
    made: Mapping[str, tuple[int, int]] = field(
        default_factory=lambda: MappingProxyType({})
    )  # things that are not there until they are made: the first and the last of each
    printed: tuple[
        int, ...
    ] = ()  # of each thing, the number of its first copy; none where there are no copies

    @property
    def size(self) -> int:
        return len(self.things)


@dataclass(frozen=True, eq=False)
class About:
    """An expression about one thing, which it calls `self`."""

    this: Variable
    value: Expr


@dataclass(frozen=True, eq=False)
class Conduct:
    """The behaviour of a kind or keyword as a carrier of rules."""

    controller: About | None = None
    works: About | None = None
    trigger_order: About | None = None
    triggers_chosen: bool = False  # the controller says which of several waiting rules comes next


@dataclass(frozen=True, eq=False)
class Column:
    """A fact (constant, with its values) or an attribute (stored)."""

    name: str
    kind: Kind
    type: Type
    span: Span
    per: tuple[Kind, ...] = ()
    constant: bool = False
    values: tuple[int | tuple[int, ...], ...] = ()  # of facts: those of the first thing, of the second, ...
    start: Expr | None = None
    hidden: bool = False  # hidden from some player: see `Checked.sight`
    resets: str | None = None
    capped: bool = False
    text: str = ""
    clauses: tuple[str, ...] = ()
    tells: Column | None = None  # the fact whose disclosures to each player it keeps

    def printed(self, thing: int) -> tuple[int | tuple[int, ...], ...]:
        """The values of a fact for one thing: a single one, or one for each of what it is `per`."""
        width = prod(kind.size for kind in self.per)
        return self.values[(thing - 1) * width : thing * width]

    @property
    def paths(self) -> tuple[str, ...]:
        """How its values are asked for, in their order: `cost[wood]`, `cost[clay]`, or `cost` alone."""
        indices = [", ".join(names) for names in product(*(kind.things for kind in self.per))]
        return tuple(f"{self.name}[{index}]" if index else self.name for index in indices)


@dataclass(frozen=True, eq=False)
class Place:
    name: str
    of: tuple[tuple[str, Kind], ...]
    holds: Kind
    max: Expr | None
    ordered: bool
    span: Span
    single: bool = False
    hidden: bool = False  # hidden from some player: see `Checked.sight`
    text: str = ""
    clauses: tuple[str, ...] = ()
    room: tuple[int, Column] | None = None  # which of its indices says by which fact how many find room

    @property
    def content(self) -> Type:
        """The type of what lies in it: a thing or none, or a set."""
        return ThingT(self.holds.name, True) if self.single else SetT(self.holds.name)


@dataclass(frozen=True, eq=False)
class Visibility:
    """The condition under which a viewer sees something: over the viewer, the thing and the indices of its place."""

    viewer: Variable
    thing: Variable
    index: tuple[Variable, ...]
    test: Expr


@dataclass(frozen=True, eq=False)
class Starting:
    """The first contents of a container: a set over its indices."""

    index: tuple[Variable, ...]
    things: Expr


@dataclass(frozen=True, eq=False)
class Variable:
    """A local name; two variables may share a name, so they are compared by identity."""

    name: str
    type: Type
    span: Span = NOWHERE


@dataclass(frozen=True, eq=False)
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
    holds: bool = False  # it is handed a set that must be worked out once, before it is asked
    behind: tuple[Formula, ...] = ()  # those to which its `let`s hand their values


@dataclass(frozen=True, eq=False)
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


@dataclass(frozen=True, eq=False)
class Keyword:
    """A bundle of rules and actions; `number` is its position among all keywords, from 1."""

    name: str
    number: int
    kind: Kind
    text: str
    span: Span
    parameters: tuple[Variable, ...] = ()
    columns: tuple[Column, ...] = ()
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Carrier:
    """The carriers of a rule or action: named things, things with a keyword, or a whole kind."""

    kind: Kind
    this: Variable
    me: Variable | None
    things: tuple[int, ...] | None = None
    keyword: Keyword | None = None
    works: Expr | None = None
    given: tuple[tuple[Variable, Expr], ...] = ()
    conduct: Conduct = Conduct()


@dataclass(frozen=True, eq=False)
class Pattern:
    """The trigger of a rule.

    `subject` is an Event, a Column, a Kind (a move of such a thing), a Formula, or a phase as ("start" | "end",
    name). `parameters` are bound to its values, and `tests` must hold for them.
    """

    span: Span
    subject: Event | Column | Kind | Formula | tuple[str, str]
    parameters: tuple[Variable, ...] = ()
    tests: tuple[Expr, ...] = ()


@dataclass(frozen=True, eq=False)
class Limit:
    """At most `count` uses per phase (or `game`), counted in a column of players, of carriers, or of the game."""

    count: int
    per: str
    counter: Column


@dataclass(frozen=True, eq=False)
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

    @property
    def conditions(self) -> tuple[Expr, ...]:
        """The conditions of the rule: `when`, its carrier's `works`, and the tests of its pattern."""
        works = self.carrier.works if self.carrier else None
        tests = self.pattern.tests if self.pattern else ()
        return tuple(test for test in (self.when, works, *tests) if test is not None)


@dataclass(frozen=True, eq=False)
class Position:
    """The parts that make two positions equal: attributes, contents of places, and with `active` the turn."""

    name: str
    span: Span
    columns: tuple[Column, ...]
    places: tuple[Place, ...]
    active: bool
    keeps: int


@dataclass(frozen=True, eq=False)
class Window:
    """An occasion for actions, opened by an effect."""

    name: str
    parameters: tuple[Variable, ...]
    mode: str
    span: Span
    openly: bool = False  # others may know whether there was something to do
    title: str = ""
    clauses: tuple[str, ...] = ()
    open: bool = False
    ask: str | None = None  # when it asks, if the author says so: ALWAYS or IF_ANYTHING


@dataclass(frozen=True, eq=False)
class Invariant:
    name: str
    test: Expr
    text: str
    span: Span
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Check:
    """A statement about the printed material, for each thing of a binder."""

    name: str
    binder: Binder | None
    test: Expr
    text: str
    span: Span
    clauses: tuple[str, ...] = ()
    warn: bool = False


@dataclass(frozen=True, eq=False)
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

    @property
    def conditions(self) -> tuple[Expr, ...]:
        """The conditions of the action besides its choices: its needs, and its carrier's `works`."""
        works = self.carrier.works if self.carrier else None
        return self.needs if works is None else (*self.needs, works)


@dataclass(frozen=True, eq=False)
class Phase:
    name: str
    span: Span
    when: Expr | None = None
    each: Binder | None = None
    me: Variable | None = None
    repeat: Expr | None = None
    body: Block | None = None
    window: str | None = None
    openly: bool = False  # others may know whether there was something to do
    stuck: Block | None = None
    holds: tuple[Expr, ...] = ()
    sees: Visibility | None = None
    steps: tuple[Phase, ...] = ()
    end: Block | None = None
    title: str = ""
    clauses: tuple[str, ...] = ()
    ask: str | None = None  # when it asks, if the author says so: ALWAYS or IF_ANYTHING


@dataclass(frozen=True, eq=False)
class Ending:
    """`lost`: a game that ends so without a winner is no draw."""

    name: str
    text: str
    span: Span
    clauses: tuple[str, ...] = ()
    lost: bool = False


@dataclass(frozen=True, eq=False)
class Watch:
    """An ending that is looked for: when, who wins then, and at which moment if not at every one."""

    when: Expr
    winners: Expr | None = None
    at: Pattern | None = None


@dataclass(frozen=True, eq=False)
class Option:
    name: str
    type: Type
    default: int
    span: Span
    kind: Kind | None = None
    text: str = ""
    settled_by: str = ""  # the pack that says which value it has


@dataclass(frozen=True, eq=False)
class Border:
    """Edges or corners of a board: the cells that touch each, and how it is come by."""

    board: Kind
    cells: tuple[tuple[int, ...], ...]  # those that edge or corner i + 1 parts
    between: Mapping[tuple[int, int], int]  # two cells -> the edge between them
    sides: Mapping[tuple[str, int], int]  # direction, cell -> what lies on that side of it
    points: tuple[tuple[int, int, int], ...] = ()  # where each lies, of a grid: see `checker/borders.py`
    ends: tuple[tuple[tuple[int, int, int], ...], ...] = ()  # of edges of a grid: where their corners lie


@dataclass(frozen=True, eq=False)
class Geometry:
    """A board: positions of cells, targets of steps (0: off the board), neighbours."""

    kind: Kind
    shape: str
    columns: int
    rows: int
    cells: tuple[
        tuple[int, ...], ...
    ]  # (column, row), (column, row, level), (ring, sector) or (stretch, position)
    at: Mapping[tuple[int, ...], int]
    steps: Mapping[str, tuple[int, ...]]  # direction name -> entry i for cell i + 1
    near: tuple[tuple[int, ...], ...]  # neighbours of cell i + 1
    first_row: int = 1
    north_first: bool = False
    levels: int = 1
    stretches: tuple[str, ...] = ()  # of a track: what its stretches are called
    border: Border | None = None  # of edges and corners: what they are of


@dataclass(frozen=True, eq=False)
class Weight:
    """The worth of a choice of an action, with its locals: `me` and the elements of the choice."""

    action: Action
    me: Variable
    parameters: tuple[Variable, ...]
    value: Expr
    source: str  # as it is written


@dataclass(frozen=True, eq=False)
class Profile:
    """A way to play a seat."""

    name: str
    span: Span
    weights: tuple[Weight, ...]
    title: str = ""
    text: str = ""
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class LogTemplate:
    """The log sentence of an event or action, with the locals of its placeholders."""

    sentence: LogSentence
    given: tuple[Variable, ...]

    @property
    def scope(self) -> Mapping[str, Type]:
        return {variable.name: variable.type for variable in self.given}

    def kind_of(self, name: str) -> str:
        """The kind of the thing that a name stands for; empty for all else."""
        type = self.scope.get(name)
        return type.kind if isinstance(type, ThingT) else ""


@dataclass(frozen=True, eq=False)
class Blank:
    """A placeholder of a hint: a value, or with `answers` a condition that selects one of two texts."""

    tree: Expr
    answers: tuple[str, str] | None = None


@dataclass(frozen=True, eq=False)
class Hint:
    """The hint of an action's choices: words and placeholders. Unknown parts in brackets are left out."""

    parts: tuple[str | Blank, ...]

    @property
    def blanks(self) -> tuple[Blank, ...]:
        return tuple(part for part in self.parts if isinstance(part, Blank))


@dataclass(frozen=True, eq=False)
class Checked:
    """A ruleset with names resolved, for every number of players and every option."""

    name: str
    title: str
    version: str
    text: str
    players: tuple[int, int]
    digest: str
    limits: Mapping[str, int]
    kinds: Mapping[str, Kind]
    columns: Mapping[tuple[str, str], Column]
    places: Mapping[str, Place]
    formulas: Mapping[str, Formula]
    events: Mapping[str, Event]
    actions: Mapping[str, Action]
    endings: Mapping[str, Ending]
    options: Mapping[str, Option]
    geometry: Mapping[str, Geometry]
    keywords: Mapping[str, Keyword]
    windows: Mapping[str, Window]
    positions: Mapping[str, Position]
    sight: Mapping[Column | Place, Visibility]  # who sees what is hidden
    starts: Mapping[Place, Starting]  # what lies in a place at the start
    conduct: Mapping[Kind | Keyword, Conduct]
    lasts: Mapping[Kind, Pattern]  # when things of a pool go
    watches: Mapping[Ending, Watch]
    rules: tuple[Rule, ...]
    invariants: tuple[Invariant, ...]
    checks: tuple[Check, ...]
    profiles: Mapping[str, Profile]
    setup: Block | None
    flow: tuple[Phase, ...]
    score: tuple[Variable, Expr] | None
    heuristic: tuple[Variable, Expr] | None  # how well a player stands, for agents
    files: tuple[str, ...]
    words: Mapping[str, tuple[Entry, ...]]  # what the author says about a name
    titles: Mapping[str, str]  # what people call things and definitions
    look: Appearance  # how the table is best shown
    tells: Mapping[str, LogTemplate]  # `event x` or `action x` -> its log sentence
    hints: Mapping[str, Hint]  # action -> the hint beside its choices
    numbers: Mapping[str, int]
    names: Names
    ceilings: Ceilings = CEILINGS
    gate: Gate | None = None  # what the contract of the core keeps up in play, of the packs at hand

"""Effect summaries: the changes and emissions of one definition, and the summaries of a whole pack set."""

from __future__ import annotations

from dataclasses import field

from ruleforge.analysis.intervals import Interval
from ruleforge.lang.checker import typed as t
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

# Which player something is about: of a base (`me`, or a player that the trigger binds) that one or another one.
Base = str | int


@dataclass(frozen=True, slots=True)
class Who:
    base: Base
    other: bool = False

    def flipped(self) -> Who:
        return Who(self.base, not self.other)


ME = Who("me")


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a part of the core. `names` are its names, the most specific first."""

    kind: str
    names: tuple[str, ...]
    span: Span
    op: str = ""
    amount: Interval | None = None
    who: Who | None = None
    touches: tuple[str, ...] = ()  # further names under which guards know it
    perhaps: tuple[str, ...] = ()  # names that only fit in some positions
    acts: str = ""  # of a replacement: none, less, same, other
    made_of_itself: bool = False
    value: t.Expr | None = None
    times: float = 1
    path: tuple[str, ...] = ()  # the events through which it is reached
    amount_span: Span | None = None
    subject: t.Formula | None = None
    windows: tuple[str, ...] = ()
    free: bool = False  # it needs no point, as long as nothing guards it
    goal: Who | None = None  # of a move: to whose place
    lay: tuple[str, Who | None] | None = None  # of a move: where it lay, and in whose place

    @property
    def name(self) -> str:
        return self.names[0]


@dataclass(frozen=True, slots=True)
class Write:
    """An attribute that goes up, down, or is set. `sealed` is the core event that causes it."""

    column: t.Column
    op: str
    amount: Interval
    span: Span
    who: Who | None = None
    sealed: str = ""
    times: float = 1
    paid: bool = False
    conditions: tuple[t.Expr, ...] = ()
    uses: str = ""  # the kind of a thing that goes with it
    store: t.Store | None = None
    counts: tuple[t.Expr, ...] = ()  # how often it is done


def name_of(column: t.Column) -> str:
    return f"{column.kind.name}.{column.name}"


# The subject of an emission or a trigger: an event, an attribute, a kind of moved thing, an edge of a phase.
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Emission:
    """An event that can trigger rules. `who` are the players it is about, in order.

    `things` are the possible things of each value, in the order in which triggers bind them. None: any thing.
    """

    key: Key
    who: tuple[Who | None, ...]
    span: Span
    sealed: str = ""
    times: float = 1
    op: str = ""  # of an attribute: up, down, set
    things: tuple[frozenset[int] | None, ...] = ()
    into: str = ""  # of a thing that moves: the place where it goes


@dataclass(frozen=True, slots=True)
class Occasion:
    """Chance, a question, a look, or a thing of a pack that is created, removed or moved.

    `what` names the sort.
    """

    what: str
    span: Span
    about: str = ""
    sealed: str = ""
    conditions: tuple[t.Expr, ...] = ()  # of a thing that is made: under which it is
    sources: tuple[str, ...] = ()  # of one that moves: where it may come from, and where it goes
    into: str = ""


@dataclass(frozen=True, eq=False)
class EffectSummary:
    """The trigger and the possible effects of one rule, action, filling, step or set-up."""

    name: str
    title: str
    form: str
    span: Span
    origin: str  # the pack; empty for the core
    carrier: t.Carrier | None = None
    rule: t.Rule | None = None
    action: t.Action | None = None
    listens: Key | None = None
    subjects: tuple[t.Variable, ...] = ()  # the players that the trigger binds
    conditions: tuple[t.Expr, ...] = ()
    windows: tuple[str, ...] = ()
    limit: t.Limit | None = None
    changes: tuple[Change, ...] = ()
    writes: tuple[Write, ...] = ()
    emits: tuple[Emission, ...] = ()
    occasions: tuple[Occasion, ...] = ()
    proceeds: int = 0
    head: Span | None = None  # the place of its trigger
    environment: dict[t.Variable, object] = field(default_factory=dict, compare=False, repr=False)

    @property
    def place(self) -> Span:
        return self.head or self.span

    @property
    def blocks(self) -> tuple[t.Block, ...]:
        """The cost and the body of its rule or action."""
        part = self.action or self.rule
        return (
            tuple(block for block in (part.cost, part.body) if block is not None) if part is not None else ()
        )

    def makes(self, kind: str) -> bool:
        return any(o.what == "new" and o.about == kind for o in self.occasions)

    def removes(self, kind: str) -> bool:
        return any(o.what == "remove" and o.about == kind for o in self.occasions)


@dataclass(frozen=True)
class EffectSummaries:
    """The effects of packs and of the core, and the additions of packs to definitions of the core."""

    effects: tuple[EffectSummary, ...]
    core: tuple[EffectSummary, ...]
    structure: tuple[tuple[str, Change], ...]  # pack, change

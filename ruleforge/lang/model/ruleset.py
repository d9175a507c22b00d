"""The model: a ruleset as frozen objects, names and effect texts still strings."""

from __future__ import annotations

from ruleforge.lang.model.layout import Layout
from ruleforge.lang.model.log_sentence import LogSentence
from ruleforge.lang.source.error_nodes import NO_ERROR_NODES, ErrorNodes
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class Named:
    """The common part of definitions: id, place, and texts for people."""

    id: str
    span: Span
    title: str | None = None
    text: str | None = None
    cites: tuple[str, ...] = ()
    origin: str = ""  # the id of the pack that says it; empty for the game itself


@dataclass(frozen=True, slots=True)
class Option(Named):
    """Something fixed when a game starts: one of several words, a number in a range, or a flag."""

    values: tuple[str, ...] = ()
    range: SourceText | None = None
    default: SourceText | None = None
    settled_by: str = ""  # the pack that says which value it has, and where
    settled_at: Span | None = None


@dataclass(frozen=True, slots=True)
class NumberDef(Named):
    """A named constant a designer may want to change."""

    value: SourceText | None = None
    settled_by: str = ""  # the pack that says which value it has, and where
    settled_at: Span | None = None


@dataclass(frozen=True, slots=True)
class Column(Named):
    """A fact (constant) or an attribute (part of the state) of a kind, e.g. `0..99 per player = 3`."""

    type: SourceText | None = None
    sees: SourceText | None = None
    resets: str | None = None
    capped: bool = False


@dataclass(frozen=True, slots=True)
class Rule(Named):
    """A rule on an event, a formula or the state: exactly one of the first five fields is given."""

    after: SourceText | None = None
    instead_of: SourceText | None = None
    forbid: SourceText | None = None
    modify: SourceText | None = None
    always: SourceText | None = None
    when: SourceText | None = None
    works: SourceText | None = None
    before: tuple[tuple[str, SourceText], ...] = ()
    may: bool = False
    who: SourceText | None = None
    limit: SourceText | None = None
    cost: SourceText | None = None
    do: SourceText | None = None
    add: SourceText | None = None
    set: SourceText | None = None
    remove: SourceText | None = None


@dataclass(frozen=True, slots=True)
class Thing(Named):
    """A member of a kind with the values of its facts, and its printed rules."""

    facts: tuple[tuple[str, SourceText], ...] = ()
    copies: int = 1
    pool: int | None = None  # so many copies that are not there until they are made
    keywords: tuple[SourceText, ...] = ()
    rules: tuple[Rule, ...] = ()
    actions: tuple[Action, ...] = ()

    @property
    def is_bare(self) -> bool:
        """Whether nothing is said of it but its name."""
        return not (
            self.title or self.text or self.cites or self.facts or self.keywords or self.rules or self.actions
        )


# Its name, how many columns, rows and perhaps levels away.
Leap = tuple[str, int, int, Span] | tuple[str, int, int, int, Span]


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells of a kind as a board: `shape` is `square` or `hex`."""

    span: Span
    shape: str
    columns: int
    rows: int
    without: tuple[SourceText, ...] = ()
    leaps: tuple[Leap, ...] = ()
    first_row: str = "south"
    neighbours: str = "all"
    levels: int = 1


@dataclass(frozen=True, slots=True)
class Graph:
    """Named things joined by links; a link leads both ways unless `one_way`."""

    span: Span
    links: tuple[tuple[str, tuple[SourceText, ...]], ...]
    one_way: bool = False


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run of spaces, one ahead of the other; it may branch off a space and lead on to one."""

    name: str
    span: Span
    length: int
    loop: bool = False
    start: SourceText | None = None
    to: SourceText | None = None


@dataclass(frozen=True, slots=True)
class Track:
    """Things that lie in a row: those of the kind in a `line` or a `loop`, or made as stretches."""

    span: Span
    form: str = ""
    stretches: tuple[Stretch, ...] = ()


@dataclass(frozen=True, slots=True)
class Borders:
    """The edges or the corners of the cells of a board; with `rim` also edges with a cell on one side alone."""

    span: Span
    of: SourceText
    rim: bool = False


@dataclass(frozen=True, slots=True)
class Kind(Named):
    """A finite set of things."""

    plural: str = ""
    things: tuple[Thing, ...] = ()
    count: int | None = None
    product: tuple[tuple[str, SourceText], ...] = ()
    copies: SourceText | None = None
    called: SourceText | None = None
    grid: Grid | None = None
    rings: tuple[int, ...] = ()
    graph: Graph | None = None
    track: Track | None = None
    edges: Borders | None = None
    corners: Borders | None = None
    lines: tuple[tuple[str, int, Span], ...] = ()
    facts: tuple[Column, ...] = ()
    has: tuple[Column, ...] = ()
    pool: SourceText | None = None
    lasts: SourceText | None = None
    controller: SourceText | None = None
    works: SourceText | None = None
    trigger_order: SourceText | None = None
    rules: tuple[Rule, ...] = ()
    actions: tuple[Action, ...] = ()

    @property
    def is_drawn(self) -> bool:
        """Whether its things are made by the shape of a board; those that are listed are some of them."""
        stretches = self.track.stretches if self.track is not None else ()
        return bool(self.grid or self.rings or self.edges or self.corners or stretches)


@dataclass(frozen=True, slots=True)
class Keyword(Named):
    """A bundle of rules and actions that things of one kind have or are given."""

    kind: SourceText | None = None
    takes: tuple[tuple[str, SourceText], ...] = ()
    includes: tuple[SourceText, ...] = ()
    works: SourceText | None = None
    rules: tuple[Rule, ...] = ()
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Place(Named):
    """A family of containers, one for each combination of its indices."""

    of: tuple[tuple[str, SourceText], ...] = ()
    holds: SourceText | None = None
    max: SourceText | None = None
    ordered: bool = False
    sees: SourceText | None = None
    starts: SourceText | None = None


@dataclass(frozen=True, slots=True)
class Formula(Named):
    """A named pure expression, perhaps with names for parts of it; an open one takes modifiers within its limits."""

    takes: tuple[tuple[str, SourceText], ...] = ()
    lets: tuple[tuple[str, SourceText], ...] = ()
    value: SourceText | None = None
    sees: SourceText | None = None
    open: bool = False
    each: SourceText | None = None
    sum: SourceText | None = None
    clamp: SourceText | None = None


@dataclass(frozen=True, slots=True)
class Event(Named):
    """A verb of the rulebook: a named effect that rules can listen to."""

    takes: tuple[tuple[str, SourceText], ...] = ()
    needs: tuple[SourceText, ...] = ()
    do: SourceText | None = None
    together: bool = False
    open: bool = False
    placeholder: bool = False
    filled_by: str = ""  # the pack that says what happens in this placeholder, and where
    filled_at: Span | None = None
    tells: LogSentence | None = None


@dataclass(frozen=True, slots=True)
class Manner(Named):
    """The common part of several actions."""

    during: tuple[SourceText, ...] = ()
    needs: tuple[SourceText, ...] = ()
    joined: bool = False
    limit: SourceText | None = None
    works: SourceText | None = None
    cost: SourceText | None = None
    holds: tuple[SourceText, ...] = ()
    sees: SourceText | None = None


@dataclass(frozen=True, slots=True)
class Action(Named):
    manner: SourceText | None = None
    during: tuple[SourceText, ...] = ()
    choose: tuple[tuple[str, SourceText], ...] = ()
    needs: tuple[SourceText, ...] = ()
    joined: bool = False
    limit: SourceText | None = None
    works: SourceText | None = None
    cost: SourceText | None = None
    do: SourceText | None = None
    holds: tuple[SourceText, ...] = ()
    sees: SourceText | None = None
    tells: LogSentence | None = None
    hint: LogSentence | None = None


@dataclass(frozen=True, slots=True)
class Position(Named):
    """The parts that make two positions equal, and the largest number of remembered ones."""

    of: tuple[SourceText, ...] = ()
    keeps: int = 0


@dataclass(frozen=True, slots=True)
class Window(Named):
    """An occasion for actions that effects offer: `offer reaction(a, t) to t.owner`."""

    takes: tuple[tuple[str, SourceText], ...] = ()
    window: str = "maybe"
    openly: bool = False
    open: bool = False
    ask: str | None = None


@dataclass(frozen=True, slots=True)
class Phase(Named):
    """A node of the flow; inside a node the order is: do, window, steps, end."""

    when: SourceText | None = None
    each: SourceText | None = None
    repeat: SourceText | None = None
    do: SourceText | None = None
    window: str | None = None
    openly: bool = False
    stuck: SourceText | None = None
    holds: tuple[SourceText, ...] = ()
    sees: SourceText | None = None
    steps: tuple[Phase, ...] = ()
    end: SourceText | None = None
    ask: str | None = None


@dataclass(frozen=True, slots=True)
class Ending(Named):
    """A reason for the end of a game. With `when` it is tested at once, or at the start or end of a phase.

    `lost`: without winners, all players lose.
    """

    when: SourceText | None = None
    winners: SourceText | None = None
    at: SourceText | None = None
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Invariant(Named):
    """A condition that holds in every position with a decision."""

    that: SourceText | None = None


@dataclass(frozen=True, slots=True)
class Check(Named):
    """A condition on the printed material, for each thing of a binder, tested by `validate`."""

    each: SourceText | None = None
    that: SourceText | None = None
    warn: bool = False


@dataclass(frozen=True, slots=True)
class Weight(Named):
    """The worth of a choice of one action; the id is that of the action."""

    value: SourceText | None = None


@dataclass(frozen=True, slots=True)
class Profile(Named):
    """A way to play a seat: the choice of the highest worth is taken."""

    weighs: tuple[Weight, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruleset:
    """All definitions of an author, checked for shape only, with the error nodes of unreadable parts."""

    id: str
    span: Span
    version: str
    title: str
    text: str
    players: tuple[int, int]
    options: tuple[Option, ...] = ()
    limits: tuple[tuple[str, int], ...] = ()
    numbers: tuple[NumberDef, ...] = ()
    kinds: tuple[Kind, ...] = ()
    places: tuple[Place, ...] = ()
    formulas: tuple[Formula, ...] = ()
    events: tuple[Event, ...] = ()
    actions: tuple[Action, ...] = ()
    windows: tuple[Window, ...] = ()
    manners: tuple[Manner, ...] = ()
    positions: tuple[Position, ...] = ()
    rules: tuple[Rule, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    invariants: tuple[Invariant, ...] = ()
    checks: tuple[Check, ...] = ()
    profiles: tuple[Profile, ...] = ()
    setup: tuple[SourceText, ...] = ()  # of the game, then of each pack
    flow: tuple[Phase, ...] = ()
    endings: tuple[Ending, ...] = ()
    scores: SourceText | None = None
    heuristic: SourceText | None = None
    cites: tuple[str, ...] = ()
    layout: Layout | None = None
    files: tuple[str, ...] = ()
    error_nodes: ErrorNodes = NO_ERROR_NODES

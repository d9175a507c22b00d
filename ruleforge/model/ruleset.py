"""The model: a ruleset as frozen objects, names and effect texts still strings."""

from __future__ import annotations

from dataclasses import dataclass, field

from ruleforge.diagnostics import Span
from ruleforge.source.scalar_origin import SourceText


@dataclass(frozen=True, slots=True)
class Named:
    """What every definition carries: its id, where it stands, and words for people."""

    id: str
    span: Span
    title: str | None = None
    text: str | None = None
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Option(Named):
    """Something fixed when a game starts: one of several words, a number in a range, or a flag."""

    values: tuple[str, ...] = ()
    range: SourceText | None = None
    default: SourceText | None = None


@dataclass(frozen=True, slots=True)
class NumberDef(Named):
    """A named constant a designer may want to change."""

    value: SourceText | None = None


@dataclass(frozen=True, slots=True)
class Column(Named):
    """A fact (constant) or an attribute (part of the state) of a kind, e.g. `0..99 per player = 3`."""

    type: SourceText | None = None
    sees: SourceText | None = None
    resets: str | None = None
    capped: bool = False


@dataclass(frozen=True, slots=True)
class Thing(Named):
    """A member of a kind with the values of its facts."""

    facts: tuple[tuple[str, SourceText], ...] = ()
    copies: int = 1
    keywords: tuple[SourceText, ...] = ()


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells of a kind as a board: `shape` is `square` or `hex`."""

    span: Span
    shape: str
    columns: int
    rows: int
    without: tuple[SourceText, ...] = ()


@dataclass(frozen=True, slots=True)
class Kind(Named):
    """A finite set of things."""

    plural: str = ""
    things: tuple[Thing, ...] = ()
    count: int | None = None
    grid: Grid | None = None
    lines: tuple[tuple[str, int, Span], ...] = ()
    facts: tuple[Column, ...] = ()
    has: tuple[Column, ...] = ()


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
    takes: tuple[tuple[str, SourceText], ...] = ()
    value: SourceText | None = None


@dataclass(frozen=True, slots=True)
class Event(Named):
    takes: tuple[tuple[str, SourceText], ...] = ()
    needs: tuple[SourceText, ...] = ()
    do: SourceText | None = None


@dataclass(frozen=True, slots=True)
class Action(Named):
    during: tuple[SourceText, ...] = ()
    choose: tuple[tuple[str, SourceText], ...] = ()
    needs: tuple[SourceText, ...] = ()
    joined: bool = False
    do: SourceText | None = None


@dataclass(frozen=True, slots=True)
class Phase(Named):
    """A node of the flow; inside a node the order is: do, window, steps, end."""

    when: SourceText | None = None
    each: SourceText | None = None
    repeat: SourceText | None = None
    do: SourceText | None = None
    window: str | None = None
    stuck: SourceText | None = None
    steps: tuple[Phase, ...] = ()
    end: SourceText | None = None


@dataclass(frozen=True, slots=True)
class Ending(Named):
    pass


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Everything an author wrote, checked for shape only."""

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
    setup: SourceText | None = None
    flow: tuple[Phase, ...] = ()
    endings: tuple[Ending, ...] = ()
    scores: SourceText | None = None
    cites: tuple[str, ...] = ()
    files: tuple[str, ...] = field(default=())

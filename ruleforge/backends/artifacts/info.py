"""Describe a game without compiling it, from its checked rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import field, replace
from typing import cast

from ruleforge.backends.faults import StartError
from ruleforge.lang.checker.borders import middle, runs_of
from ruleforge.lang.checker.endless_leads import leading
from ruleforge.lang.checker.teams import teams_of
from ruleforge.lang.checker.typed import Action, Checked, Geometry, Option, Phase, Several
from ruleforge.lang.checker.typed import LogTemplate as LogTemplate
from ruleforge.lang.checker.types import NumberT, SetT, ThingT
from ruleforge.lang.model.appearance import NO_LOOK, Appearance
from ruleforge.lang.model.words import PHASE, Entry
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import listed

OptionValue = int | str | bool


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """An option that is fixed when a game starts: one of `values`, a number in `low..high`, or a flag."""

    name: str
    default: OptionValue
    values: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None
    text: str = ""
    settled_by: str = ""  # the pack with which it has no other value

    def check(self, value: object) -> OptionValue:
        """The value if it fits, else a StartError that says what would."""
        if self.settled_by and value != self.default:
            settled = f"the option `{self.name}` is `{self.default}` with the pack `{self.settled_by}`"
            raise StartError("RF841", f"{settled}, not `{value}`")
        if self.values:
            fits = value in self.values
        elif self.low is None or self.high is None:
            fits = isinstance(value, bool)
        else:
            fits = isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high
        if not fits:
            raise StartError("RF841", f"the option `{self.name}` is {self.range_text()}, not `{value}`")
        return cast(OptionValue, value)

    def word(self, value: OptionValue) -> int:
        """A value that fits, as the compiler takes it."""
        return self.values.index(value) + 1 if isinstance(value, str) else int(value)

    def range_text(self) -> str:
        if self.values:
            return listed(self.values)
        return "true or false" if self.low is None else f"a number from {self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class BoardInfo:
    """A kind whose things are the cells of a board: square, hex, rings or graph.

    `cells` maps coordinates to a name: (column, row) or (column, row, level), all from 1. Rings use (ring
    from 1, sector from 0), tracks use (stretch, position). The coordinates of a graph have no meaning.
    """

    kind: str
    shape: str
    columns: int
    rows: int
    cells: Mapping[tuple[int, ...], str]
    names: tuple[str, ...]
    near: Mapping[str, tuple[str, ...]]
    north_first: bool = False
    levels: int = 1
    stretches: tuple[str, ...] = ()  # of a track: what its stretches are called
    of: str = ""  # of edges and corners: the kind of their board
    points: Mapping[str, tuple[int, int, int]] = field(
        default_factory=dict
    )  # where to draw, if there are borders
    runs: Mapping[str, str] = field(default_factory=dict)  # of edges: level, upright, rising or falling


@dataclass(frozen=True, slots=True)
class PackInfo:
    """A pack that is active in the game, and its files."""

    id: str
    title: str
    version: str
    files: tuple[str, ...] = ()
    names: Mapping[str, str] = field(
        default_factory=dict
    )  # as it writes them -> as the game calls them, where another pack has the same name


@dataclass(frozen=True, slots=True)
class ProfileInfo:
    """A computer player: its name and title."""

    name: str
    title: str
    text: str = ""
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PhaseInfo:
    """A phase of the flow and its parts. The title is empty if the author gives none."""

    name: str
    title: str
    steps: tuple[PhaseInfo, ...] = ()


@dataclass(frozen=True, slots=True)
class GameInfo:
    """The description of a ruleset, without compiling it."""

    id: str
    title: str
    version: str
    text: str
    players: tuple[int, int]
    options: tuple[OptionInfo, ...]
    digest: str
    boards: tuple[BoardInfo, ...] = ()
    words: Mapping[str, tuple[Entry, ...]] = field(default_factory=dict)  # what the author says about a name
    packs: tuple[PackInfo, ...] = ()  # by their ids
    profiles: tuple[ProfileInfo, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)  # what people call things and definitions
    look: Appearance = NO_LOOK  # how the table is best shown
    tells: Mapping[str, LogTemplate] = field(
        default_factory=dict
    )  # `event x` or `action x` -> the author's sentence

    leads: Mapping[str, frozenset[str]] = field(
        default_factory=dict
    )  # `event x` or `action x` -> what is moved first of what it is given
    phases: tuple[PhaseInfo, ...] = ()
    teams: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # who belongs together all the time
    takes: Mapping[str, Mapping[str, str]] = field(
        default_factory=dict
    )  # `action x` -> the kinds of the things it is given, where other kinds have things of the same name
    lost: frozenset[str] = frozenset()  # endings that are no draw without a winner
    stands: Mapping[str, str] = field(
        default_factory=dict
    )  # `man.square`: the attribute that says on which cell things of a kind stand -> the kind of the board

    def sides(self, players: Collection[str]) -> dict[str, tuple[str, ...]]:
        """The active players of each team. With fewer players than seats, a team can be smaller or empty."""
        return {team: tuple(seat for seat in seats if seat in players) for team, seats in self.teams.items()}

    def pack_of(self, span: Span) -> PackInfo | None:
        """The pack in whose files something is written; None for the game itself."""
        return next((pack for pack in self.packs if span.file in pack.files), None)


def start_info_of(checked: Checked) -> GameInfo:
    """The part of the description that is needed to start a game, without appearance and narration."""
    return GameInfo(
        id=checked.name,
        title=checked.title,
        version=checked.version,
        text=checked.text,
        players=checked.players,
        options=tuple(_option(option) for option in checked.options.values()),
        digest=checked.digest,
    )


def info_of(checked: Checked, packs: tuple[PackInfo, ...] = ()) -> GameInfo:
    return replace(
        start_info_of(checked),
        boards=tuple(_board(geometry, checked) for geometry in checked.geometry.values()),
        words=checked.words,
        titles=checked.titles,
        look=checked.look,
        tells=checked.tells,
        leads=leading(checked),
        packs=packs,
        phases=tuple(_phase(phase, checked) for phase in checked.flow),
        teams=teams_of(checked),
        takes={f"action {name}": _alike(action, checked) for name, action in checked.actions.items()},
        lost=frozenset(ending.name for ending in checked.endings.values() if ending.lost),
        stands=_stands(checked),
        profiles=tuple(ProfileInfo(p.name, p.title, p.text, p.clauses) for p in checked.profiles.values()),
    )


def _alike(action: Action, checked: Checked) -> dict[str, str]:
    """The kinds of parameters whose things are called as things of other kinds are."""
    names = Counter(name for kind in checked.kinds.values() for name in kind.things)
    variables = (b.chosen if isinstance(b, Several) else b.variable for b in action.binders)
    kinds = {v.name: v.type.kind for v in (action.me, *variables) if isinstance(v.type, (ThingT, SetT))}
    return {
        name: kind for name, kind in kinds.items() if any(names[t] > 1 for t in checked.kinds[kind].things)
    }


def _stands(checked: Checked) -> dict[str, str]:
    """Attributes that say where a thing stands: the only one of its kind that is a cell, and not of the game itself."""
    found: dict[str, list[tuple[str, str]]] = {}
    for (kind, name), column in checked.columns.items():
        cell = column.type.kind if isinstance(column.type, ThingT) else ""
        if cell in checked.geometry and not column.constant and not column.per and kind != "game":
            found.setdefault(kind, []).append((name, cell))
    alone = {kind: places[0] for kind, places in found.items() if len(places) == 1}
    return {f"{kind}.{name}": cell for kind, (name, cell) in alone.items() if kind not in checked.geometry}


def _phase(phase: Phase, checked: Checked) -> PhaseInfo:
    titles = (entry.title for entry in checked.words.get(phase.name, ()) if entry.what == PHASE)
    return PhaseInfo(phase.name, next(titles, ""), tuple(_phase(step, checked) for step in phase.steps))


def _board(geometry: Geometry, checked: Checked) -> BoardInfo:
    names = tuple(geometry.kind.things)
    border = geometry.border
    points = _points(geometry, checked)
    return BoardInfo(
        geometry.kind.name,
        geometry.shape,
        geometry.columns,
        geometry.rows,
        {place: names[cell - 1] for place, cell in geometry.at.items()},
        names,
        {name: tuple(names[n - 1] for n in near) for name, near in zip(names, geometry.near, strict=True)},
        geometry.north_first,
        geometry.levels,
        geometry.stretches,
        border.board.name if border else "",
        dict(zip(names, points, strict=True)) if points else {},
        dict(zip(names, runs_of(geometry), strict=True)) if border and points else {},
    )


def _points(geometry: Geometry, checked: Checked) -> list[tuple[int, int, int]]:
    """The positions of edges, corners and the cells between them. It is empty for a board without them."""
    if geometry.border:
        return [*geometry.border.points]
    bordered = any(
        g.border and g.border.points and g.border.board is geometry.kind for g in checked.geometry.values()
    )
    return [middle(geometry, cell) for cell in geometry.cells] if bordered else []


def _option(option: Option) -> OptionInfo:
    if option.kind is not None:
        values = tuple(option.kind.things)
        found = OptionInfo(option.name, values[option.default - 1], values=values)
    elif isinstance(option.type, NumberT):
        found = OptionInfo(option.name, option.default, low=option.type.low, high=option.type.high)
    else:
        found = OptionInfo(option.name, bool(option.default))
    return replace(found, text=option.text, settled_by=option.settled_by)

"""`Scene` is the table as a seat sees it, arranged for display and frozen; it knows no output device."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from ruleforge.support.records import dataclass

MOST_CELLS = 12  # that are named one by one


@dataclass(frozen=True, slots=True)
class Token:
    """A thing at its place; `id` is empty if it is hidden. `letters` stand for its sign on a plain terminal."""

    id: str
    name: str
    sign: str
    letters: str
    of: str = ""  # the player it belongs to, or a colour
    face: tuple[str, ...] = ()
    holds: tuple[Token, ...] = ()  # what lies in or under it
    changed: bool = False
    choices: tuple[int, ...] = ()  # the numbers of the offers that name it

    @property
    def hidden(self) -> bool:
        return not self.id


@dataclass(frozen=True, slots=True)
class Fact:
    """A value with its label; `counts` says that it is a number of something for one of a few things."""

    path: str
    label: str
    text: str
    of: str = ""
    changed: bool = False
    small: bool = False  # small print: shown when all is asked for


@dataclass(frozen=True, slots=True)
class Cell:
    """A place of a board: its tokens and its counts."""

    id: str
    tokens: tuple[Token, ...] = ()
    counts: tuple[Fact, ...] = ()
    changed: bool = False
    choices: tuple[int, ...] = ()


Point = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Border:
    """An edge or a corner of a board: its contents, and the direction of an edge."""

    cell: Cell
    run: str = ""  # level, upright, rising or falling


@dataclass(frozen=True, slots=True)
class Board:
    """Cells by (column, row) or (column, row, level) from 1, (ring from 1, sector from 0) or (stretch,
    position).

    A graph has its cells in a row. If edges or corners are things, each has a point, with the north up.
    """

    title: str
    shape: str  # square, hex, rings, track or graph
    columns: int
    rows: int
    cells: Mapping[tuple[int, ...], Cell]
    north_first: bool = False
    near: Mapping[str, tuple[str, ...]] | None = None
    lanes: Mapping[int, str] | None = None  # what rings or stretches are called, where they have names
    levels: int = 1
    points: Mapping[tuple[int, ...], Point] = field(default_factory=dict)
    borders: Mapping[Point, Border] = field(default_factory=dict)

    @property
    def all(self) -> Iterator[Cell]:
        """The cells, then the edges and corners."""
        yield from self.cells.values()
        yield from (border.cell for border in self.borders.values())

    def level(self, level: int) -> Board:
        """One of several levels by itself."""
        cells = {place[:2]: cell for place, cell in self.cells.items() if place[2] == level}
        points = {place[:2]: point for place, point in self.points.items() if place[2] == level}
        height = next((point[2] for point in points.values()), 0)
        borders = {point: border for point, border in self.borders.items() if point[2] == height}
        return replace(self, cells=cells, levels=1, points=points, borders=borders)


@dataclass(frozen=True, slots=True)
class Zone:
    """A hand, a pile or a row: its tokens, and the number of further hidden things."""

    path: str
    label: str
    of: str
    tokens: tuple[Token, ...]
    hidden: int
    changed: bool = False
    small: bool = False
    noun: str = ""  # what the hidden ones are
    in_order: bool = False  # each thing stands where it lies


@dataclass(frozen=True, slots=True)
class Panel:
    """The facts about a player, a thing or the game (with an empty name)."""

    id: str
    name: str
    of: str
    facts: tuple[Fact, ...] = ()
    zones: tuple[Zone, ...] = ()
    box: bool = False
    changed: bool = False
    sign: tuple[str, ...] = ()  # what stands for it on a board, and its letters


@dataclass(frozen=True, slots=True)
class GridRow:
    of: str
    name: str
    label: str
    cells: tuple[str, ...]
    small: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """The amounts that players have of a few things, as a table."""

    heads: tuple[str, ...]
    rows: tuple[GridRow, ...]


def joined(parts: Sequence[str]) -> str:
    """Parts of a choice in a row: an arrow leads from one thing to the next."""
    text = ""
    for part in parts:
        arrow = " → " if text and not part[:1].isdigit() else " "
        text += f"{arrow}{part}" if text else part
    return text


@dataclass(frozen=True, slots=True)
class Offer:
    """A choice: its number, its text, its displayed name and its parts, the last ones first alike."""

    number: int
    text: str
    head: str  # the action or answer, in words
    parts: tuple[str, ...]
    ids: tuple[str, ...]
    hint: tuple[str, ...] = ()  # what it costs and does, piece by piece: words and values
    letters: tuple[str, ...] = ()  # of parts that are called by their signs

    @property
    def words(self) -> str:
        return f"{self.head} {joined(self.parts)}".strip()


@dataclass(frozen=True, slots=True)
class Prompt:
    """The player who decides, and the question; `offers` is None for another seat's decision, `prompt` if it
    is hidden.
    """

    player: str
    name: str
    prompt: str | None
    offers: tuple[Offer, ...] | None


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything on the table, in the order in which it is best looked at."""

    title: str
    seat: str | None
    players: tuple[tuple[str, str], ...]  # ids with names
    boards: tuple[Board, ...]
    panels: tuple[Panel, ...]
    grids: tuple[Grid, ...]
    asked: Prompt | None
    ended: str | None
    phases: tuple[tuple[str, bool], ...] = ()  # of the round or turn, in order, and which one it is now

    def name(self, player: str) -> str:
        return dict(self.players).get(player, player)

    @property
    def tokens(self) -> Iterator[Token]:
        """Every thing that lies somewhere, what lies in others included."""
        for board in self.boards:
            for cell in board.all:
                yield from _all(cell.tokens)
        for panel in self.panels:
            for zone in panel.zones:
                yield from _all(zone.tokens)

    def where(self, wanted: Token) -> str:
        """The place of a thing: `hand of Ann`, `on d4`; empty if it lies in something else.

        A token may stand for all pieces of a sort, if squares store their piece as a value. Then it is on
        several cells.
        """
        same = [
            cell.id for board in self.boards for cell in board.all if wanted.id in {t.id for t in cell.tokens}
        ]
        if same and wanted.id:
            more = f" and {len(same) - MOST_CELLS} more" if len(same) > MOST_CELLS else ""
            return f"on {', '.join(same[:MOST_CELLS])}{more}"
        for panel in self.panels:
            for zone in panel.zones:
                if wanted in zone.tokens:
                    return f"{zone.label} of {panel.name}" if panel.name else zone.label
        return ""


def standing(boards: Sequence[Board]) -> dict[str, str]:
    """The names of tokens on the cells of boards; a cell with several tokens is not named after them."""
    single = [b for b in boards if all(len(cell.tokens) < 2 for cell in b.all)]
    return {c.id: c.tokens[0].name for b in single for c in b.all if c.tokens and c.id}


def _all(tokens: tuple[Token, ...]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _all(token.holds)

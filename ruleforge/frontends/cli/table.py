"""A player's view -> the table on a terminal: boards as grids, then attributes and places by thing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ruleforge.compiling import BoardInfo
from ruleforge.engine.game import Game
from ruleforge.engine.state import State

PALETTE = ("red", "yellow", "blue", "green", "magenta", "cyan")
NAMED = {"white": "bright_white", "black": "bright_black"}
EMPTY = "·"
MOST_ROWS = 40
MOST_COLUMNS = 12
EMPTY_CELL = Text(EMPTY, style="dim")


def table(state: State, player: str) -> RenderableType:
    """Everything the player can see, as a rich renderable."""
    return _Drawing(state, state.view(player)).draw()


def player_style(state: State, player: str) -> str:
    """A colour for a player: the one they are called after, else one from the palette."""
    if player in PALETTE:
        return player
    if player in NAMED:
        return NAMED[player]
    free = [colour for colour in PALETTE if colour not in state.players]
    seat = state.players.index(player) if player in state.players else 0
    return free[seat % len(free)] if free else PALETTE[seat % len(PALETTE)]


def show(console: Console, state: State, player: str) -> None:
    console.print(table(state, player))


class _Drawing:
    def __init__(self, state: State, view: Mapping[str, Any]) -> None:
        self._state = state
        self._game: Game = state.game
        self._attributes: dict[str, Any] = view["attributes"]
        self._places: dict[str, Any] = view["places"]
        self._drawn: set[str] = set()

    def draw(self) -> RenderableType:
        parts: list[RenderableType] = []
        for board in self._game.info.boards:
            parts += self._board(board)
        parts += self._grids()
        parts += self._rest()
        return Group(*parts)

    # --- boards ---

    def _board(self, board: BoardInfo) -> list[RenderableType]:
        """One grid for all that is known of its cells; nothing if nothing is ever on them."""
        layers = self._layers(board)
        if not layers:
            return []
        self._drawn |= {path for layer in layers for path in layer.values()}
        marks = {
            name: self._marks([self._value(layer[name]) for layer in layers if name in layer])
            for name in board.cells.values()
        }
        width = max((len(mark.plain) for mark in marks.values()), default=1)
        width = max(width, len(_letters(board.columns)))
        lines = [Text(f"{board.kind}", style="dim")] if len(self._game.info.boards) > 1 else []
        rows = range(1, board.rows + 1) if board.north_first else range(board.rows, 0, -1)
        for row in rows:
            lines.append(self._line(board, row, marks, width))
        margin = " " * (len(str(board.rows)) + 1)
        letters = " ".join(_letters(column).center(width) for column in range(1, board.columns + 1))
        lines.append(Text(margin + letters, style="dim"))
        return [*lines, Text()]

    def _line(self, board: BoardInfo, row: int, marks: dict[str, Text], width: int) -> Text:
        line = Text(str(row).rjust(len(str(board.rows))), style="dim")
        if board.shape == "hex":  # each row is half a cell further to the right than the one below it
            line.append(" " * ((width + 1) * (row - 1) // 2))
        for column in range(1, board.columns + 1):
            name = board.cells.get((column, row))
            mark = marks[name] if name is not None else Text("")
            pad = width - len(mark.plain)
            line.append(" " * (1 + pad // 2))
            line.append_text(mark)
            line.append(" " * (pad - pad // 2))
        return line

    def _layers(self, board: BoardInfo) -> list[dict[str, str]]:
        """For each attribute or place of the board's cells: cell -> path."""
        layers: dict[str, dict[str, str]] = {}
        for path in (*self._attributes, *self._places):
            owner, _, name = path.rpartition(".")
            cell = owner.removeprefix(f"{board.kind}.")
            if "[" not in path and cell in board.cells.values():
                layers.setdefault(name, {})[cell] = path
        return list(layers.values())

    def _value(self, path: str) -> Any:
        return self._attributes[path] if path in self._attributes else self._places[path]

    def _marks(self, values: Iterable[Any]) -> Text:
        mark = Text()
        for value in values:
            for part in value if isinstance(value, list) else [value]:
                if part not in (None, False, 0):
                    mark.append_text(self._mark(part))
        return mark if mark.plain else Text(EMPTY, style="dim")

    def _mark(self, value: Any) -> Text:
        if value is True:
            return Text("x")
        if isinstance(value, int):
            return Text(str(value))
        if isinstance(value, dict):
            return Text("?")
        if value in self._state.players:
            return Text(
                _initial(value, self._state.players), style=f"bold {player_style(self._state, value)}"
            )
        head, _, number = str(value).rpartition("_")
        if len(head) > 2 and number.isdecimal():  # one of several alike: the number tells them apart
            return Text(head[0] + number, style=head if head in PALETTE else "")
        return Text(str(value)[:2])

    # --- what players have for each of a few things: a row each, the things as columns ---

    def _grids(self) -> list[RenderableType]:
        families: dict[str, dict[str, dict[str, str]]] = {}  # name -> player -> index -> path
        for path in (*self._attributes, *self._places):
            owner, _, name = path.partition(".")
            name, _, index = name.removesuffix("]").partition("[")
            if owner in self._state.players and index and "," not in index and path not in self._drawn:
                families.setdefault(name, {}).setdefault(owner, {})[index] = path
        grids: dict[tuple[str, ...], list[str]] = {}
        for name, owners in families.items():
            columns = tuple(dict.fromkeys(index for row in owners.values() for index in row))
            if 1 < len(columns) <= MOST_COLUMNS:
                grids.setdefault(columns, []).append(name)
        return [part for columns, names in grids.items() for part in self._grid(columns, names, families)]

    def _grid(
        self, columns: tuple[str, ...], names: list[str], families: dict[str, dict[str, dict[str, str]]]
    ) -> list[RenderableType]:
        grid = Table(box=None, pad_edge=False, padding=(0, 1), header_style="dim not bold")
        for head in ("", "", *columns):
            grid.add_column(head)
        for player in self._state.players:
            for name in names:
                cells = families[name].get(player, {})
                self._drawn |= set(cells.values())
                values = [self._value(cells[c]) if c in cells else None for c in columns]
                if not all(value in (None, False, 0, []) for value in values):
                    marks = [Text(_words(v)) if v not in (None, False, 0, []) else EMPTY_CELL for v in values]
                    style = f"bold {player_style(self._state, player)}"
                    grid.add_row(Text(player, style=style), Text(name), *marks)
        return [grid, Text()] if grid.rows else []

    # --- all else ---

    def _rest(self) -> list[RenderableType]:
        by_owner: dict[str, list[tuple[str, Any]]] = {}
        for path, value in (*self._attributes.items(), *self._places.items()):
            owner, _, name = path.rpartition(".")
            if path in self._drawn or self._says_nothing(owner, name, value):
                continue
            by_owner.setdefault(owner, []).append((name, value))
        if not by_owner:
            return []
        grid = Table.grid(padding=(0, 2))
        rows = self._rows(by_owner)
        for head, facts in rows[:MOST_ROWS]:
            style = f"bold {player_style(self._state, head)}" if head in self._state.players else "bold"
            shown = Text("   ".join(f"{name} {_words(value)}" for name, value in facts))
            grid.add_row(Text("" if head == "game" else head, style=style), shown)
        if len(rows) > MOST_ROWS:
            grid.add_row("", f"... and {len(rows) - MOST_ROWS} more")
        return [grid, Text()]

    def _says_nothing(self, owner: str, name: str, value: Any) -> bool:
        """Flags that are not set and empty places; zeros too, but for plain numbers of players and of the game."""
        if value is None or value is False or value == [] or name == "exists":
            return True
        counts = owner in (*self._state.players, "", "game") and "[" not in name
        return value == 0 and not counts

    def _rows(self, by_owner: dict[str, list[tuple[str, Any]]]) -> list[tuple[str, list[tuple[str, Any]]]]:
        """A row for each thing; things with one and the same single fact share a row, headed by it."""
        rows: dict[str, list[tuple[str, Any]]] = {}
        for owner, facts in by_owner.items():
            if len(facts) == 1 and owner and owner != "game" and owner not in self._state.players:
                rows.setdefault(facts[0][0], []).append((owner, facts[0][1]))
            else:
                rows.setdefault(owner, []).extend(facts)
        return list(rows.items())


def _words(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list():
            hidden = sum(name == "?" for name in value)
            seen = [_words(name) for name in value if name != "?"]
            return ", ".join([*seen, *([f"{hidden} hidden"] if hidden else [])])
        case dict():  # a hidden thing and what is marked on it
            marks = value.get("?", {})
            return f"hidden ({', '.join(f'{name} {_words(mark)}' for name, mark in marks.items())})"
    return str(value)


def _letters(column: int) -> str:
    letters = ""
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters


def _initial(name: str, names: tuple[str, ...]) -> str:
    """As few letters as tell the names apart."""
    for length in range(1, len(name)):
        if sum(other.startswith(name[:length]) for other in names) == 1:
            return name[:length].upper()
    return name

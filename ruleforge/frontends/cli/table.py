"""What a seat sees -> the table on a terminal: the engine's drawing with colours."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ruleforge.engine.state import State
from ruleforge.engine.table.drawing import Picture, Rows, drawn
from ruleforge.engine.table.marks import Mark

PALETTE = ("red", "yellow", "blue", "green", "magenta", "cyan")
NAMED = {"white": "bright_white", "black": "bright_black"}


def table(state: State, player: str | None) -> RenderableType:
    """Everything the player (None: the public) can see, as a rich renderable."""
    parts: list[RenderableType] = []
    for part in drawn(state.table(player)):
        parts += _picture(part, state.players) if isinstance(part, Picture) else [_rows(part, state.players)]
        parts.append(Text())
    return Group(*parts)


def player_style(players: tuple[str, ...], player: str) -> str:
    """A colour for a player: the one they are called after, else one from the palette."""
    if player in PALETTE:
        return player
    if player in NAMED:
        return NAMED[player]
    free = [colour for colour in PALETTE if colour not in players]
    seat = players.index(player) if player in players else 0
    return free[seat % len(free)] if free else PALETTE[seat % len(PALETTE)]


def show(console: Console, state: State, player: str | None) -> None:
    console.print(table(state, player))


def _picture(picture: Picture, players: tuple[str, ...]) -> list[RenderableType]:
    return [Text.assemble(*(_painted(mark, players) for mark in line)) for line in picture.lines]


def _rows(part: Rows, players: tuple[str, ...]) -> Table:
    if not part.heads:
        grid = Table.grid(padding=(0, 2))
    else:
        grid = Table(box=None, pad_edge=False, padding=(0, 1), header_style="dim not bold")
        for head in part.heads:
            grid.add_column(head)
    for first, *others in part.rows:
        style = f"bold {player_style(players, first.of)}" if first.of in players else "bold"
        grid.add_row(Text(first.text, style=style), *(_painted(mark, players) for mark in others))
    return grid


def _painted(mark: Mark, players: tuple[str, ...]) -> Text:
    if mark.dim:
        return Text(mark.text, style="dim")
    if mark.of in players:
        return Text(mark.text, style=f"bold {player_style(players, mark.of)}")
    return Text(mark.text, style=mark.of if mark.of in PALETTE else "")

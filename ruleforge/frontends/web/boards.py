"""Draws a board as SVG: each cell with its signs and the choices that name it; shares colours and labels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ruleforge.engine.presentation.cells import initials
from ruleforge.engine.presentation.scene import Board, Cell, Token
from ruleforge.engine.presentation.styled_text import colour_of, text_width
from ruleforge.frontends.web.board_plan import Plan, Shape, plans
from ruleforge.frontends.web.elements import Html, tag

Short = Mapping[str, str]
MOST = 9  # things that are drawn one by one on a cell; alike ones are counted then
LEAST, MOST_DOTS, PREFERRED = (
    52,
    84,
    480,
)  # how wide a cell may be, and a board that is small enough for it, in dots
WIDE = 0.62  # how wide a letter is, measured by its height
Players = tuple[str, ...]


def board_pictures(board: Board, players: Players, titled: bool) -> Html:
    """All levels side by side, under the name of the board where there are several boards."""
    head = [tag("h2", board.title)] if titled else []
    short = _letters(board)
    pictures = (_picture(name or board.title, plan, players, short) for name, plan in plans(board))
    return tag("figure", head, pictures, class_="board")


def _letters(board: Board) -> Short:
    """Short labels of counts, if there are several such counts on the board."""
    labels = {fact.label for cell in board.all for fact in cell.counts}
    return initials(sorted(labels)) if len(labels) > 1 else {}


def _picture(name: str, plan: Plan, players: Players, short: Short) -> Html:
    x, y, width, height = plan.frame
    scale = min(MOST_DOTS, max(LEAST, PREFERRED / width))
    lines = (tag("line", x1=a[0], y1=a[1], x2=b[0], y2=b[1], class_="link") for a, b in plan.links)
    labels = (tag("text", text, x=at[0], y=at[1], font_size=0.3, class_="label") for at, text in plan.labels)
    shapes = sorted(plan.shapes, key=lambda shape: shape.sort == "edge")  # what is narrow lies on top
    return tag(
        "svg",
        lines,
        (_cell(shape, players, short) for shape in shapes),
        labels,
        viewBox=f"{x:.2f} {y:.2f} {width:.2f} {height:.2f}",
        width=round(width * scale),
        height=round(height * scale),
        role="group",
        aria_label=name,
    )


def _cell(shape: Shape, players: Players, short: Short) -> Html:
    cell = shape.cell
    title = words_of_cell(cell, shape.name)
    taken = bool(cell.tokens or cell.counts)
    look = (
        shape.sort,
        "dark" if shape.dark else "",
        "taken" if taken else "",
        "changed" if cell.changed else "",
    )
    about = cell.id or (cell.tokens[0].id if cell.tokens else "")
    return tag(
        "g",
        tag("title", title),
        tag("path", d=shape.outline, class_="ground"),
        [tag("path", d=shape.outline, class_="reach")] if shape.sort == "edge" else (),
        _tokens(shape, players),
        _counts(shape, players, short),
        class_=classes("cell", *look, _only_owner(cell, players)),
        data_choices=numbers(_choices(cell)),
        data_about=about or None,
        aria_label=title,
    )


def _only_owner(cell: Cell, players: Players) -> str:
    """The colour of a place in which something is marked for one player: edges are drawn in it."""
    owners = {token.of for token in cell.tokens} | {fact.of for fact in cell.counts}
    return painted(next(iter(owners)), players) if len(owners) == 1 else ""


def _choices(cell: Cell) -> tuple[int, ...]:
    """The choices of a click on the place: those that name it, or its only thing."""
    on = cell.tokens[0].choices if len(cell.tokens) == 1 else ()
    return tuple(dict.fromkeys((*cell.choices, *on)))


def _tokens(shape: Shape, players: Players) -> Iterator[Html]:
    tokens = shape.cell.tokens
    shown: list[tuple[Token, int]] = [(token, 1) for token in tokens]
    if len(tokens) > MOST:
        shown = _counted(tokens)
    across = math.ceil(math.sqrt(len(shown)))
    rows = -(-len(shown) // across) if shown else 1
    counted = bool(shape.cell.counts)
    size = shape.room * (0.66 if counted else 1) / max(across, 1)
    higher = shape.room * 0.16 if counted else 0.0
    for n, (token, number) in enumerate(shown):
        row = n // across
        in_row = min(across, len(shown) - row * across)
        x = shape.middle[0] + (n % across - (in_row - 1) / 2) * size
        y = shape.middle[1] + (row - (rows - 1) / 2) * size - higher
        sign = token.sign if number == 1 else f"{token.sign}×{number}"
        yield tag(
            "g",
            tag("title", words(token)),
            tag("text", sign, x=x, y=y, font_size=_height(sign, size)),
            class_=classes("token", painted(token.of, players), "changed" if token.changed else ""),
            data_choices=numbers(token.choices) if len(tokens) > 1 else None,
            data_about=token.id or None,
        )


def _counted(tokens: Sequence[Token]) -> list[tuple[Token, int]]:
    found: dict[tuple[str, str], list[Token]] = {}
    for token in tokens:
        found.setdefault((token.sign, token.of), []).append(token)
    return [(alike[0], len(alike)) for alike in found.values()]


def _height(sign: str, room: float) -> float:
    """As large as there is room for."""
    return min(room * 0.85, room / (WIDE * max(1, text_width(sign))))


def _counts(shape: Shape, players: Players, short: Short) -> Iterator[Html]:
    """The counts on a cell: alone in its middle, else under its tokens."""
    counts = shape.cell.counts
    if not counts or shape.sort == "edge":
        return
    title = [f"{short.get(fact.label, '')}{fact.text or '×'}" for fact in counts]
    alone = not shape.cell.tokens
    height = _height(" ".join(title), shape.room) if alone else _height(" ".join(title), shape.room * 0.9)
    y = shape.middle[1] + (0 if alone else shape.room * 0.42)
    parts = (
        tag("tspan", f"{' ' if n else ''}{text}", class_=painted(fact.of, players) or None)
        for n, (text, fact) in enumerate(zip(title, counts, strict=True))
    )
    size = min(height, shape.room * (0.6 if alone else 0.28))
    yield tag("text", parts, x=shape.middle[0], y=y, font_size=size, class_="count")


# Shared display of components: colours, choices, labels.


def classes(*names: str) -> str | None:
    """The names that are not empty, as a class; none at all if there is none."""
    return " ".join(filter(None, names)) or None


def painted(of: str, players: Players) -> str:
    """The class of a colour; empty for none."""
    colour = colour_of(of, players)
    return f"c-{colour}" if colour else ""


def numbers(choices: Iterable[int]) -> str | None:
    """Choices that something belongs to, as an attribute."""
    return " ".join(map(str, choices)) or None


def words(token: Token) -> str:
    """A thing by its name, with its face and what lies in it."""
    name = "something hidden" if token.hidden else token.name
    inside = [words(inner) for inner in token.holds]
    return "; ".join([name, *token.face, *(["with " + ", ".join(inside)] if inside else [])])


def words_of_cell(cell: Cell, name: str = "") -> str:
    """The name of a cell, or else this name, and its contents."""
    there = [*(words(token) for token in cell.tokens), *(f"{f.label} {f.text}".strip() for f in cell.counts)]
    called = cell.id or name
    return f"{called}: {', '.join(there)}" if there else called

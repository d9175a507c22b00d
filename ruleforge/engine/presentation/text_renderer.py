"""The text renderer draws a scene as lines of marks: boards beside panels, boxes side by side, grids, the
rest below.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape

from ruleforge.engine.presentation.boards import picture
from ruleforge.engine.presentation.scene import Fact, Grid, GridRow, Panel, Scene, Token, Zone
from ruleforge.engine.presentation.styled_text import (
    Chunk,
    Line,
    Mark,
    beside,
    colour_of,
    cut,
    flow,
    padded,
    text_of,
    text_width,
    width_of,
)
from ruleforge.support.records import dataclass

LEAST_BESIDE = 34  # columns that panels need beside a board
LEAST_BOX = 17
GAME = "game"
FACES = 6  # more things than this are listed by their names alone


@dataclass(frozen=True, slots=True)
class Paper:
    """The paper to draw on: its width, and whether it shows signs beyond ASCII and small print.

    With few lines it is `tight`: boxes become rows, and faces are left out. With fewer still it has the
    `least`: it only counts the things of a place, unless a choice names them or the player owns the place.
    """

    width: int = 80
    plain: bool = False
    all: bool = False
    tight: bool = False
    least: bool = False
    own: str = ""  # whose places are listed even so


def drawn(scene: Scene, paper: Paper) -> list[Line]:
    """The table, without what is asked."""
    paper = replace(paper, own=scene.seat or "")
    boards: list[Line] = []
    for board in scene.boards:
        boards += [(Mark(board.title, dim=True),)] if len(scene.boards) > 1 else []
        boards += picture(board, paper.plain, paper.width)
    room = paper.width - max(map(width_of, boards), default=0) - 3
    boxes = [panel for panel in scene.panels if panel.box and not paper.tight]
    panels = sorted((p for p in scene.panels if p not in boxes), key=lambda panel: not panel.box)
    aside: list[Line] = []
    left = list(panels)
    while boards and left and room >= LEAST_BESIDE:
        block = _panel(left[0], replace(paper, width=room))
        if len(aside) + len(block) > len(boards) and aside:
            break
        aside += block
        left.pop(0)
    lines = beside(boards, aside) if aside else boards
    lines += _boxes(boxes, paper)
    for grid in scene.grids:
        lines += _grid(grid, paper)
    for panel in left:
        lines += _panel(panel, paper)
    return lines


WHOLE = Paper(100, all=True)


def text(scene: Scene, paper: Paper = WHOLE) -> str:
    """The table as plain text, then who is asked what, or how the game ended."""
    lines = [text_of(line) for line in drawn(scene, paper)]
    lines += [""] if lines else []
    if scene.ended is not None:
        lines.append(scene.ended)
    elif scene.asked is not None:
        lines.append(f"{scene.asked.name}: {scene.asked.prompt or 'decides'}")
    return "\n".join(lines)


# --- panels ---


def game_facts(scene: Scene, paper: Paper) -> Line | None:
    """The facts of the game itself, in one line, if there is a panel for them."""
    panel = next((panel for panel in scene.panels if panel.id == GAME), None)
    if panel is None:
        return None
    facts = [*_facts(panel.facts, paper), *_zones(panel.zones, paper)]
    return tuple(mark for n, fact in enumerate(facts) for mark in (*((Mark("  "),) if n else ()), *fact))


def _panel(panel: Panel, paper: Paper) -> list[Line]:
    own = bool(paper.own) and panel.id == paper.own
    chunks = [
        *_facts(panel.facts, paper),
        *_zones(panel.zones, replace(paper, least=paper.least and not own)),
    ]
    sign = panel.sign[-1 if paper.plain else 0] if panel.sign else ""
    name = f"{sign} {panel.name}" if sign not in ("", panel.name) else panel.name
    head: Line = (Mark(name, of=panel.of, bold=True),) if name else ()
    return flow(chunks, paper.width, head) if chunks or panel.sign else []


def _facts(facts: Iterable[Fact], paper: Paper) -> Iterator[Chunk]:
    for fact in facts:
        if not fact.small or paper.all:
            text = f"{fact.label} {fact.text}".strip()
            yield (Mark(text, of=fact.of, changed=fact.changed),)


def _zones(zones: Iterable[Zone], paper: Paper) -> Iterator[Chunk]:
    for zone in zones:
        if not zone.small or paper.all:
            yield (Mark(f"{zone.label}:", dim=True, changed=zone.changed), Mark(" "), *_lying(zone, paper))


def _lying(zone: Zone, paper: Paper) -> Chunk:
    """The contents of a zone: like things counted and hidden ones last, unless the zone is in order."""
    mine = bool(paper.own) and zone.of == paper.own
    number = len(zone.tokens) + zone.hidden
    if paper.least and number > 1 and not mine and not any(token.choices for token in zone.tokens):
        return (Mark(str(number)),)
    short = (paper.tight or len(zone.tokens) > FACES) and not paper.all
    signs = not paper.plain and not paper.all and _have_signs(zone.tokens)
    count: dict[tuple[str, str, bool, int], int] = {}
    for place, token in enumerate(zone.tokens):
        name = _called(replace(token, name=token.sign) if signs else token, short)
        alike = (name, token.of, token.changed, place if zone.in_order else 0)
        count[alike] = count.get(alike, 0) + 1
    times = "x" if paper.plain else "×"
    marks = [
        Mark(f"{name}{'' if signs else ' '}{times}{number}" if number > 1 else name, of=of, changed=changed)
        for (name, of, changed, _), number in count.items()
    ]
    if zone.hidden:
        marks.append(Mark(f"{zone.hidden} hidden" if marks else f"{zone.hidden} {zone.noun}".rstrip()))
    between = " " if signs else ", "
    return tuple(replace(mark, text=f"{mark.text}{between}") for mark in marks[:-1]) + tuple(marks[-1:])


def _have_signs(tokens: Sequence[Token]) -> bool:
    """Whether they are told apart by signs that the author made for them; letters alone are no sign."""
    names = {token.name for token in tokens}
    made = all(token.sign not in (token.letters, token.name) and not token.hidden for token in tokens)
    return made and len({token.sign for token in tokens}) >= len(names)


def _called(token: Token, short: bool) -> str:
    inner = [_called(inner_token, short) for inner_token in token.holds]
    if token.hidden or token.name == token.sign:
        name = " ".join([token.sign, *inner])
    else:
        name = f"{token.name} [{', '.join(inner)}]" if inner else token.name
    return name if short or not token.face else f"{name} ({', '.join(token.face)})"


# --- boxes and grids ---


def _boxes(panels: Sequence[Panel], paper: Paper) -> list[Line]:
    """As many boxes beside one another as there is room for."""
    if not panels:
        return []
    across = max(1, min(len(panels), paper.width // LEAST_BOX))
    lines: list[Line] = []
    for start in range(0, len(panels), across):
        row = panels[start : start + across]
        width = paper.width // across
        blocks = [_box(panel, replace(paper, width=width - 4)) for panel in row]
        height = max(map(len, blocks))
        filled = [_framed(p, block, height, width, paper.plain) for p, block in zip(row, blocks, strict=True)]
        lines += [tuple(m for block in filled for m in block[n]) for n in range(height + 2)]
    return lines


def _box(panel: Panel, paper: Paper) -> list[Line]:
    lines = flow(_facts(panel.facts, paper), paper.width, indent=0)
    for zone in panel.zones:
        lines += flow(_zones((zone,), paper), paper.width, indent=1)
    return lines


def _framed(panel: Panel, block: list[Line], height: int, width: int, plain: bool) -> list[Line]:
    corners = "+-+|+-+" if plain else "┌─┐│└─┘"
    name = cut(panel.name, width - 2)
    gap = " " if text_width(name) <= width - 5 else ""  # a long name has all the room there is
    line = corners[1] * (width - 2 - 2 * len(gap) - text_width(name))
    head = (
        Mark(f"{corners[0]}{gap}", dim=True),
        Mark(name, of=panel.of, bold=True),
        Mark(f"{gap}{line}{corners[2]}", dim=True),
    )
    side = Mark(corners[3], dim=True)
    rows = [block[n] if n < len(block) else () for n in range(height)]
    body = [(side, Mark(" "), *padded(row, width - 4), Mark(" "), side) for row in rows]
    foot = (Mark(corners[4] + corners[5] * (width - 2) + corners[6], dim=True),)
    return [head, *body, foot]


def _grid(grid: Grid, paper: Paper) -> list[Line]:
    rows = [row for row in grid.rows if paper.all or not row.small]
    if paper.tight:
        rows = [row for n, row in enumerate(rows) if not _says_the_same(row, rows[:n])]
    if not rows:
        return []
    empty = "." if paper.plain else "·"
    names = max(len(row.name) for row in rows)
    labels = max(len(row.label) for row in rows)
    room = paper.width - names - labels - 4
    widths = _widths(grid, rows)
    if _total(widths) > room and not paper.all:  # only what is used
        widths = {n: width for n, width in widths.items() if any(row.cells[n] for row in rows)}
    while _total(widths) > room and max(widths.values()) > 4:
        widest = max(widths, key=lambda n: widths[n])
        widths[widest] -= 1
    heads = _columns({n: grid.heads[n] for n in widths}, widths)
    lines: list[Line] = [(Mark(" " * (names + labels + 4) + heads, dim=True),)]
    for row in rows:
        head = (Mark(row.name.ljust(names + 2), of=row.of, bold=True), Mark(row.label.ljust(labels + 2)))
        lines.append((*head, Mark(_columns({n: row.cells[n] or empty for n in widths}, widths))))
    return lines


def _says_the_same(row: GridRow, above: Sequence[GridRow]) -> bool:
    """Whether the line above is of the same owner, and the same: where room is short it says it for both."""
    return bool(above) and (above[-1].of, above[-1].cells) == (row.of, row.cells)


def _widths(grid: Grid, rows: Sequence[GridRow]) -> dict[int, int]:
    return {n: max(len(head), *(len(row.cells[n]) or 1 for row in rows)) for n, head in enumerate(grid.heads)}


def _total(widths: Mapping[int, int]) -> int:
    return sum(widths.values()) + 2 * len(widths)


def _columns(cells: Mapping[int, str], widths: Mapping[int, int]) -> str:
    return "  ".join(cut(cells[n], width).ljust(width) for n, width in widths.items())


# --- HTML ---

PAPER = Paper(100)


def html(scene: Scene) -> str:
    """The table in a fixed font, then who is asked what, or how the game ended."""
    players = tuple(player for player, _ in scene.players)
    lines = "\n".join(_line(line, players) for line in drawn(scene, PAPER))
    prompt = scene.asked
    last = scene.ended or (f"{prompt.name}: {prompt.prompt or 'decides'}" if prompt else "")
    head = f"<strong>{escape(scene.title)}</strong>"
    return f'<div class="ruleforge">{head}<pre style="line-height:1.2">{lines}</pre>{escape(last)}</div>'


def _line(line: Line, players: tuple[str, ...]) -> str:
    return "".join(_mark(mark, players) for mark in line)


def _mark(mark: Mark, players: tuple[str, ...]) -> str:
    styles = [
        *(["opacity:0.5"] if mark.dim else []),
        *(["font-weight:bold"] if mark.bold else []),
        *(["text-decoration:underline"] if mark.changed else []),
        *([f"color:{colour}"] if (colour := colour_of(mark.of, players)) else []),
    ]
    text = escape(mark.text)
    return f'<span style="{";".join(styles)}">{text}</span>' if styles else text

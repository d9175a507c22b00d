"""Shapes of boards: the cells that a grid leaves out, and tracks of spaces in a row."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from types import MappingProxyType

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.constants import OPERATIONS, constant_number
from ruleforge.lang.checker.geometry import TRACK_DIRECTIONS
from ruleforge.lang.checker.symbols import Symbols
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.model.board_names import CELL, cell_name, places_of
from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.text_parser import parse_expr
from ruleforge.lang.source.scalar_origin import SourceText

At = dict[str, int]
_COMPARED = {
    "is": operator.eq,
    "is not": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_HELP = "compare `column` and `row` with numbers: `column + row > 12`"
AHEAD, BACK = TRACK_DIRECTIONS


def named(grid: m.Grid) -> list[SourceText]:
    """The cells that are left out by name."""
    return [text for text in grid.without if CELL.fullmatch(text.text.strip())]


def outside(grid: m.Grid, symbols: Symbols) -> frozenset[str]:
    """The names of all cells that are left out."""
    found = {text.text.strip() for text in named(grid)}
    for text in grid.without:
        if not CELL.fullmatch(text.text.strip()):
            found |= _cut(grid, text, symbols)
    return frozenset(found)


def _cut(grid: m.Grid, text: SourceText, symbols: Symbols) -> set[str]:
    condition = parse_expr(text, symbols.report)
    cut: set[str] = set()
    places = places_of(grid)
    for place in places if condition is not None else ():
        at = dict(zip(("column", "row", "level"), place, strict=False))
        out = _holds(condition, at, symbols) if condition else None
        if out is None:  # it was reported
            return set()
        cut |= {cell_name(place)} if out else set()
    if condition is not None and len(cut) == len(places):
        symbols.error(
            "RF508", "this leaves out every cell of the board", text.span, "say which cells are left out"
        )
        return set()
    return cut


def _holds(node: n.Expr, at: At, symbols: Symbols) -> bool | None:
    """Whether a condition holds of a cell; None after a diagnostic."""
    match node:
        case n.Not(value=inner):
            found = _holds(inner, at, symbols)
            return None if found is None else not found
        case n.And(parts=parts) | n.Or(parts=parts):
            each = [_holds(part, at, symbols) for part in parts]
            if any(found is None for found in each):
                return None
            return all(each) if isinstance(node, n.And) else any(each)
        case n.Comparison(first=first, rest=rest) if all(op in _COMPARED for op, _ in rest):
            values = [_number(value, at, symbols) for value in (first, *(right for _, right in rest))]
            known = [value for value in values if value is not None]
            if len(known) < len(values):
                return None
            return all(_COMPARED[op](known[i], known[i + 1]) for i, (op, _) in enumerate(rest))
    symbols.error("RF509", "expected a condition about `column` and `row` here", node.span, _HELP)
    return None


def _number(node: n.Expr, at: At, symbols: Symbols) -> int | None:
    match node:
        case n.Name(id=name) if name in at:
            return at[name]
        case n.Name(id=name) if name in symbols.numbers:
            return constant_number(node, symbols)
        case n.Arithmetic(op=op, left=left, right=right) if op in OPERATIONS:
            a, b = _number(left, at, symbols), _number(right, at, symbols)
            if a is None or b is None:
                return None
            if op in ("//", "%") and b == 0:
                symbols.error("RF508", "division by zero", node.span)
                return None
            return int(OPERATIONS[op](a, b))
        case n.Number(value=value):
            return value
        case n.Negative(value=inner):
            positive = _number(inner, at, symbols)
            return None if positive is None else -positive
        case n.Name(id=name):
            symbols.unknown("number of a cell", name, node.span, [*at, *symbols.numbers])
            return None
    symbols.error("RF509", "expected a number here", node.span, _HELP)
    return None


# Tracks: the names of the spaces in each stretch, and the spaces ahead and back of each.


def stretches_of(track: m.Track, kind: t.Kind) -> tuple[m.Stretch, ...]:
    """Those of a track; things in a row are a stretch that is called like their kind."""
    return track.stretches or (m.Stretch(kind.name, track.span, kind.size, track.form == "loop"),)


def joined(stretches: tuple[m.Stretch, ...]) -> list[tuple[m.Stretch, str, str]]:
    """The ways between stretches, by the names of the spaces at both ends: branches off, and ways on."""
    return [
        *((s, s.start.text.strip(), f"{s.name}_1") for s in stretches if s.start),
        *((s, f"{s.name}_{s.length}", s.to.text.strip()) for s in stretches if s.to),
    ]


def track_of(kind: t.Kind, track: m.Track) -> t.Geometry:
    """Ahead leads along a stretch and on from its end; a branch is come to in the direction that is called like it."""
    stretches = stretches_of(track, kind)
    cells = [(n, at) for n, s in enumerate(stretches, start=1) for at in range(1, s.length + 1)]
    number: dict[tuple[int, ...], int] = {cell: place for place, cell in enumerate(cells, start=1)}
    named = {name: place for place, name in enumerate(kind.things, start=1)}
    steps = {name: [0] * len(cells) for name in (AHEAD, BACK)}
    near: list[set[int]] = [set() for _ in cells]

    def join(way: str, a: int, b: int) -> None:
        steps.setdefault(way, [0] * len(cells))[a - 1] = b
        steps[BACK][b - 1] = steps[BACK][b - 1] or a  # where two ways meet, back leads along the first
        near[a - 1].add(b)
        near[b - 1].add(a)

    for row, stretch in enumerate(stretches, start=1):
        for at in range(1, stretch.length):
            join(AHEAD, number[row, at], number[row, at + 1])
        if stretch.loop and stretch.length > 1:
            join(AHEAD, number[row, stretch.length], number[row, 1])
    for stretch, a, b in joined(stretches):
        if a in named and b in named:  # the others were reported
            join(stretch.name if b == f"{stretch.name}_1" else AHEAD, named[a], named[b])
    return t.Geometry(
        kind,
        "track",
        len(stretches),
        max(s.length for s in stretches),
        tuple(cells),
        MappingProxyType(number),
        _frozen(steps),
        tuple(tuple(sorted(others)) for others in near),
        stretches=tuple(s.name for s in stretches),
    )


def _frozen(steps: Mapping[str, list[int]]) -> Mapping[str, tuple[int, ...]]:
    return MappingProxyType({name: tuple(row) for name, row in steps.items()})

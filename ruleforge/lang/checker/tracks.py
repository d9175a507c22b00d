"""Tracks: stretches of spaces that lie in a row -> their names, and what lies ahead and back of each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.vectors import TRACK_DIRECTIONS
from ruleforge.lang.model import ruleset as m

AHEAD, BACK = TRACK_DIRECTIONS


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

    for n, stretch in enumerate(stretches, start=1):
        for at in range(1, stretch.length):
            join(AHEAD, number[n, at], number[n, at + 1])
        if stretch.loop and stretch.length > 1:
            join(AHEAD, number[n, stretch.length], number[n, 1])
    for stretch, a, b in joined(stretches):
        if a in named and b in named:  # the others were complained about
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

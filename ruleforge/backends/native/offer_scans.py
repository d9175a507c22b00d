"""Find scans that only offer their members, and the codes that they offer."""

from __future__ import annotations

from collections.abc import Iterable

from ruleforge.compiler import ir
from ruleforge.compiler.visit import Expression, statements
from ruleforge.support.records import dataclass

SIMD_WIDTH = 4


@dataclass(frozen=True, slots=True)
class Line:
    """An arithmetic sequence of codes: slot x has the code `first` + `step` * x."""

    step: int
    first: int

    def fits(self, slots: int) -> bool:
        """Whether no code is longer than a word."""
        return abs(self.first) + abs(self.step) * (slots + SIMD_WIDTH) < 1 << 31


def packed_bases(body: ir.Body) -> frozenset[int]:
    """The columns whose scans write several codes at once, so they need no unrolling."""
    return frozenset(
        s.base for s in statements(body) if isinstance(s, ir.Scan) and offered_line(s) is not None
    )


def offered_line(scan: ir.Scan) -> Line | None:
    """The codes a scan offers, if that is all it does."""
    return line_of(scan.body, scan.name, scan.size)


def line_of(body: ir.Body, name: str, size: int) -> Line | None:
    """The codes that a body offers for the slots 1..size, if that is all it does."""
    match body:
        case (ir.Offer(code=code),):
            line = _line(code, name)
            return line if line is not None and line.fits(size) else None
    return None


def _line(e: Expression, name: str) -> Line | None:
    match e:
        case ir.Local(name=other) if other == name:
            return Line(1, 0)
        case ir.Const(value=value):
            return Line(0, value)
        case ir.Binary(op=op, left=left, right=right, checked=False) if op in ("+", "-", "*"):
            one, two = _line(left, name), _line(right, name)
            return None if one is None or two is None else _joined(op, one, two)
    return None


def _joined(op: str, one: Line, two: Line) -> Line | None:
    if op == "+":
        return Line(one.step + two.step, one.first + two.first)
    if op == "-":
        return Line(one.step - two.step, one.first - two.first)
    if two.step:
        return None if one.step else Line(one.first * two.step, one.first * two.first)
    return Line(one.step * two.first, one.first * two.first)


def masks(step: int) -> Iterable[int]:
    """For each mask, the differences between the codes of its slots and the code of the first slot."""
    for mask in range(1 << SIMD_WIDTH):
        members = [step * bit for bit in range(SIMD_WIDTH) if mask >> bit & 1]
        yield from (*members, *[0] * (SIMD_WIDTH - len(members)))

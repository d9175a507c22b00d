"""Loops -> how many laps they can have at most, as far as that is easily seen."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from ruleforge.compiler import ir
from ruleforge.compiler.visit import Expression

Range = tuple[int, int]


class Bounds:
    """Between which numbers expressions lie whatever happens: constants, what columns admit, sums of these."""

    def __init__(self, program: ir.Lowered) -> None:
        self.program = program

    def laps(self, loop: Any) -> int | None:
        """None: any number."""
        match loop:
            case ir.ForRange(most=most) if most is not None:
                return most
            case ir.ForRange(low=low, high=high):
                first, last = self.of(low), self.of(high)
                return None if first is None or last is None else max(0, last[1] - first[0] + 1)
            case ir.Each(relation=relation):
                return max(map(len, self.program.relations[relation]), default=0)
            case ir.Scan(size=size):
                return size
            case ir.While(most=most):
                return most
        raise TypeError(f"not a loop: {loop!r}")

    def of(self, e: Expression) -> Range | None:
        match e:
            case ir.Const(value=value):
                return value, value
            case ir.Load(base=base, index=index):
                return self._stored(base, index)
            case ir.Table(table=table):
                values = self.program.tables[table]
                return min(values), max(values)
            case ir.Select(then=then, other=other):
                one, two = self.of(then), self.of(other)
                return None if one is None or two is None else (min(one[0], two[0]), max(one[1], two[1]))
            case ir.Binary(op=op, left=left, right=right) if op in _CORNERS:
                one, two = self.of(left), self.of(right)
                if one is None or two is None:
                    return None
                ends = [_CORNERS[op](a, b) for a in one for b in two]
                return min(ends), max(ends)
        return None

    def _stored(self, base: int, index: Expression | None) -> Range | None:
        """A slot of a column holds what the column admits; a variable index stays within the column of its base."""
        if index is None:
            return self._ranges.get(base)
        return self._ranges.get(base + 1) if base in self._bases and isinstance(index, ir.Local) else None

    @cached_property
    def _bases(self) -> set[int]:
        return {column.base for column in self.program.columns}

    @cached_property
    def _ranges(self) -> dict[int, Range]:
        found: dict[int, Range] = {}
        for column in self.program.columns:
            match column.type:
                case ir.Number(low=low, high=high):
                    held = low, high
                case ir.Flag():
                    held = 0, 1
                case _:
                    continue
            found.update(dict.fromkeys(range(column.base + 1, column.base + column.size + 1), held))
        return found


_CORNERS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "min": min,
    "max": max,
}

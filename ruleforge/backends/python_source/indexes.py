"""Derived lists kept behind the row: for an indexed column, which things hold a value, in ascending order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ruleforge.compiler import ir
from ruleforge.compiler.ranges import Ranges
from ruleforge.compiler.visit import Expression, statements


@dataclass(frozen=True, slots=True)
class Index:
    """The lists of one column. `values`: those looked up, one tail element each; None: one element with all lists.

    `low`: the value of the first list; values outside low .. low + count - 1 are never looked up. `whole`: the
    column holds no others.
    """

    base: int
    size: int
    first: int
    values: tuple[int, ...] | None
    low: int = 0
    count: int = 0
    whole: bool = True

    def keeps(self, low: int, high: int) -> bool | None:
        """Whether values in a range have a list: all (True), none (False), it depends (None)."""
        first, last = self.low, self.low + self.count - 1
        if self.whole or first <= low and high <= last:
            return True
        return False if high < first or low > last else None

    def test(self, text: str) -> str:
        """Python text that tells whether a value has a list."""
        return f"{self.low} <= {text} <= {self.low + self.count - 1}"

    def members(self, value: str, constant: int | None) -> str:
        """Python text of the list of things with a value."""
        if self.values is None:
            place = str(constant - self.low) if constant is not None else _minus(value, self.low)
            return f"r[{self.first}][{place}]"
        assert constant is not None
        return f"r[{self.first + self.values.index(constant)}]"

    def build(self, row: list[Any]) -> list[Any]:
        """The tail elements for a row."""
        words = row[self.base + 1 : self.base + self.size + 1]
        if self.values is not None:
            return [[i for i, word in enumerate(words, 1) if word == value] for value in self.values]
        lists: list[list[int]] = [[] for _ in range(self.count)]
        for i, word in enumerate(words, 1):
            if 0 <= word - self.low < self.count:
                lists[word - self.low].append(i)
        return [lists]


def _minus(text: str, low: int) -> str:
    return text if low == 0 else f"{text} - {low}" if low > 0 else f"{text} + {-low}"


class Indexes:
    """All indexes of a program and where they lie behind the row."""

    def __init__(self, program: ir.Program) -> None:
        self.by_base: dict[int, Index] = {}
        self.row_size = program.row_size
        self.ranges = Ranges(program)
        at = program.row_size
        for number in program.indexed:
            column = program.columns[number]
            looked_up = list(_looked_up(program, column.base))
            if not looked_up:
                continue
            low, high = _domain(program, column)
            values: tuple[int, ...] | None = None
            if all(isinstance(value, ir.Const) for _, value in looked_up):
                values = tuple(sorted({value.value for _, value in looked_up}))
            found = [self.ranges.of(function, value) or (low, low) for function, value in looked_up]
            first, last = max(low, min(f[0] for f in found)), min(high, max(f[1] for f in found))
            whole = (first, last) == (low, high)
            self.by_base[column.base] = Index(column.base, column.size, at, values, first, last - first + 1, whole)
            at += len(values) if values is not None else 1
        self.length = at

    @property
    def bases(self) -> frozenset[int]:
        return frozenset(self.by_base)

    def of_slot(self, base: int, index: Expression | None) -> tuple[Index, Expression] | None:
        """The index a store touches, and the number of the thing."""
        if index is not None:
            found = self.by_base.get(base)
            return (found, index) if found is not None else None
        for found in self.by_base.values():
            if 0 < base - found.base <= found.size:
                return found, ir.Const(base - found.base)
        return None

    def attach(self, words: list[Any]) -> list[Any]:
        row = list(words[: self.row_size])
        for index in self.by_base.values():
            row += index.build(row)
        return row

    def copy_lines(self) -> list[str]:
        """Python lines that turn `c`, a shallow copy of a row, into an independent one."""
        lines = []
        for index in self.by_base.values():
            if index.values is None:
                lines.append(f"c[{index.first}] = [x[:] for x in c[{index.first}]]")
            else:
                lines += [f"c[{index.first + k}] = c[{index.first + k}][:]" for k in range(len(index.values))]
        return lines


def _looked_up(program: ir.Program, base: int) -> Iterator[tuple[str, Any]]:
    """The values a column is scanned for, each with the function that speaks."""
    for function in program.functions.values():
        for statement in statements(function.body):
            if isinstance(statement, ir.Scan) and statement.base == base:
                yield function.name, statement.value
    for site in program.sites:
        if site.sampler is not None:
            for draw in site.sampler.draws:
                if draw[0] == "scan" and draw[1] == base:
                    yield site.enumerator, draw[3]


def _domain(program: ir.Program, column: ir.ColumnInfo) -> tuple[int, int]:
    match column.type:
        case ("number", int(low), int(high)):
            return low, high
        case ("flag",):
            return 0, 1
        case ("kind", int(kind)):
            return 0, len(program.kinds[kind].things) - 1
    raise ValueError(f"column `{column.name}` cannot have an index")

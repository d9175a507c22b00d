"""Derived lists behind the row.

For an indexed column, they hold the things with a value, in ascending order.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from ruleforge.analysis.intervals import Interval, join_all
from ruleforge.analysis.ranges import Ranges, type_range
from ruleforge.backends.api import Choices
from ruleforge.backends.connectivity_index import GroupIndex, find_group_indexes, groups_name, spread
from ruleforge.compiler import ir
from ruleforge.compiler.passes.folding import fold
from ruleforge.compiler.passes.inline import Callers
from ruleforge.compiler.passes.substitution import substitute
from ruleforge.compiler.visit import Expression
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class Index:
    """The lists of one column. `values` are the values that are looked up, with one tail element each. None:
    all lists are in one element.

    `kept`: the values that are looked up, each with a list; `domain`: the possible values of the column.
    """

    base: int
    size: int
    first: int
    values: tuple[int, ...] | None
    covered: Interval
    domain: Interval

    @property
    def whole(self) -> bool:
        return self.domain == self.covered

    @property
    def low(self) -> int:
        return int(self.covered.low)

    @property
    def shift(self) -> int:
        """The offset between a value and the number of its list.

        A few unused lists are cheaper than a subtraction.
        """
        return 0 if 0 <= self.low <= 8 else self.low

    def keeps(self, values: Interval) -> bool | None:
        """Whether values in a range have a list: all (True), none (False), it depends (None)."""
        if values.meet(self.domain).within(self.covered):
            return True
        return False if values.meet(self.covered).is_empty else None

    def test(self, text: str) -> str:
        """Python text that tells whether a value has a list."""
        (first, last), (lowest, highest) = self.covered.ends, self.domain.ends
        if last == highest:
            return text if (first, lowest) == (1, 0) else f"{text} >= {first}"
        return f"{text} <= {last}" if first == lowest else f"{first} <= {text} <= {last}"

    def members(self, value: str, constant: int | None) -> str:
        """Python text of the list of things with a value."""
        if self.values is None:
            place = str(constant - self.shift) if constant is not None else _minus(value, self.shift)
            return f"r[{self.first}][{place}]"
        assert constant is not None
        return f"r[{self.first + self.values.index(constant)}]"

    def build(self, row: list[Any]) -> list[Any]:
        """The tail elements for a row."""
        words = row[self.base + 1 : self.base + self.size + 1]
        if self.values is not None:
            return [[i for i, word in enumerate(words, 1) if word == value] for value in self.values]
        lists: list[list[int]] = [[] for _ in range(self.shift, int(self.covered.high) + 1)]
        for i, word in enumerate(words, 1):
            if word in self.covered:
                lists[word - self.shift].append(i)
        return [lists]


def _minus(text: str, low: int) -> str:
    return text if low == 0 else f"{text} - {low}" if low > 0 else f"{text} + {-low}"


@dataclass(frozen=True, slots=True)
class Mirror:
    """Choices for the members of a list, in the same order, in another element of the tail.

    It keeps the list of interned choices ready for a site that offers one choice for each member. `name` is
    the Python name of a table that maps the number of a member to its choice.
    """

    site: int
    base: int
    value: int
    at: int
    name: str
    codes: tuple[int, ...]


class Indexes:
    """All indexes of a program, and their places behind the row. `mirrored`: choices are objects.

    `ranges` and `callers` are computed once for the text of every variant.
    """

    def __init__(self, program: ir.Program, mirrored: bool = False) -> None:
        self.by_base: dict[int, Index] = {}
        self.row_size = program.row_size
        self.ranges = Ranges(program)
        self._program = program
        at = program.row_size
        for number in program.indexed:
            column = program.columns[number]
            looked_up = list(_looked_up(program, self.ranges, column.base))
            if not looked_up:
                continue
            values: tuple[int, ...] | None = None
            # If every value is known beforehand, each list has a place of its own, and a lookup needs no second index.
            if all(isinstance(value, ir.Const) for _, value in looked_up):
                values = tuple(sorted({value.value for _, value in looked_up}))
            domain = type_range(program, column.type)
            covered = join_all(self.ranges.within(*looked) for looked in looked_up).meet(domain)
            if covered.is_empty:
                continue
            self.by_base[column.base] = Index(column.base, column.size, at, values, covered, domain)
            at += len(values) if values is not None else 1
        self.mirrors: list[Mirror] = []
        for site in program.sites[1:] if mirrored else ():
            found_mirror = self._mirror(program, site, at)
            if found_mirror is not None:
                self.mirrors.append(found_mirror)
                at += 1
        self.group_indexes = find_group_indexes(program, self.ranges, at)
        self.length = at + len(self.group_indexes)

    @cached_property
    def callers(self) -> Callers:
        """The callers of each function. Computed only if the code is not cached."""
        blocks = tuple(block for f in self._program.paused if f is not None for block in f.blocks)
        return Callers(self._program.plain, blocks)

    def _mirror(self, program: ir.Program, site: ir.Site, at: int) -> Mirror | None:
        scan = sole_scan(fold(program.functions[site.enumerator].body, program.tables))
        index = self.by_base.get(scan.base) if scan is not None else None
        if scan is None or index is None or index.values is None or index.size != scan.size:
            return None
        codes = []
        for number in range(1, scan.size + 1):
            (offer,) = fold(substitute(scan.body, {scan.name: ir.Const(number)}), program.tables)
            if not isinstance(offer, ir.Offer) or not isinstance(offer.code, ir.Const):
                return None
            codes.append(offer.code.value)
        assert isinstance(scan.value, ir.Const)
        return Mirror(site.number, scan.base, scan.value.value, at, f"O{site.number}", tuple(codes))

    def mirrors_of(self, index: Index, value: int) -> list[Mirror]:
        return [m for m in self.mirrors if (m.base, m.value) == (index.base, value)]

    def group_indexes_of_slot(
        self, base: int, index: Expression | None
    ) -> tuple[list[GroupIndex], Expression]:
        """The connectivity indexes a store touches, and the number of the cell."""
        if index is not None:
            return [groups for groups in self.group_indexes if groups.base == base], index
        found = [groups for groups in self.group_indexes if 0 < base - groups.base <= groups.size]
        return found, ir.Const(base - found[0].base if found else 0)

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

    def attach(self, words: list[Any], tables: dict[str, list[Any]]) -> list[Any]:
        """A row from its words; `tables` are those of the mirrors, by name."""
        row = list(words[: self.row_size])
        for index in self.by_base.values():
            row += index.build(row)
        for mirror in self.mirrors:
            members = [i for i in range(1, len(mirror.codes) + 1) if row[mirror.base + i] == mirror.value]
            row.append([tables[mirror.name][i] for i in members])
        for groups in self.group_indexes:
            row.append(groups.build(row))
        return row

    def group_names(self) -> dict[str, Any]:
        """The globals of generated code for the connectivity indexes."""
        names: dict[str, Any] = {"spread": spread}
        for groups in self.group_indexes:
            names[groups_name(groups)] = groups.own
            names[f"{groups_name(groups)}_anew"] = groups.refresh
        return names

    def tables(self, choices: Choices) -> dict[str, list[Any]]:
        """The tables of the mirrors; entry 0 is not used."""
        return {m.name: [None, *(choices[m.site][code] for code in m.codes)] for m in self.mirrors}

    def copy_lines(self) -> list[str]:
        """Python lines that turn `c`, a shallow copy of a row, into an independent one."""
        lines = []
        for index in self.by_base.values():
            if index.values is None:
                lines.append(f"c[{index.first}] = [x[:] for x in c[{index.first}]]")
            else:
                lines += [f"c[{index.first + k}] = c[{index.first + k}][:]" for k in range(len(index.values))]
        lines += [f"c[{mirror.at}] = c[{mirror.at}][:]" for mirror in self.mirrors]
        lines += [f"if c[{groups.at}]: c[{groups.at}] = c[{groups.at}][:]" for groups in self.group_indexes]
        return lines


def sole_scan(body: ir.Body) -> ir.Scan | None:
    """The scan of a body that only offers one choice for each member of the scan."""
    match body:
        case (ir.Scan(body=(ir.Offer(),)) as scan,):
            return scan
    return None


def _looked_up(program: ir.Program, ranges: Ranges, base: int) -> Iterator[tuple[str, Any]]:
    """The values a column is scanned for, each with the function that speaks."""
    yield from ((function, scan.value) for function, scan in ranges.scans(base))
    for site in program.sites:
        if site.sampler is not None:
            for draw in site.sampler.draws:
                if isinstance(draw, ir.DrawScan) and draw.base == base:
                    yield site.enumerator, draw.value

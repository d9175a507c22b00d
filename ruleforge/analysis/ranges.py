"""Compute the range of each value of a program: expressions, locals, function results, cells of the state.

`ValueRanges` derives the ranges of expressions from constants, tables and the types of stored values. It
receives the ranges of locals and results. `Ranges` solves them for all functions of a program. A range holds
every number that can occur, and perhaps others. A value that never occurs has the range `EMPTY`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ruleforge.analysis.dataflow import Solver
from ruleforge.analysis.intervals import EMPTY, FLAG, WORD, ZERO, Interval, apply, hull, join_all, single
from ruleforge.compiler import ir
from ruleforge.compiler.visit import Expression, Node, assigned, found_in, statements
from ruleforge.lang.checker.types import WORD as SET_BITS

_FAILED = single(-1)  # what a trial gives where it is stopped


Given = (
    Node | Interval
)  # what a local is given: an expression, a statement that assigns it alone, or any of a range


def anything(name: str) -> Interval:
    return WORD


@dataclass(frozen=True, slots=True)
class Known:
    """The known ranges of locals and arrays of a function, and of results of functions, by name."""

    local: Callable[[str], Interval] = anything
    result: Callable[[str], Interval] = anything


UNKNOWN = Known()


class ValueRanges:
    """The ranges of expressions, by their operands."""

    def __init__(self, program: ir.Lowered) -> None:
        self.program = program
        self._fields: dict[tuple[int, int], Interval] = {}

    @cached_property
    def _cells(self) -> Cells:
        return Cells(self.program)

    @cached_property
    def _tables(self) -> list[Interval]:
        return [hull(table) for table in self.program.tables]

    def of(self, node: Node, known: Known = UNKNOWN) -> Interval:
        """The range of an expression, or of what a statement gives the one local that it assigns."""
        match node:
            case ir.Local(name=name):
                return known.local(name)
            case ir.Const(value=value):
                return single(value)
            case ir.Binary(op=op, left=left, right=right):
                return self.computed(op, self.of(left, known), self.of(right, known))
            case ir.Load():
                return self.loaded(node, known)
            case ir.Table(table=table):
                return self._tables[table]
            case ir.Logic() | ir.LogicNot() | ir.Member() | ir.Connected():
                return FLAG
            case ir.Select(then=then, other=other):
                return self.of(then, known).join(self.of(other, known))
            case ir.Negate(value=value):
                return (-self.of(value, known)).meet(WORD)
            case ir.Element(array=array):
                return known.local(array)
            case ir.CallExpr(function=function) | ir.Perform(function=function):
                return known.result(function).join(ZERO)  # 0 where it ends without one
            case ir.Trial(function=function):
                return known.result(function).join(ZERO).join(_FAILED)
            case ir.ForRange(low=low, high=high):
                return _counted(self.of(low, known), self.of(high, known))
            case ir.Scan(size=size):
                return Interval(1, size)
            case ir.Random(bound=bound):
                return _counted(ZERO, self.of(bound, known) - single(1))
        return WORD

    def computed(self, op: str, left: Interval, right: Interval) -> Interval:
        """The range of a result: what leaves a word is trapped, or does not occur."""
        return apply(op, left, right).meet(WORD)

    def loaded(self, load: ir.Load, known: Known) -> Interval:
        if load.index is None:
            return self._cells.at(load.base)
        if (
            isinstance(load.index, ir.Binary) and load.index.op == "*"
        ):  # what is taken from it may be in the base
            return self._cells.along(load.base, self.of(load.index, known))
        return self._cells.behind(load.base)

    def field(self, relation: int, position: int) -> Interval:
        """The range of a field of a relation's rows."""
        if (relation, position) not in self._fields:
            rows: Iterator[Any] = (row for group in self.program.relations[relation] for row in group)
            values = (row[position] if isinstance(row, tuple) else row for row in rows)
            self._fields[relation, position] = hull(values)
        return self._fields[relation, position]

    def given(self, value: Given, known: Known) -> Interval:
        return value if isinstance(value, Interval) else self.of(value, known)

    def assignments(self, s: Node) -> Iterator[tuple[str, Given]]:
        """The locals and arrays that a statement itself gives a value, each with what it gives."""
        match s:
            case ir.Set(name=name, value=value) | ir.SetElement(array=name, value=value):
                yield name, value
            case ir.NewArray(name=name):
                yield name, ZERO
            case ir.Each(names=names, relation=relation):
                yield from ((name, self.field(relation, k)) for k, name in enumerate(names))
            case _:
                yield from ((name, s) for name in assigned(s))

    def iterations(self, loop: Node) -> int | None:
        """An upper bound on the iterations of a loop. None for any number."""
        match loop:
            case ir.ForRange(most=most) | ir.While(most=most) if most is not None:
                return most
            case ir.ForRange(low=low, high=high):
                first, last = self.of(low).low, self.of(high).high
                return int(Interval(first, last).count) if first > WORD.low and last < WORD.high else None
            case ir.Each(relation=relation):
                return max(map(len, self.program.relations[relation]), default=0)
            case ir.Scan(size=size):
                return size
            case ir.While():
                return None
        raise TypeError(f"not a loop: {loop!r}")


def _counted(first: Interval, last: Interval) -> Interval:
    """The range of a loop variable that counts from `first` to `last`.

    It has the low value at first in any case.
    """
    return EMPTY if first.is_empty or last.is_empty else Interval(first.low, max(first.low, last.high))


# --- cells of the state vector ---


class Cells:
    """The possible values of the cells of columns and places."""

    def __init__(self, program: ir.Lowered) -> None:
        self._slots: dict[int, Interval] = {}
        self._behind: dict[int, Interval] = {}
        for base, first, last, found in _arrays(program):
            self._slots.update(dict.fromkeys(range(base + first, base + last + 1), found))
            for start in range(base, base + last):
                self._behind[start] = self._behind.get(start, EMPTY).join(found)

    def at(self, slot: int) -> Interval:
        return self._slots.get(slot, WORD)

    def behind(self, base: int) -> Interval:
        """The range of the cells behind a base, indexed by the number of a thing or container."""
        return self._behind.get(base, WORD)

    def along(self, base: int, index: Interval) -> Interval:
        """The range of all cells that an index can reach."""
        if index.is_empty:
            return EMPTY
        if index.count > len(self._slots):
            return WORD
        low, high = index.ends
        return join_all(map(self.at, range(base + low, base + high + 1)))


def _arrays(program: ir.Lowered) -> Iterator[tuple[int, int, int, Interval]]:
    """The base of each array of cells, the first and the last number that is added to it, and what the cells hold."""
    for column in program.columns:
        start = hull(program.own[column.base + 1 : column.base + column.size + 1])
        yield column.base, 1, column.size, type_range(program, column.type).join(start)
    for place in program.places:
        things = Interval(0, len(program.kinds[place.holds].things) - 1)
        for base in (place.next, place.previous) if place.form == "list" else ():
            yield base, 1, int(things.high), things
        ends = {"single": (place.occupant,), "list": (place.head, place.tail, place.size)}
        for base in ends.get(place.form, ()):
            yield base, place.first + 1, place.first + place.count, things


def type_range(program: ir.Lowered, type: ir.ValueType, word: int = 0) -> Interval:
    """The possible values of a cell of this type. A set can take several cells; `word` is the number of one."""
    match type:
        case ir.Number(low=low, high=high):
            return Interval(low, high)
        case ir.Flag():
            return FLAG
        case ir.Thing(kind=kind):
            return Interval(0, len(program.kinds[kind].things) - 1)
        case ir.SetOf(kind=kind):
            members = len(program.kinds[kind].things) - 1 - SET_BITS * word
            return Interval(0, (1 << max(0, min(members, SET_BITS))) - 1)
        case ir.Left() as left:
            return Interval(0, left.all)
    raise AssertionError(type)


# --- all functions of a program ---

Key = tuple[str, str]  # a function, and one of its locals or arrays, or RESULT
RESULT = "result of"  # no local is called so
_SETS = frozenset(
    (ir.Set, ir.NewArray, ir.SetElement, ir.ForRange, ir.Scan, ir.Each, ir.Random, ir.Ask, ir.Perform)
)
_CALLS = frozenset((ir.CallExpr, ir.Trial, ir.Connected))


def widened(old: Interval, new: Interval) -> Interval:
    """The widening of a range: a growing bound goes to the limit of a word."""
    return old.widen(new, WORD)


class Ranges(ValueRanges):
    """The solved ranges of a program in direct style: `within(function, expression)`.

    A function without callers can get any arguments. For the others, only the arguments that the program
    passes count.
    """

    def __init__(self, program: ir.Lowered) -> None:
        super().__init__(program)
        self._least: dict[Key, Interval] = {}  # of all that is given values, what is plain to see
        self._given: dict[
            Key, list[tuple[str, Node]]
        ] = {}  # the assigned expressions, each with its function
        self._scans: list[tuple[str, ir.Scan]] = []
        self._connected: list[tuple[str, ir.Connected]] = []
        self.called: dict[str, None] = {}
        for name in program.functions:
            self._look(name)
        for name, function in program.functions.items():
            for parameter in function.parameters if name not in self.called else ():
                self._least[name, parameter] = WORD
        self._solver: Solver[Key, Interval] = Solver(self._solved, EMPTY, Interval.join, widened)
        self._fact: Callable[[Key], Interval] = self._solver.__getitem__

    def settle(self) -> None:
        """Compute all ranges now, so that several threads can query them."""
        facts = self._solver.solve(self._least)
        self._fact = lambda key: facts.get(key, _unwritten(key))

    def within(self, function: str, e: Expression) -> Interval:
        """The range of an expression in a function."""
        return self.of(e, _solved_in(function, self._fact))

    def scans(self, base: int) -> Iterator[tuple[str, ir.Scan]]:
        """The scans of a column, each with the function that speaks."""
        return ((function, scan) for function, scan in self._scans if scan.base == base)

    def connected(self) -> Iterator[tuple[str, ir.Connected]]:
        """All `Connected` expressions, each with its function."""
        return iter(self._connected)

    def _solved(self, key: Key, read: Callable[[Key], Interval]) -> Interval:
        found = self._least.get(key, _unwritten(key))
        for speaker, node in self._given.get(key, ()):
            found = found.join(self.of(node, _solved_in(speaker, read)))
        return found

    def _look(self, function: str) -> None:
        """Find what gives values, and what is called, in a function."""
        for s in statements(self.program.functions[function].body):
            kind = type(s)
            if kind in _SETS:
                for name, value in self.assignments(s):
                    self._give((function, name), function, value)
            if kind is ir.Scan:
                self._scans.append((function, s))
            elif kind is ir.Return:
                self._give((function, RESULT), function, s.value)
            elif kind is ir.Perform:
                self._call(function, s.function, s.arguments)
            elif kind is ir.Ask:
                self._call(function, self.program.sites[s.site].enumerator, s.arguments)
            for e in found_in(s, _CALLS):
                if type(e) is ir.Connected:
                    self._connected.append((function, e))
                else:
                    self._call(function, e.function, e.arguments)

    def _call(self, function: str, callee: str, arguments: tuple[Expression, ...]) -> None:
        self.called[callee] = None
        for parameter, argument in zip(self.program.functions[callee].parameters, arguments, strict=True):
            self._give((callee, parameter), function, argument)

    def _give(self, key: Key, function: str, value: Given) -> None:
        least = self._least.get(key, EMPTY)
        if isinstance(value, ir.Const):
            value = single(value.value)
        if isinstance(value, Interval):
            self._least[key] = least.join(value)
            return
        self._least[key] = least
        self._given.setdefault(key, []).append((function, value))


def _unwritten(key: Key) -> Interval:
    """A function that nothing returns from has no result; of a local that is made later nothing is known."""
    return EMPTY if key[1] == RESULT else WORD


def _solved_in(function: str, read: Callable[[Key], Interval]) -> Known:
    """The solved ranges of the locals of a function, and of results."""
    return Known(lambda name: read((function, name)), lambda callee: read((callee, RESULT)))

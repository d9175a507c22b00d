"""Program -> between which numbers each local lies, as far as that is easily seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from ruleforge.compiler import ir
from ruleforge.compiler.passes.numbers import COMPARISONS, HIGHEST, LOWEST
from ruleforge.compiler.visit import Expression, Node, found_in, statements
from ruleforge.support.records import dataclass

Range = tuple[int, int]
ANY: Range = (LOWEST, HIGHEST)
ROUNDS = 8  # a local that still grows after so many rounds may be anything


_SETS = frozenset(
    (ir.Set, ir.ForRange, ir.Scan, ir.Each, ir.Random, ir.Ask, ir.Perform)
)  # what gives locals values
_ASKED = frozenset((ir.CallExpr, ir.Trial, ir.Connected))


@dataclass
class _Function:
    """What gives locals values in a function and what it looks up, and at which version it was last looked at."""

    name: str
    calls: list[tuple[str, tuple[Expression, ...]]] = field(default_factory=list)
    sets: list[Node] = field(default_factory=list)
    connected: list[ir.Connected] = field(default_factory=list)
    handed: int = -1
    set: int = -1


class Ranges:
    """`of(function, expression)` for the functions of a program in direct style.

    A function nobody calls may get anything; for the others only what the program itself passes is counted.
    """

    def __init__(self, program: ir.Lowered) -> None:
        self.program = program
        self.known: dict[tuple[str, str], Range] = {}
        self._functions = [self._look(name) for name in program.functions]
        self._versions = dict.fromkeys(program.functions, 0)  # how often something grew in a function
        self._tables = [_hull(table) for table in program.tables]
        self._rows: dict[tuple[int, int], list[Range | None]] = {}
        self.called = {callee for each in self._functions for callee, _ in each.calls}
        for name, function in program.functions.items():
            if name not in self.called:
                for parameter in function.parameters:
                    self.known[name, parameter] = ANY
        for turn in range(2 * ROUNDS):
            if not self._round(widen=turn >= ROUNDS):
                break

    def of(self, function: str, e: Expression) -> Range | None:
        """None: no value was ever seen."""
        match e:
            case ir.Const(value=value):
                return value, value
            case ir.Local(name=name):
                return self.known.get((function, name))
            case ir.Table(table=table):
                return self._tables[table]
            case ir.Load(base=base, index=index):
                return self._stored(base) if index is None else ANY
            case ir.LogicNot() | ir.Logic() | ir.Member() | ir.Connected():
                return 0, 1
            case ir.Select(then=then, other=other):
                return _join(self.of(function, then), self.of(function, other))
            case ir.Binary():
                return self._binary(function, e)
        return ANY

    def scans(self, base: int) -> Iterator[tuple[str, ir.Scan]]:
        """The scans of a column, each with the function that speaks."""
        for each in self._functions:
            yield from ((each.name, s) for s in each.sets if type(s) is ir.Scan and s.base == base)

    def connected(self) -> Iterator[tuple[str, ir.Connected]]:
        """All questions whether cells are connected, each with the function that speaks."""
        for each in self._functions:
            yield from ((each.name, e) for e in each.connected)

    def _binary(self, function: str, e: ir.Binary) -> Range | None:
        if e.op in COMPARISONS:
            return 0, 1
        left, right = self.of(function, e.left), self.of(function, e.right)
        if left is None or right is None:
            return None
        match e.op:
            case "+":
                found = left[0] + right[0], left[1] + right[1]
            case "-":
                found = left[0] - right[1], left[1] - right[0]
            case "min" | "max":
                pick = min if e.op == "min" else max
                found = pick(left[0], right[0]), pick(left[1], right[1])
            case "*":
                ends = [one * other for one in left for other in right]
                found = min(ends), max(ends)
            case "%" if right[0] > 0:
                found = 0, right[1] - 1
            case "&" if right[0] >= 0:
                found = 0, right[1]
            case _:
                return ANY
        return found if found[0] >= LOWEST and found[1] <= HIGHEST else ANY

    def _stored(self, slot: int) -> Range:
        for column in self.program.columns:
            if 0 < slot - column.base <= column.size:
                match column.type:
                    case ir.Thing(kind=kind):
                        return 0, len(self.program.kinds[kind].things) - 1
                    case ir.Flag():
                        return 0, 1
        return ANY

    def _round(self, widen: bool) -> bool:
        """All that is handed over, then all that is set; what nothing changed for since its last turn has none."""
        changed = False
        for each in self._functions:
            version = self._versions[each.name]
            for callee, arguments in each.calls if each.handed != version else ():
                names = self.program.functions[callee].parameters
                for parameter, argument in zip(names, arguments, strict=True):
                    changed |= self._grow(callee, parameter, self.of(each.name, argument), widen)
            each.handed = version
        for each in self._functions:
            version = self._versions[each.name]
            for statement in each.sets if each.set != version else ():
                for name, found in self._assigned(each.name, statement):
                    changed |= self._grow(each.name, name, found, widen)
            each.set = version
        return changed

    def _grow(self, function: str, name: str, found: Range | None, widen: bool) -> bool:
        old = self.known.get((function, name))
        new = _join(old, found)
        if new is None or new == old:
            return False
        self.known[function, name] = ANY if widen else new
        self._versions[function] += 1
        return True

    def _assigned(self, function: str, s: Node) -> Iterator[tuple[str, Range | None]]:
        match s:
            case ir.Set(name=name, value=value):
                yield name, self.of(function, value)
            case ir.ForRange(name=name, low=low, high=high):
                start, end = self.of(function, low), self.of(function, high)
                yield name, None if start is None or end is None else (start[0], max(start[0], end[1]))
            case ir.Scan(name=name, size=size):
                yield name, (1, size)
            case ir.Each(names=names, relation=relation):
                yield from zip(names, self._fields(relation, len(names)), strict=True)
            case ir.Random(into=into) | ir.Ask(into=into):
                yield into, ANY
            case ir.Perform(into=into) if into is not None:
                yield into, ANY

    def _fields(self, relation: int, count: int) -> list[Range | None]:
        """Between which numbers each field of a relation's rows lies; one without rows has any number of fields."""
        if (relation, count) not in self._rows:
            rows = [row for group in self.program.relations[relation] for row in group]
            fields = [[row[k] if isinstance(row, tuple) else row for row in rows] for k in range(count)]
            self._rows[relation, count] = [_hull(field) for field in fields]
        return self._rows[relation, count]

    def _look(self, name: str) -> _Function:
        found = _Function(name)
        for s in statements(self.program.functions[name].body):
            kind = type(s)
            if kind in _SETS:
                found.sets.append(s)
            if kind is ir.Perform:
                found.calls.append((s.function, s.arguments))
            elif kind is ir.Ask:
                found.calls.append((self.program.sites[s.site].enumerator, s.arguments))
            for e in found_in(s, _ASKED):
                if type(e) is ir.Connected:
                    found.connected.append(e)
                else:
                    found.calls.append((e.function, e.arguments))
        return found


def _join(one: Range | None, two: Range | None) -> Range | None:
    if one is None or two is None:
        return one or two
    return min(one[0], two[0]), max(one[1], two[1])


def _hull(values: object) -> Range | None:
    numbers = list(values)  # type: ignore[call-overload]
    return (min(numbers), max(numbers)) if numbers else None

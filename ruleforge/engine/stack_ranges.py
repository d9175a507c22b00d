"""Program -> between which numbers each word of a frame lies, as far as the rules that fill it say so.

Rows from outside are held against it. It never says less than what can happen: a saved game is not refused for a word
that is only hard to foresee.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.compiler import ir
from ruleforge.compiler.ranges import ANY, Range, Ranges
from ruleforge.compiler.visit import Expression, Node, statements
from ruleforge.engine.written_words import written_words

_RESULT = "result of"  # no local is called so


class StackRanges(Ranges):
    """Ranges that also know what slots of the row and results of functions can be."""

    def __init__(self, program: ir.Program) -> None:
        self.bounds: dict[str, tuple[tuple[int, int], ...]] = {}  # of loops, by function: see stacked.py
        self._written: dict[str, tuple[frozenset[int], ...]] = {}
        self._slots: dict[tuple[int, bool], Range] = {}
        for slot, found in _slots(program):
            old = self._slots.get(slot, found)
            self._slots[slot] = min(old[0], found[0]), max(old[1], found[1])
        self._returns = [
            (name, statement)
            for name, function in program.functions.items()
            for statement in statements(function.body)
            if isinstance(statement, ir.Return)
        ]
        self._elements = [
            (name, statement)
            for name, function in program.functions.items()
            for statement in statements(function.body)
            if isinstance(statement, ir.SetElement)
        ]
        super().__init__(program)

    def of(self, function: str, e: Expression) -> Range | None:
        match e:
            case ir.Load(base=base, index=index):
                return self._slots.get((base, index is not None), ANY)
            case ir.Element(array=array):
                return _with_zero(self.known.get((function, array)))
            case ir.CallExpr(function=called):
                return _with_zero(self.known.get((called, _RESULT)))
        return super().of(function, e)

    def _round(self, widen: bool) -> bool:
        changed = False
        for function, statement in self._returns:
            changed |= self._grow(function, _RESULT, self.of(function, statement.value), widen)
        for function, element in self._elements:
            changed |= self._grow(function, element.array, self.of(function, element.value), widen)
        return super()._round(widen) or changed

    def _assigned(self, function: str, s: Node) -> Iterator[tuple[str, Range | None]]:
        if isinstance(s, ir.Perform) and s.into is not None:
            yield s.into, _with_zero(self.known.get((s.function, _RESULT)))
        else:
            yield from super()._assigned(function, s)

    def word(self, function: ir.PausedFunction, local: str, block: int) -> Range:
        """What a local, or an element of one, can be where its function goes on with a block.

        What is not needed any more is 0, and so is what was not needed yet.
        """
        if local not in function.parameters and local not in function.filled[block]:
            return 0, 0
        found = self.known.get((function.name, local), ANY)
        sure = local not in function.arrays and function.saved[local] in self._surely(function)[block]
        return found if sure else _with_zero(found)

    def _surely(self, function: ir.PausedFunction) -> tuple[frozenset[int], ...]:
        if function.name not in self._written:
            self._written[function.name] = written_words(function)
        return self._written[function.name]


def _with_zero(found: Range | None) -> Range:
    return (0, 0) if found is None else (min(found[0], 0), max(found[1], 0))


def _slots(program: ir.Program) -> Iterator[tuple[tuple[int, bool], Range]]:
    """What loads give: by the slot, and whether an index is added to it.

    The numbers of containers do not begin at 1, so that the slot before those of a place may be one of something else.
    """
    for column in program.columns:
        found = value_range(program, column.type, column.words)
        for slot in range(column.base, column.base + column.size):
            yield (slot, True), found
            yield (slot + 1, False), found
    for place in program.places:
        things = len(program.kinds[place.holds].things) - 1
        spans = [(place.next, things), (place.previous, things)]
        spans += [
            (base, place.first + place.count) for base in (place.occupant, place.head, place.tail, place.size)
        ]
        for base, span in spans:
            for slot in range(base, base + span) if base else ():
                yield (slot, True), (0, things)


def value_range(program: ir.Program, type: ir.ValueType, words: int = 1) -> Range:
    """What a word of this type can be."""
    match type:
        case ir.Number(low=low, high=high):
            return low, high
        case ir.Flag():
            return 0, 1
        case ir.Thing(kind=kind):
            return 0, len(program.kinds[kind].things) - 1
        case ir.SetOf(kind=kind) if words == 1:
            return 0, (1 << (len(program.kinds[kind].things) - 1)) - 1
        case ir.Left() as left:
            return 0, left.all
    return ANY

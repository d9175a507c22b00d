"""`ReplayedRow` is the row of a step, updated record by record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.backends.api import Row, words
from ruleforge.compiler.ir import (
    Changed,
    ColumnInfo,
    Made,
    Moved,
    NoteInfo,
    Removed,
    Restarted,
    Shown,
    ShuffledThing,
)
from ruleforge.engine import paths

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

RecordValues = tuple[tuple[int, ...], ...]  # the values of a record, each as its words


class ReplayedRow:
    """A copy of the row before a step; records change it as the step has changed the row."""

    def __init__(self, variant: Variant, row: Row) -> None:
        self._variant, self._program = variant, variant.program
        self.words = words(row, variant.program)

    def apply(self, info: NoteInfo, given: RecordValues) -> bool:
        """Do what a record says; False if it says of no change."""
        match info.means:
            case Changed(column=number):
                slot = self._slot(self._program.columns[number], [words[0] for words in given])
                self.words[slot : slot + len(given[-1])] = given[-1]
            case Shown(known=known):
                (thing,), (to,) = given
                self.words[known + thing] |= to
            case Moved(kind=kind, top=top):
                (thing,), _, (to,) = given
                self._move(kind, thing, to, top)
            case ShuffledThing(kind=kind):
                (thing,), (to,) = given
                self._move(kind, thing, to)
            case Restarted(column=number):
                self._restart(self._program.columns[number])
            case Made(kind=kind):
                ((thing,),) = given
                self.words[self._variant.pools[kind] + thing] = 1
            case Removed(kind=kind):
                ((thing,),) = given
                self._remove(kind, thing)
            case _:
                return False
        return True

    def _remove(self, kind: int, thing: int) -> None:
        paths.lift(self._program, self.words, kind, thing)
        for column in self._program.columns:
            if column.kind == kind:
                self._restart(column, thing)
        self.words[self._variant.pools[kind] + thing] = 0

    def _restart(self, column: ColumnInfo, thing: int | None = None) -> None:
        """A column as in the beginning: all of it, or what belongs to one thing."""
        things = len(self._program.kinds[column.kind].things) - 1
        width = column.size if thing is None else column.size // things
        first = column.base + 1 + (width * (thing - 1) if thing else 0)
        self.words[first : first + width] = (column.start,) * width

    def _move(self, kind: int, thing: int, to: int, top: bool = False) -> None:
        for place in self._program.places:
            if place.holds == kind and place.known is not None:
                self.words[place.known + thing] = 0  # the things moved in secret are unknown now
        paths.lift(self._program, self.words, kind, thing)
        target = next((p for p in self._program.places if p.first < to <= p.first + p.count), None)
        if target is not None:
            paths.lay(self.words, target, to, thing, top)

    def _slot(self, column: ColumnInfo, arguments: list[int]) -> int:
        offset = arguments[0] - 1
        for kind, index in zip(column.per, arguments[1:], strict=False):
            offset = offset * (len(self._program.kinds[kind].things) - 1) + index - 1
        return column.base + 1 + offset * column.words

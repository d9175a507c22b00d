"""`Reads` tracks which words of a row a question reads; a viewer may know the answer if the viewer sees all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ruleforge.backends.api import Row
from ruleforge.backends.reference.trace import Observer, TracedRun
from ruleforge.compiler.questions import PlaceLookup
from ruleforge.engine.paths import AttributePath, PlacePath, content
from ruleforge.engine.visibility.conditions import Visibility

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

Call = Callable[[str], int]


class Reads(Observer):
    """Remembers which words of a row were read, also in the copies on which effects are tried."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self.slots: set[int] = set()
        self.tried = False

    def enter(self, run: TracedRun, function: str, arguments: Sequence[int]) -> None:
        self.tried = self.tried or run.tried

    def read(self, run: TracedRun, slot: int) -> None:
        self.slots.add(slot)


class ReadCheck:
    """Those of one viewer, on one row."""

    def __init__(self, variant: Variant, row: Row, viewer: int) -> None:
        self._variant, self._row, self._viewer = variant, row, viewer
        self._visible = Visibility(variant, row)

    def may_look(self, looks: tuple[PlaceLookup, ...], call: Call, reads: Reads) -> bool:
        """Whether the viewer sees the contents of the places that are read; `call` finds those places."""
        for look in looks:
            one = None if look.function is None else call(look.function)
            if not self.see_all(reads):  # which one it is, is hidden already
                return False
            if not self._seen(look, one):
                return False
        return True

    def see_all(self, reads: Reads) -> bool:
        """Whether the viewer sees every attribute that was read so far, and its owner.

        An attribute on a hidden thing can be seen, but without the thing's name. Clues to a player are never
        told by name. `may_look` checks places beforehand, but not for effects that are tried.
        """
        if reads.tried and not self._see_places(reads):
            return False
        hidden = self._variant.visibility.hidden_slots
        paths = {hidden[slot].slot: hidden[slot] for slot in reads.slots if slot in hidden}
        return all(map(self._sees, paths.values()))

    def _sees(self, path: AttributePath) -> bool:
        return (
            path.info.base not in self._variant.visibility.shown_columns
            and self._visible.attribute(self._viewer, path.column, path.indices)
            and self._visible.owner(self._viewer, path)
        )

    def _see_places(self, reads: Reads) -> bool:
        """Whether the viewer sees all that was read of where things lie."""
        lying = self._variant.visibility.place_slots
        read = [lying[slot] for slot in reads.slots if slot in lying]
        return all(one is not None and self._visible.thing(self._viewer, *one) for one in read)

    def thing(self, kind: int, thing: int) -> bool:
        """Whether the viewer sees the identity of a thing."""
        return self._visible.thing(self._viewer, kind, thing)

    def _seen(self, look: PlaceLookup, one: int | None) -> bool:
        program = self._variant.program
        if look.place is None:
            things = range(1, len(program.kinds[look.kind].things)) if one is None else (one,)
            return all(self._visible.thing(self._viewer, look.kind, thing) for thing in things if thing)
        return all(
            self._visible.in_place(self._viewer, path.info, path.indices, thing)
            for path in self._containers(look.place, one)
            for thing in content(program, self._row, path)
        )

    def _containers(self, place: int, one: int | None) -> list[PlacePath]:
        family = (path for path in self._variant.paths.places if path.place == place)
        return [path for path in family if one is None or path.instance == one]

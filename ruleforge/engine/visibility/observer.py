"""Follows a step note by note and says which parts of each note one player may not know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, assert_never

from ruleforge.backends.api import Row, words
from ruleforge.compiler.ir import (
    METER,
    Changed,
    ColumnInfo,
    HiddenSource,
    Made,
    Moved,
    NoteInfo,
    Removed,
    Restarted,
    SetOf,
    Shown,
    ShuffledThing,
    TaintBegins,
    Thing,
)
from ruleforge.engine import paths
from ruleforge.engine.visibility.conditions import EVERYTHING, Visibility

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant


Given = tuple[tuple[int, ...], ...]  # the values of a note, each as its words


class Observer:
    """Looks at the row as it is just before and just after each note."""

    def __init__(self, variant: Variant, viewer: int, row: Row) -> None:
        self._variant = variant
        self._viewer = viewer if variant.hides_something else EVERYTHING
        self._follows = self._viewer != EVERYTHING or bool(variant.info.tells)
        self._row = words(row, variant.program) if self._follows else row
        self._visible = Visibility(variant, row)

    @property
    def learns_only_what_is_open(self) -> bool:
        """Whether anything may be hidden from the viewer at all."""
        return self._viewer != EVERYTHING

    @property
    def viewer(self) -> int:
        return self._viewer

    @property
    def visible(self) -> Visibility:
        """What there is to see after the notes so far."""
        return self._visible

    @property
    def row(self) -> Row:
        """The row after the notes so far."""
        return self._visible.row

    def told(self, info: NoteInfo, given: Given) -> bool:
        """Whether the viewer may know at all that it happened. To be asked before `hidden`."""
        return not given or self._visible.action(self._viewer, info.sees, given[0][0])

    def in_secret(self) -> bool:
        """Whether the step begins with a choice of which the viewer is not told."""
        return not self._visible.answer(self._viewer)

    def follows(self, taint: TaintBegins, whose: Sequence[int]) -> bool:
        """Does the viewer see all that decides about what is done next?"""
        return all(self._sees_source(*found) for found in zip(taint.sources, whose, strict=True))

    def _sees_source(self, source: HiddenSource, whose: int) -> bool:
        match source.form:
            case "column":
                return self._sees_column(source.number, whose)
            case "place":
                return self._sees_place(source.number, whose)
            case "thing":
                return bool(whose) and self._visible.thing(self._viewer, source.number, whose)
            case "past":
                return False
            case form:
                assert_never(form)

    def _sees_column(self, column: int, of: int) -> bool:
        """All values of a column, or those of one thing; which of the things that are not seen has which, too."""
        return all(
            self._visible.attribute(self._viewer, column, path.indices)
            and self._visible.owner(self._viewer, path)
            for path in self._variant.paths.attributes
            if path.column == column and of in (0, path.indices[0])
        )

    def _sees_place(self, place: int, instance: int) -> bool:
        """All that lies in a family of containers, or in one."""
        return all(
            self._visible.in_place(self._viewer, path.info, path.indices, thing)
            for path in self._variant.paths.places
            if path.place == place and instance in (0, path.instance)
            for thing in paths.content(self._variant.program, self._row, path)
        )

    def secret_change(self, info: NoteInfo, hidden: frozenset[int]) -> bool:
        """A change of a value that is seen neither before nor after; that there was one is a secret too."""
        last = len(info.arguments) - 1
        return isinstance(info.means, Changed) and {last - 1, last} <= hidden

    def hidden(self, info: NoteInfo, given: Given) -> frozenset[int]:
        """The positions of the arguments to leave out. Notes must be shown in their order."""
        if not self._follows:
            return frozenset()
        before = self._visible
        if self._write(info, given):
            self._row[METER] = before.row[METER]
            self._visible = Visibility(self._variant, self._variant.runtime.attach(self._row))
        if self._viewer == EVERYTHING:
            return frozenset()
        sights = (before, self._visible)
        return frozenset(n for n in range(len(given)) if not self._sees(sights, info, given, n))

    def _sees(self, sights: tuple[Visibility, Visibility], info: NoteInfo, given: Given, n: int) -> bool:
        if isinstance(info.means, Changed):
            width = len(given) - 2
            if n >= width:  # whose attribute it is may be known when its value is not
                visible = sights[0] if n == width else sights[1]  # the old value, then the new one
                return visible.attribute(
                    self._viewer, info.means.column, tuple(of for (of,) in given[:width])
                )
        match info.arguments[n].type:
            case Thing(kind=kind):
                things = [thing for thing in given[n] if thing]
            case SetOf(kind=kind):
                things = paths.set_members(given[n])
            case _:
                given_in = info.arguments[n].given_in
                return given_in is None or not self._variant.visibility.locals.hides(*given_in)
        return all(any(visible.thing(self._viewer, kind, thing) for visible in sights) for thing in things)

    def _write(self, info: NoteInfo, given: Given) -> bool:
        """Bring the row up to date with what the note tells; False if it tells of no change."""
        match info.means:
            case Changed(column=number):
                slot = self._slot(self._variant.program.columns[number], [words[0] for words in given])
                self._row[slot : slot + len(given[-1])] = given[-1]
            case Shown(known=known):
                (thing,), (to,) = given
                self._row[known + thing] |= to
            case Moved(kind=kind, top=top):
                (thing,), _, (to,) = given
                self._move(kind, thing, to, top)
            case ShuffledThing(kind=kind):
                (thing,), (to,) = given
                self._move(kind, thing, to)
            case Restarted(column=number):
                self._restart(self._variant.program.columns[number])
            case Made(kind=kind):
                ((thing,),) = given
                self._row[self._variant.pools[kind] + thing] = 1
            case Removed(kind=kind):
                ((thing,),) = given
                paths.lift(self._variant.program, self._row, kind, thing)
                for column in self._variant.program.columns:
                    if column.kind == kind:
                        self._restart(column, thing)
                self._row[self._variant.pools[kind] + thing] = 0
            case _:
                return False
        return True

    def _restart(self, column: ColumnInfo, thing: int | None = None) -> None:
        """A column as in the beginning: all of it, or what belongs to one thing."""
        things = len(self._variant.program.kinds[column.kind].things) - 1
        width = column.size if thing is None else column.size // things
        first = column.base + 1 + (width * (thing - 1) if thing else 0)
        self._row[first : first + width] = (column.start,) * width

    def _move(self, kind: int, thing: int, to: int, top: bool = False) -> None:
        program = self._variant.program
        for place in program.places:
            if place.holds == kind and place.known is not None:
                self._row[place.known + thing] = 0  # nobody knows any more what was moved in secret
        paths.lift(program, self._row, kind, thing)
        target = next((p for p in program.places if p.first < to <= p.first + p.count), None)
        if target is not None:
            paths.lay(self._row, target, to, thing, top)

    def _slot(self, column: ColumnInfo, arguments: list[int]) -> int:
        offset = arguments[0] - 1
        for kind, index in zip(column.per, arguments[1:], strict=False):
            offset = offset * (len(self._variant.program.kinds[kind].things) - 1) + index - 1
        return column.base + 1 + offset * column.words

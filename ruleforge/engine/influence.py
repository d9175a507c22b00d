"""What one text has said -> whether the question behind it may hang on what whoever chooses cannot see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ruleforge.backends.api import words
from ruleforge.backends.shaded import Veil
from ruleforge.compiler.ir import RNG_A, WHO
from ruleforge.engine import paths
from ruleforge.engine.paths import AttributePath
from ruleforge.engine.visibility.conditions import Visibility
from ruleforge.engine.visibility.secret_values import hidden_attributes
from ruleforge.quick import dataclass

if TYPE_CHECKING:
    from ruleforge.engine.choice import Choice
    from ruleforge.engine.state import State


@dataclass(frozen=True, slots=True)
class Said:
    """A state, and the choices that were made from there by one text."""

    began: State
    choices: tuple[Choice, ...] = ()

    def then(self, choice: Choice) -> Said:
        return Said(self.began, (*self.choices, choice))

    def leads_to_secrets(self) -> bool:
        """Whether what is asked now, or what can be answered, may tell whoever chose something hidden."""
        variant = self.began._variant
        if not variant.hides_something:
            return False
        row = words(self.began._row, variant.program)
        codes = [choice._code for choice in self.choices]
        return variant.follower.asks_of_secrets(row, codes, lambda: veil(self.began, self.began._row[WHO]))


def veil(state: State, viewer: int) -> Veil:
    """What a seat does not see of a state."""
    variant, row = state._variant, state._row
    visible = Visibility(variant, row)
    by_name = (
        p
        for p in variant.visibility.attributes_of_hidden_things
        if not p.info.parts and not visible.owner(viewer, p)
    )
    unseen = [
        p
        for p in (*hidden_attributes(variant, viewer, row), *by_name)
        if p.info.base not in variant.visibility.shown_columns
    ]
    open_ = frozenset(
        path.instance
        for path in variant.paths.places
        if all(
            visible.in_place(viewer, path.info, path.indices, thing)
            for thing in paths.content(variant.program, row, path)
        )
    )
    return Veil(
        frozenset(
            (*_words(unseen), *variant.visibility.locals_for_chooser.words(words(row, variant.program)))
        ),
        dict(_lying(state, visible, viewer, open_)),
        open_,
        frozenset(_shows(state, visible, viewer)).difference(_words(unseen)),
    )


def _shows(state: State, visible: Visibility, viewer: int) -> Iterator[int]:
    """The words of attributes that a seat sees, and those that say where things lie: how many is seen anywhere.

    That chance acted is seen, too.
    """
    variant = state._variant
    yield RNG_A
    seen = (p for p in variant.paths.attributes if visible.attribute(viewer, p.column, p.indices))
    yield from _words([path for path in seen if path.info.base not in variant.visibility.shown_columns])
    things = [len(kind.things) for kind in variant.program.kinds]
    for place in variant.program.places:
        yield from range(place.where + 1, place.where + things[place.holds])
    for kind, exists in variant.pools.items():
        yield from range(exists + 1, exists + things[kind])


def _words(attributes: Sequence[AttributePath]) -> Iterator[int]:
    for path in attributes:
        yield from range(path.slot, path.slot + path.info.words)


def _lying(
    state: State, visible: Visibility, viewer: int, open_: frozenset[int]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The words that say what lies in containers not open to the seat, with where else a thing may be."""
    variant = state._variant
    for path in variant.paths.places:
        info = path.info
        if path.instance in open_:
            continue
        closed = (p.instance for p in variant.paths.places if p.info.holds == info.holds)
        elsewhere = tuple(instance for instance in closed if instance not in open_)
        for base in (info.occupant, info.head, info.tail):
            if base:
                yield base + path.instance, ()
        for thing in paths.content(variant.program, state._row, path):
            if not visible.in_place(viewer, info, path.indices, thing):
                yield info.where + thing, elsewhere
                for base in (info.next, info.previous):
                    if base:
                        yield base + thing, ()

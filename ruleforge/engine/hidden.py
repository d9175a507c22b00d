"""What a player does not know of a state, varied or compared."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from ruleforge.backends.api import words
from ruleforge.compiler.ir import RNG_A, RNG_B, Flag, Number
from ruleforge.engine import paths
from ruleforge.engine.paths import AttributePath, PlacePath
from ruleforge.engine.sealed import sealed_answers
from ruleforge.engine.sight import Sight
from ruleforge.engine.told import Told, arranged, levelled

if TYPE_CHECKING:
    from ruleforge.engine.state import State


def redealt(state: State, viewer: int, rng: random.Random, alike: bool = False) -> State:
    """Hidden things of a kind change places, or only with things `alike`; the generator is seeded anew."""
    variant = state._variant
    row = levelled(variant.program, words(state._row, variant.program), viewer)
    for kind in range(len(variant.program.kinds)):
        row = Deal(state, viewer, kind, alike).drawn(row, rng)
    if (row[RNG_A], row[RNG_B]) != (0, 0):
        row[RNG_A], row[RNG_B] = rng.randrange(-(2**31), 2**31), rng.randrange(1, 2**31)
    attached = variant.runtime.attach(row)
    return state.copy()._put(attached, variant.runtime.listing(attached))


class Deal:
    """The things of a kind that a viewer cannot see, and the spots where they lie.

    A thing takes over all attributes of the one whose spot it takes; open ones are the same if they are `alike`.
    What the viewer was told of a spot is true of whatever comes to lie there.
    """

    def __init__(self, state: State, viewer: int, kind: int, alike: bool = True) -> None:
        self._state, self._viewer, self._kind, self._alike = state, viewer, kind, alike
        variant, row = state._variant, state._row
        self._sight = Sight(variant, row)
        self._told = Told(variant.program, row, viewer, kind)
        self._spots = [
            (path, thing)
            for path in variant.paths.places
            if path.info.holds == kind and path.info.sees is not None
            for thing in self._content(path)
            if not self._sight.lying(viewer, path.info, path.indices, thing)
        ]

        self._grouped: dict[bool, list[list[int]]] = {}

    def _content(self, path: PlacePath) -> list[int]:
        """What lies in a container; without an order of its own by what was told, so that it says no more than that."""
        things = paths.content(self._state._variant.program, self._state._row, path)
        return sorted(things, key=self._told.left) if self._told and path.info.form == "bag" else things

    @property
    def varies(self) -> bool:
        """Whether there is more than one way to lay them."""
        return any(len(things) > 1 for things in self._groups(apart=False))

    def drawn(self, row: list[int], rng: random.Random, apart: bool = False) -> list[int]:
        """A copy of the row in which they change places at random; each within its place if `apart`."""
        return self._laid(row, lambda things: rng.sample(things, len(things)), apart)

    def in_order(self, row: list[int]) -> list[int]:
        """A copy of the row in which they lie in the order of their kind."""
        return self._laid(row, lambda things: things, apart=False)

    def _laid(self, given: list[int], order: Callable[[list[int]], list[int]], apart: bool) -> list[int]:
        row = list(given)
        swap: dict[int, int] = {}
        for things in self._groups(apart):
            # sorted: how they lie now must not show in the deal
            drawn = order(sorted(things))
            swap.update(
                zip(things, arranged(things, drawn, self._told.fits) if self._told else drawn, strict=True)
            )
        program, now = self._state._variant.program, self._state._row
        holding = {path.instance: (path, paths.content(program, now, path)) for path, _ in self._spots}
        for _, content in holding.values():
            for thing in content:
                paths.lift(program, row, self._kind, thing)
        for path, content in holding.values():
            for thing in content:
                paths.lay(row, path.info, path.instance, swap.get(thing, thing))
        self._hand_over(given, row, swap)
        return row

    def _hand_over(self, given: list[int], row: list[int], swap: dict[int, int]) -> None:
        """Every thing gets the attributes of the one whose place it takes."""
        known = self._state._variant.paths
        for old, new in swap.items():
            for of, to in zip(known.of_thing(self._kind, old), known.of_thing(self._kind, new), strict=True):
                row[to.slot : to.slot + to.info.words] = given[of.slot : of.slot + of.info.words]

    def _groups(self, apart: bool) -> list[list[int]]:
        """Things that may change places, spot by spot."""
        if apart not in self._grouped:
            self._grouped[apart] = self._grouped_now(apart)
        return self._grouped[apart]

    def _grouped_now(self, apart: bool) -> list[list[int]]:
        groups: dict[tuple[object, ...], list[int]] = {}
        for path, thing in self._spots:
            looks = self._looks(thing) if self._alike else ()
            groups.setdefault((looks, path.instance if apart else 0), []).append(thing)
        return list(groups.values())

    def _looks(self, thing: int) -> tuple[object, ...]:
        """What the viewer sees of a hidden thing: the values of its open attributes."""
        variant, row = self._state._variant, self._state._row
        return tuple(
            tuple(row[path.slot : path.slot + path.info.words])
            if self._sight.attribute(self._viewer, path.column, path.indices)
            and path.info.base not in variant.knowledge
            and not path.info.parts
            else None
            for path in variant.paths.of_thing(self._kind, thing)
        )


def varied(state: State, viewer: int, rng: random.Random) -> State:
    """A copy with other values in the attributes that this player cannot see."""
    variant = state._variant
    row = words(state._row, variant.program)
    sight = Sight(variant, state._row)
    unseen = [
        path
        for path in variant.paths.attributes
        if path.info.sees is not None and not sight.attribute(viewer, path.column, path.indices)
    ]
    for path in unseen:
        match path.info.type:
            case Number(low=low, high=high):
                row[path.slot] = rng.randint(low, high)
            case Flag():
                row[path.slot] = rng.randrange(2)
    while shown := _seen_now(state, viewer, row, unseen):  # a value may be seen because of what it is
        for path in shown:
            row[path.slot] = state._row[path.slot]
        unseen = [path for path in unseen if path not in shown]
    return state.copy()._put(variant.runtime.attach(row), state.choices)


def _seen_now(state: State, viewer: int, row: list[int], unseen: list[AttributePath]) -> list[AttributePath]:
    sight = Sight(state._variant, state._variant.runtime.attach(list(row)))
    return [path for path in unseen if sight.attribute(viewer, path.column, path.indices)]


def has_learned(before: State, after: State, viewer: int) -> bool:
    """Whether the generator was used, sealed answers of others came to light, or the player sees what was hidden."""
    if any(before._row[word] != after._row[word] for word in (RNG_A, RNG_B)):
        return True
    variant = before._variant
    if _brought_to_light(before, after, viewer):
        return True
    then, now = Sight(variant, before._row), Sight(variant, after._row)
    for kind, info in enumerate(variant.program.kinds):
        if not variant.holders(kind):
            continue
        for thing in range(1, len(info.things)):
            if now.thing(viewer, kind, thing) and not then.thing(viewer, kind, thing):
                return True
    return any(
        now.attribute(viewer, path.column, path.indices)
        and not then.attribute(viewer, path.column, path.indices)
        and _was_secret(before, after, then, path)
        for path in variant.paths.attributes
        if path.info.sees is not None
    )


def _brought_to_light(before: State, after: State, viewer: int) -> bool:
    variant = before._variant
    waiting = sealed_answers(variant, words(after._row, variant.program))
    then = sealed_answers(variant, words(before._row, variant.program))
    return any(answer not in waiting for answer in then if answer.player != viewer)


def _was_secret(before: State, after: State, then: Sight, path: AttributePath) -> bool:
    """Whether a value was there to be kept from somebody: neither set just now, nor untouched and seen by nobody."""
    words = slice(path.slot, path.slot + path.info.words)
    old = list(before._row[words])
    if old != list(after._row[words]):
        return False
    players = range(1, len(before._variant.player_names) + 1)
    untouched = old == list(before._variant.program.start[words])
    return not untouched or any(then.attribute(player, path.column, path.indices) for player in players)

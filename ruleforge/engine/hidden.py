"""What a player does not know of a state, varied or compared."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ruleforge.backends.api import words
from ruleforge.compiler.ir import RNG_A, RNG_B, Flag, Number, PlaceInfo
from ruleforge.engine import paths
from ruleforge.engine.paths import AttributePath, PlacePath
from ruleforge.engine.sight import Sight

if TYPE_CHECKING:
    from ruleforge.engine.state import State


def reimagined(state: State, viewer: int, rng: random.Random) -> State:
    """The state dealt anew; if that changed what can be chosen now, the true deal is kept.

    Only things that look alike to the player change places: what is marked on them stays theirs.
    """
    other = redealt(state, viewer, rng, alike=True)
    same = [choice.text for choice in other.choices] == [choice.text for choice in state.choices]
    return other if same else state.copy()


def redealt(state: State, viewer: int, rng: random.Random, alike: bool = False) -> State:
    """Hidden things of a kind change places among themselves, and the generator is seeded anew.

    A thing takes over all attributes of the one whose place it takes, or changes only with things `alike`.
    """
    variant = state._variant
    row = words(state._row, variant.program)
    for kind in range(len(variant.program.kinds)):
        _deal_anew(state, viewer, kind, row, rng, alike)
    if (row[RNG_A], row[RNG_B]) != (0, 0):
        row[RNG_A], row[RNG_B] = rng.randrange(-(2**31), 2**31), rng.randrange(1, 2**31)
    attached = variant.runtime.attach(row)
    return state.copy()._put(attached, variant.runtime.listing(attached))


def _deal_anew(state: State, viewer: int, kind: int, row: list[int], rng: random.Random, alike: bool) -> None:
    """Shuffle the things this player cannot see over the spots where they lie."""
    variant = state._variant
    sight = Sight(variant, state._row)
    spots = [
        (path, thing)
        for path in variant.paths.places
        if path.info.holds == kind and path.info.sees is not None
        for thing in paths.content(variant.program, state._row, path)
        if not sight.lying(viewer, path.info, path.indices, thing)
    ]
    if len({path.instance for path, _ in spots}) < 2 and all(path.info.form != "list" for path, _ in spots):
        return
    groups: dict[tuple[object, ...], list[int]] = {}
    for _, thing in spots:
        groups.setdefault(_looks(state, sight, viewer, kind, thing) if alike else (), []).append(thing)
    swap: dict[int, int] = {}
    for things in groups.values():
        # sorted: how they lie now must not show in the deal
        swap.update(zip(things, rng.sample(sorted(things), len(things)), strict=True))
    for path in _holding(spots):
        _refill(state, path, row, swap)
    if not alike:
        _hand_over(state, kind, row, swap)


def _looks(state: State, sight: Sight, viewer: int, kind: int, thing: int) -> tuple[object, ...]:
    """What the player sees of a hidden thing: the values of its open attributes."""
    return tuple(
        tuple(state._row[path.slot : path.slot + path.info.words])
        if sight.attribute(viewer, path.column, path.indices)
        else None
        for path in state._variant.paths.of_thing(kind, thing)
    )


def _hand_over(state: State, kind: int, row: list[int], swap: dict[int, int]) -> None:
    """Every thing gets the attributes of the one whose place it takes."""
    known = state._variant.paths
    for old, new in swap.items():
        for of, to in zip(known.of_thing(kind, old), known.of_thing(kind, new), strict=True):
            row[to.slot : to.slot + to.info.words] = state._row[of.slot : of.slot + of.info.words]


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


def _holding(spots: list[tuple[PlacePath, int]]) -> list[PlacePath]:
    return list({path.instance: path for path, _ in spots}.values())


def _refill(state: State, path: PlacePath, row: list[int], swap: dict[int, int]) -> None:
    """Lay the same number of things at the same spots of one container, with others in the hidden ones."""
    info: PlaceInfo = path.info
    content = [swap.get(thing, thing) for thing in paths.content(state._variant.program, state._row, path)]
    if info.form == "list":
        paths.clear_list(row, info, path.instance)
    for thing in content:
        paths.lay(row, info, path.instance, thing)


def has_learned(before: State, after: State, viewer: int) -> bool:
    """Whether the generator was used, or the player sees a thing now that was hidden from them before."""
    if before._row[RNG_A : RNG_B + 1] != after._row[RNG_A : RNG_B + 1]:
        return True
    variant = before._variant
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


def _was_secret(before: State, after: State, then: Sight, path: AttributePath) -> bool:
    """Whether a value was there to be kept from somebody: neither set just now, nor untouched and seen by nobody."""
    words = slice(path.slot, path.slot + path.info.words)
    old = list(before._row[words])
    if old != list(after._row[words]):
        return False
    players = range(1, len(before._variant.player_names) + 1)
    untouched = old == list(before._variant.program.start[words])
    return not untouched or any(then.attribute(player, path.column, path.indices) for player in players)

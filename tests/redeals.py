"""A state -> the same state with other hidden things: for tests that nothing a seat is told depends on them."""

from __future__ import annotations

import random

from ruleforge import State
from ruleforge.backends.api import words
from ruleforge.compiler.ir import RNG_A, RNG_B, Flag, Number
from ruleforge.engine.paths import AttributePath
from ruleforge.engine.visibility.clues import levelled
from ruleforge.engine.visibility.conditions import Visibility
from ruleforge.engine.visibility.deals import Deal
from tests.inside import variant_of, vector_of


def redealt(state: State, viewer: int, rng: random.Random, alike: bool = False) -> State:
    """Hidden things of a kind change places, or only with things `alike`; the generator is seeded anew."""
    variant = variant_of(state)
    row = levelled(variant.program, words(vector_of(state), variant.program), viewer)
    for kind in range(len(variant.program.kinds)):
        row = Deal(state, viewer, kind, alike).drawn(row, rng)
    if (row[RNG_A], row[RNG_B]) != (0, 0):
        row[RNG_A], row[RNG_B] = rng.randrange(-(2**31), 2**31), rng.randrange(1, 2**31)
    attached = variant.runtime.attach(row)
    return state.copy()._put(attached, variant.runtime.listing(attached))


def varied(state: State, viewer: int, rng: random.Random) -> State:
    """A copy with other values in the attributes that this player cannot see."""
    variant = variant_of(state)
    row = words(vector_of(state), variant.program)
    visible = Visibility(variant, vector_of(state))
    unseen = [
        path
        for path in variant.paths.attributes
        if path.info.sees is not None and not visible.attribute(viewer, path.column, path.indices)
    ]
    for path in unseen:
        match path.info.type:
            case Number(low=low, high=high):
                row[path.slot] = rng.randint(low, high)
            case Flag():
                row[path.slot] = rng.randrange(2)
    while shown := _seen_now(state, viewer, row, unseen):  # a value may be seen because of what it is
        for path in shown:
            row[path.slot] = vector_of(state)[path.slot]
        unseen = [path for path in unseen if path not in shown]
    return state.copy()._put(variant.runtime.attach(row), state.choices)


def _seen_now(state: State, viewer: int, row: list[int], unseen: list[AttributePath]) -> list[AttributePath]:
    visible = Visibility(variant_of(state), variant_of(state).runtime.attach(list(row)))
    return [path for path in unseen if visible.attribute(viewer, path.column, path.indices)]

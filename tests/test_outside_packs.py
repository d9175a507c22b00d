"""Packs of ten things, written from the documents alone: none needs a change of its core.

`outside_packs/` holds one for each core but Soul Gems, whose Veiled Draft has ten cards of the same making.
"""

from pathlib import Path
from random import Random
from typing import Any

import pytest

import ruleforge
from ruleforge.contracts.locks.fingerprint import fingerprint

SHELF = Path(__file__).parent / "outside_packs"
PACKS = sorted(folder.name for folder in SHELF.iterdir())
OPTIONS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in PACKS),
    ("night-market", {"market_seat": "both_seats"}),  # the same deck on both sides
]
DECISIONS = 120


@pytest.mark.parametrize("name", PACKS)
def test_it_is_fine_has_ten_things_and_leaves_the_core_alone(name):
    analysis = ruleforge.analyse(SHELF / name)
    assert [f"{d.span}: {d.message}" for d in analysis.diagnostics] == []
    assert analysis.assembly is not None and analysis.parsed is not None
    alone = ruleforge.analyse(analysis.assembly.core.id)
    assert alone.assembly is not None and alone.parsed is not None
    same = fingerprint(alone.assembly.core, alone.parsed)
    assert fingerprint(analysis.assembly.core, analysis.parsed) == same
    kinds = analysis.assembly.packs[0].adds.kinds
    assert sum(len(kind.things) for kind in kinds) >= 10


@pytest.mark.parametrize(("name", "options"), OPTIONS, ids=str)
def test_random_games_with_it_break_nothing(name, options):
    game, rng = ruleforge.load(SHELF / name), Random(3)
    state = game.start(seed=3, options=options)
    for _ in range(DECISIONS):
        if state.outcome is not None:
            break
        assert state.violations() == ()
        state.apply(rng.choice(state.choices))
    assert game.restore(state.save()) == state


def test_the_same_deck_on_both_sides_has_copies_of_its_own():
    state = ruleforge.load(SHELF / "night-market").start(seed=1, options={"market_seat": "both_seats"})
    mine, other = (sorted(names(state, f"{p}.deck", f"{p}.hand")) for p in ("p1", "p2"))
    assert [name[:-2] for name in mine] == [name[:-2] for name in other] and not {*mine} & {*other}


def names(state: ruleforge.State, *places: str) -> list[str]:
    return [str(thing) for place in places if isinstance(found := state[place], list) for thing in found]

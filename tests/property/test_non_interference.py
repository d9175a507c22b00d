"""Non-interference at every interface: worlds that differ only in what a seat may not know look the same to it.

`secrecy.py` makes the worlds and goes through the interfaces. The long form, over every shipped pack and sets of them,
is part of `make fuzz`.
"""

from __future__ import annotations

import random
from functools import lru_cache
from pathlib import Path

import pytest

import ruleforge
from ruleforge.support.resources import shipped_games
from tests.inside import variant_of
from tests.property.lines import game_of
from tests.property.secrecy import (
    INTERFACES,
    Twins,
    decides,
    secret_answers,
    states_along,
    told_apart,
    twins_of,
)
from tests.shelf import game as shelved
from tests.thorough import most

RULESETS = Path(__file__).resolve().parent.parent / "rulesets"
Table = tuple[str, ...]  # a game, and packs of it
# How many positions are looked at, two in three of them in `make test`, and how many decisions lie between.
TABLES: dict[Table, tuple[int, int]] = {
    ("kuhn-poker",): (4, 1),
    ("leduc-poker",): (8, 1),
    ("dark-hex",): (4, 2),
    ("phantom-tic-tac-toe",): (5, 1),
    ("liars-dice",): (4, 1),
    ("goofspiel",): (4, 1),
    ("hearts",): (3, 9),
    ("texas-holdem",): (6, 3),
    ("fireworks",): (3, 3),
    ("battleship",): (2, 11),
    ("sealed-bid-auction",): (4, 1),
    ("blackjack",): (4, 2),
    ("bridge",): (2, 9),
    ("crazy-eights",): (2, 5),
    ("cribbage",): (3, 4),
    ("euchre",): (3, 4),
    ("gin-rummy",): (2, 6),
    ("spell-duel",): (4, 3),
    ("court",): (6, 3),
    ("parish",): (3, 6),
    ("envoys",): (4, 5),
    (str(RULESETS / "hidden"),): (14, 1),
    (str(RULESETS / "sealed"),): (8, 1),
    (str(RULESETS / "passing"),): (8, 1),
    (str(RULESETS / "planning"),): (8, 1),
    ("splicers",): (6, 6),
    ("primordial-orbs",): (6, 4),
    ("primordial-soup",): (4, 12),
    ("orbit-simulator",): (6, 5),
    ("soul-gems",): (4, 4),
    ("splicers", "open-cards"): (2, 6),
    ("primordial-orbs", "automated-seats", "core-passives"): (3, 5),
    ("primordial-soup", "volcanic-winter"): (2, 12),
    ("orbit-simulator", "heat-sink"): (3, 5),
    ("soul-gems", "veiled-draft"): (3, 3),
}
NAMES = ["-".join(Path(part).name for part in table) for table in TABLES]
over_all = pytest.mark.parametrize("table", TABLES, ids=NAMES)


@lru_cache(maxsize=2)  # all interfaces of one table follow on one another
def states(table: Table) -> tuple[ruleforge.State, ...]:
    count, apart = TABLES[table]
    return states_along(shelved(table[0], table[1:], "python"), 7, most(-(-2 * count // 3), count), apart)


@lru_cache(maxsize=2)
def twins(table: Table) -> tuple[Twins, ...]:
    rng = random.Random(5)
    return tuple(pair for state in states(table) for pair in twins_of(state, rng))


FEWER = {
    "agents": 4,
    "browser": 12,
    "evaluations": 5,
    "refusals": 12,
    "why not": 12,
}  # pairs, where an interface takes long


@pytest.mark.parametrize("interface", INTERFACES)
@over_all
def test_an_interface_tells_a_seat_the_same_in_both_worlds(table, interface):
    pairs = twins(table)
    mine = [pair for pair in pairs if decides(pair[0], pair[2])]
    rest = [pair for pair in pairs if not decides(pair[0], pair[2])]
    few = most(-(-FEWER.get(interface, 40) // 2), FEWER.get(interface, 40)) // (2 if len(table) > 1 else 1)
    for one, two, seat in (*mine[:: len(mine) // few + 1], *rest[:: len(rest) // few + 1]):
        assert INTERFACES[interface](one, seat) == INTERFACES[interface](two, seat), (seat, one.decision)


@over_all
def test_one_choice_in_both_worlds_is_told_in_the_same_words(table):
    rng = random.Random(4)
    assert [found for pair in twins(table) if (found := told_apart(pair, rng))] == []


@over_all
def test_a_secret_answer_is_told_in_the_same_words_whatever_it_is(table):
    rng = random.Random(3)
    assert [found for state in states(table) if (found := secret_answers(state, rng))] == []


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_every_game_that_hides_something_is_looked_at(name):
    hides = variant_of(game_of(name).start(seed=1)).hides_something
    assert not hides or (name,) in TABLES


@over_all
def test_there_are_worlds_to_compare(table):
    assert len(twins(table)) >= 3
    assert any(decides(one, seat) for one, _, seat in twins(table)) or table[0] == "soul-gems"

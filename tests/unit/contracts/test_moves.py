"""Moves are told by both ends and by the things they can be about, as far as what is printed on them says."""

from pathlib import Path

import pytest

import ruleforge

PACKS = Path(__file__).parents[2] / "packs" / "soul-gems"


@pytest.mark.parametrize(
    ("pack", "clause"),
    [
        ("regicide", "SG-R31"),  # a King leaves the board
        ("drop-in", "SG-8.7-a"),  # from the Gem to the board
        ("k-5-r5", "SG-8.5-b"),  # a Pawn, and no King, leaves the board
    ],
)
def test_a_guard_knows_a_move_by_its_ends_and_its_thing(pack, clause):
    assert clause in {clause for fault in ruleforge.judge(PACKS / pack).faults for clause in fault.clauses}


@pytest.mark.parametrize("pack", ["side-step", "k-0-a1", "k-0-a2"])
def test_what_the_condition_leaves_out_is_not_moved(pack):
    assert ruleforge.judge(PACKS / pack).faults == ()


def test_a_condition_about_printed_facts_is_still_a_condition():
    assert ruleforge.judge(PACKS / "k-2-a1").verdict == "accepted"

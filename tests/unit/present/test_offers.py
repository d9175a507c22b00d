"""Offers: however many choices name one thing, they are gathered in one walk."""

from __future__ import annotations

import time

from ruleforge.present.offers import named
from ruleforge.present.seen import SeenChoice, SeenDecision

MANY = 60_000


def test_the_choices_that_name_a_thing_are_numbered_in_one_walk():
    offers = tuple(
        SeenChoice(f"give ann {n}", "give", "give", (("player", "ann", ""), ("", str(n), "")))
        for n in range(MANY)
    )
    began = time.process_time()
    found = named(SeenDecision("ben", "turn", "turn", offers))
    assert time.process_time() - began < 2
    assert found["ann"] == tuple(range(MANY))
    assert found["7"] == (7,)

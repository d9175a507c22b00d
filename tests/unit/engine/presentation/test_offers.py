"""Offers: however many choices name one thing, they are gathered in one walk."""

from __future__ import annotations

import gc
import time

from ruleforge.engine.presentation.observation import SeenChoice, SeenDecision, SeenPart
from ruleforge.engine.presentation.offers import named

MANY = 60_000


def test_the_choices_that_name_a_thing_are_numbered_in_one_walk():
    offers = tuple(
        SeenChoice(
            f"give ann {n}", "give", "give", (SeenPart("player", "ann", "p"), SeenPart("", str(n), "n"))
        )
        for n in range(MANY)
    )
    gc.disable()  # how long collecting takes depends on what other tests have left
    began = time.process_time()
    found = named(SeenDecision("ben", "turn", "turn", offers))
    took = time.process_time() - began
    gc.enable()
    assert took < 2
    assert found["ann"] == tuple(range(MANY))
    assert found["7"] == (7,)

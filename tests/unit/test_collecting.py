"""Whoever loads rules again and again does not keep what came of it, and whoever only asks pays for no search."""

from __future__ import annotations

import subprocess
import sys

LOADS = 150
LOADED = f"""
import gc, ruleforge
from ruleforge import collecting
from ruleforge.engine.variant import Variant
collecting.PAUSE, collecting.FEW = 0.02, 1000
for _ in range({LOADS}):
    ruleforge.load("tic-tac-toe", backend="python").start()
print(sum(isinstance(one, Variant) for one in gc.get_objects()))
"""
ASKED = """
import gc
from ruleforge import collecting
from ruleforge.collecting import uncollected
collecting.FEW = 1000
searches = []
gc.callbacks.append(lambda phase, info: searches.append(info["generation"]))
for _ in range(2000):
    with uncollected():
        pass
print(searches.count(2))
"""


LAID_ASIDE = """
import gc, time
from ruleforge.collecting import uncollected
kept = [[number] for number in range(300_000)]
gc.freeze()
def asked():
    with uncollected():
        pass
began = time.process_time()
for _ in range(1000):
    asked()
first = time.process_time() - began
assert gc.get_freeze_count() >= 300_000  # what the host has laid aside stays there
with uncollected():
    began = time.process_time()
    while time.process_time() - began < 0.05:
        pass
assert gc.get_freeze_count() >= 300_000
print(int(1000 * first))
"""

LAID_ASIDE_LATER = """
import gc, time
from ruleforge.collecting import uncollected
def work():
    with uncollected():
        began = time.process_time()
        while time.process_time() - began < 0.05:
            pass
work()
gc.freeze()
laid_aside = gc.get_freeze_count()
work()
print(laid_aside - gc.get_freeze_count())
"""


# Without a pause: how much is made until a search is the same on every machine, however fast it is.
UNTIL_A_SEARCH = """
import gc
from ruleforge import analyse, collecting
collecting.PAUSE, collecting.FEW = 0, 1000
kept, searches = [analyse("nim")], []
collecting.at_rest()  # now it is known how much there is
gc.callbacks.append(lambda phase, info: searches.append(info["generation"]))
{begin}
while not searches.count(2):
    kept.append(analyse("nim"))
    {after}
print(len(kept))
"""


def _printed(code: str) -> int:
    """In a process of its own: where tests run, garbage is looked for in another way."""
    return int(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    )


def test_games_that_nobody_plays_any_more_do_not_pile_up() -> None:
    assert _printed(LOADED) < LOADS / 2


def test_where_somebody_rests_nobody_searches_before() -> None:
    """An editor that is typed into is not held up; if nobody ever rests, memory is still bounded."""
    at_once = _printed(UNTIL_A_SEARCH.format(begin="", after=""))
    rest = "collecting.leave_for_rest()"
    busy = _printed(UNTIL_A_SEARCH.format(begin=rest, after=""))
    rested = _printed(UNTIL_A_SEARCH.format(begin=rest, after="collecting.at_rest()"))
    assert at_once < busy < 4 * at_once
    assert abs(rested - at_once) <= 1  # what an analysis throws away may be gone, or not yet


def test_nobody_searches_where_nothing_was_made() -> None:
    assert _printed(ASKED) == 0


def test_what_the_host_has_laid_aside_is_neither_touched_nor_counted_at_every_question() -> None:
    assert _printed(LAID_ASIDE) < 1000  # milliseconds for a thousand; to count takes several each time


def test_nor_is_what_it_lays_aside_after_some_work() -> None:
    assert _printed(LAID_ASIDE_LATER) < 100  # some of it may have gone by itself

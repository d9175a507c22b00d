"""Whoever loads rules again and again does not keep what came of it."""

from __future__ import annotations

import subprocess
import sys

from ruleforge.collecting import OFTEN

LOADED = f"""
import gc, ruleforge
from ruleforge.engine.variant import Variant
for _ in range({OFTEN}):
    ruleforge.load("tic-tac-toe", backend="python").start()
print(sum(isinstance(one, Variant) for one in gc.get_objects()))
"""


def test_games_that_nobody_plays_any_more_do_not_pile_up() -> None:
    """In a process of its own: where tests run, garbage is looked for in another way."""
    ended = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert int(ended.stdout) < OFTEN / 2

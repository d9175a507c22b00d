"""Rules and games that tests share, read once; tests of one game run together (`conftest.py`), so few are kept."""

from __future__ import annotations

from functools import lru_cache

import ruleforge
from ruleforge.engine.game import Game
from ruleforge.engine.loader import opened
from ruleforge.project.pipeline import Analysis


@lru_cache(maxsize=6)
def rules(name: str, packs: tuple[str, ...] = ()) -> Analysis:
    """What is known of the rules of a shipped game, or of a folder that no test changes."""
    return ruleforge.analyse(name, packs)


@lru_cache(maxsize=12)
def game(name: str, packs: tuple[str, ...] = (), backend: str = "auto") -> Game:
    """As `ruleforge.load`, with one reading of the rules for all backends; games do not change."""
    return fresh(name, packs, backend)


def fresh(name: str, packs: tuple[str, ...] = (), backend: str = "auto") -> Game:
    """One that nobody has played yet, where it counts what was compiled for it."""
    return opened(rules(name, packs), name, backend)

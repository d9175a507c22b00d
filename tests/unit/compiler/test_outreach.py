"""A store stays within the words that it is said to reach."""

from __future__ import annotations

import random

import pytest

from ruleforge.backends.api import words
from ruleforge.backends.watched import WatchedRun
from ruleforge.compiler import ir
from ruleforge.compiler.outreach import Outreach
from tests.property.lines import game_of


class _Stores:
    def __init__(self, program: ir.Program) -> None:
        self.outreach, self.seen = Outreach(program), 0

    def before(self, run: WatchedRun, statement: object) -> None:
        if isinstance(statement, ir.Store) and statement.index is not None:
            self.seen += 1
            assert run.slot(statement.base, statement.index) in self.outreach.extent(statement.base)

    def chance(self, run: WatchedRun, random: ir.Random, following: ir.Body) -> None:
        return None


@pytest.mark.parametrize("name", ["splicers", "soul-gems", "gin-rummy", "chess", "orbit-simulator"])
def test_a_store_stays_within_its_extent(name: str) -> None:
    rng = random.Random(3)
    state = game_of(name).start(seed=3)
    program = state._variant.program
    stores = _Stores(program)
    for _ in range(60):
        choice = rng.choice(state.choices)
        WatchedRun(program, words(state._row, program), stores, []).go_on(choice._code)
        state.apply(choice)
    assert stores.seen > 20

"""States can be pickled and deep-copied, also from one process to another."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import ruleforge
from ruleforge.play.session import Session
from tests.unit.small_games import FAIR, rules_file, small_game

UNPICKLE = """
import pickle, sys
state = pickle.load(sys.stdin.buffer)
print(state.digest, len(state.choices), state.game.id)
"""


def midway(game: ruleforge.Game) -> ruleforge.State:
    state = game.start(seed=3)
    state.apply(state.choices[0])
    return state


@pytest.mark.parametrize("game", ["nim", "kuhn-poker", rules_file(FAIR)], ids=["shipped", "hiding", "path"])
def test_a_state_comes_back_from_pickle(game: str | Path):
    state = midway(ruleforge.load(game))
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert again.choices == state.choices and again.game is state.game
    again.apply(again.choices[0])
    assert again != state


@pytest.mark.parametrize("game", ["nim", rules_file(FAIR)], ids=["shipped", "path"])
def test_a_state_comes_back_in_another_process(game: str | Path):
    state = midway(ruleforge.load(game))
    ran = subprocess.run(
        [sys.executable, "-c", UNPICKLE], input=pickle.dumps(state), capture_output=True, cwd="/", check=True
    )
    assert ran.stdout.decode().split() == [state.digest, str(len(state.choices)), state.game.id]


def test_the_way_it_was_started_comes_along():
    state = small_game().start(players=3, options={"rounds": 2}, chance="explicit")
    again = pickle.loads(pickle.dumps(state))
    assert again == state and again.options == state.options


def test_rules_that_have_changed_are_not_taken_for_the_old_ones(tmp_path: Path):
    file = tmp_path / "fair.yaml"
    file.write_text(FAIR, "utf-8")
    data = pickle.dumps(ruleforge.load(file).start())
    gc.collect()  # else the old rules are still at hand
    file.write_text(FAIR.replace("coins: 0..9 = 3", "coins: 0..9 = 4"), "utf-8")
    with pytest.raises(ruleforge.RestoreError, match="have changed"):
        pickle.loads(data)


def test_copies_are_independent():
    state = midway(small_game())
    for twin in (copy.deepcopy(state), copy.copy(state)):
        assert twin == state and twin.game is state.game
        twin.apply(twin.choices[0])
        assert twin != state


def test_a_session_can_be_copied_with_its_history():
    session = Session(small_game().start(), analysis=True)
    session.apply("draw")
    twin = copy.deepcopy(session)
    twin.apply("draw")
    assert (len(session.turns), len(twin.turns)) == (1, 2)
    assert [str(e) for e in twin.turns[0].events] == [str(e) for e in session.turns[0].events]
    twin.undo()
    assert twin.state == session.state

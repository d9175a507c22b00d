"""The recommended backend changes from generated Python to machine code in the middle of play, and nobody can tell."""

from __future__ import annotations

import pickle
import random

import pytest

import ruleforge
from ruleforge.backends import auto, native
from ruleforge.backends.auto import Tiered
from ruleforge.backends.python_source import GeneratedPython
from ruleforge.support.resources import shipped_games
from tests.differential.test_backends import in_step
from tests.inside import vector_of
from tests.shelf import fresh
from tests.shelf import game as shelved
from tests.unit.engine.test_batch import STUMBLES
from tests.unit.small_games import rules_file


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game is taken for a slow one, at its second copy."""
    for name, value in (("SMALL", -1), ("SHORT", 0), ("WARM", 2), ("SLOW", -1.0)):
        monkeypatch.setattr(auto, name, value)


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_nobody_can_tell_when_it_changes(name: str) -> None:
    ours, theirs = fresh(name), shelved(name, backend="python")
    rng = random.Random(name)
    mine, other = ours.start(seed=3), theirs.start(seed=3)
    before = mine.copy()
    in_step(mine, other, rng, limit=3)  # not yet
    branch, twin = mine.copy(), other.copy()
    in_step(branch, twin, rng, limit=12)  # from here on in machine code
    assert is_machine_code(branch) or mine.outcome is not None
    for player in branch.players:
        assert branch.view(player) == twin.view(player)
        assert branch.has_learned_since(mine, player) == twin.has_learned_since(other, player)
    assert ours.playouts(branch, 3, 7, 5) == theirs.playouts(twin, 3, 7, 5)
    assert pickle.loads(pickle.dumps(branch)) == branch == ours.restore(branch.save())
    in_step(before, theirs.start(seed=3), rng, limit=6)
    if mine.outcome is None:
        in_step(mine.sample_world(mine.players[0], random.Random(1)), _again(theirs, mine), rng, limit=4)


def _again(game: ruleforge.Game, state: ruleforge.State) -> ruleforge.State:
    return game.restore(state.sample_world(state.players[0], random.Random(1)).save())


def is_machine_code(state: ruleforge.State) -> bool:
    return vector_of(state).__class__ is not list


def runtime_of(game: ruleforge.Game) -> object:
    return game.variant(game.compiled.setup()).runtime


def test_small_games_stay_as_they_are() -> None:
    assert isinstance(runtime_of(ruleforge.load("tic-tac-toe")), GeneratedPython)
    assert isinstance(runtime_of(ruleforge.load("othello")), Tiered)


def test_quick_games_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "SLOW", 1e9)
    state = ruleforge.load("othello").start()
    for _ in range(20):
        state.copy().apply(state.choices[0])
    assert not is_machine_code(state)


def test_without_machine_code_everything_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "missing", lambda: "ruleforge[native]")
    game = ruleforge.load("othello")
    assert isinstance(runtime_of(game), GeneratedPython)
    assert game.playouts(game.start(), games=auto.MANY, most=2).games == auto.MANY


@pytest.mark.parametrize("name", ["tic-tac-toe", "othello"])
def test_many_games_are_the_same_wherever_they_are_played(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = ruleforge.load(name)
    state = game.start()
    state.apply(state.choices[0])
    inside = game.playouts(state, games=20, seed=4, most=30)
    monkeypatch.setattr(auto, "MANY", 20)
    assert game.playouts(state, games=20, seed=4, most=30) == inside


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("name", ["hearts", "othello"])
def test_single_playouts_are_the_same(name: str) -> None:
    ours, theirs = fresh(name), shelved(name, backend="python")
    state = ours.start(seed=2)
    for _ in range(3):
        branch = state.copy()
        branch.apply(branch.choices[0])
    assert is_machine_code(branch)
    assert ours.playout(branch, 5) == theirs.playout(theirs.restore(branch.save()), 5)


@pytest.mark.usefixtures("eager")
def test_a_choice_that_is_taken_back_leaves_the_position_as_it_was() -> None:
    game = ruleforge.load(rules_file(STUMBLES))
    state = game.start()
    state.copy().apply("step")
    branch = state.copy()
    for _ in range(3):
        branch.apply("step")
    before = branch.save()
    assert is_machine_code(branch)
    with pytest.raises(ruleforge.IllegalChoice):
        branch.apply("step")
    assert branch.save() == before

"""Everything in a state has a path that reads it, and that a scenario can write."""

from __future__ import annotations

import pytest

import ruleforge
from ruleforge.backends.artifacts.query_programs import Answering
from tests.inside import variant_of
from tests.unit.small_games import small_game


@pytest.fixture
def state() -> ruleforge.State:
    return small_game().start()


def test_attributes_read_as_names(state):
    assert state["ann.coins"] == 3
    assert state["tea.open"] is True
    assert state["tea.owner"] is None
    assert state["game.round"] == 1
    assert state["ann.friends"] == []
    assert state["ann.tastes[tea]"] == 0
    assert state["ann.tastes[ tea ]"] == 0


def test_places_read_as_lists_or_a_single_thing(state):
    assert state["deck"] == ["red", "blue", "green", "pie"]
    assert state["ann.hand"] == []
    assert state["tea.prize"] is None


def test_a_name_of_two_kinds_needs_its_kind(state):
    assert state["stall.pie.open"] is True
    assert "stall.pie.open" in state.paths()
    with pytest.raises(ruleforge.PathError):
        state["pie.open"]
    assert state["player.ann.coins"] == 3  # the long form is always understood


def test_special_paths(state):
    assert state["decision.player"] == "ann"
    assert state["decision.kind"] == "turn"
    assert state["outcome.reason"] is None
    state.apply("close")
    found = [state[path] for path in ("decision.player", "outcome.reason", "outcome.winners")]
    assert found == [None, "closed", ["ann"]]


@pytest.mark.parametrize(
    "path", ["", "ann", "ann.coin", "ann.tastes", "decision.x", "ann.hand[x]", "a.b.c.d"]
)
def test_unknown_paths_are_refused(state, path):
    with pytest.raises(ruleforge.PathError) as refused:
        state[path]
    assert refused.value.code == "RF830"


def test_every_path_reads(state):
    assert len(state.paths()) == len(set(state.paths()))
    for path in state.paths():
        state[path]
        assert path in state.paths()


def test_patches_write_what_can_be_read(state):
    values = {
        "ann.coins": 9,
        "tea.open": False,
        "tea.owner": "ben",
        "ann.friends": ["tea", "pie"],
        "ann.tastes[pie]": 5,
        "deck": ["green", "red"],
        "ann.hand": ["blue"],
        "tea.prize": "pie",
    }
    patched = state.patched(values)
    for path, value in values.items():
        assert patched[path] == value
    assert state["ann.coins"] == 3
    assert "buy tea" not in [c.text for c in patched.choices]
    assert "hang blue" in [c.text for c in patched.choices]
    patched.apply("draw")
    assert patched["ann.hand"] == ["blue", "green"]
    assert patched["deck"] == ["red"]


def test_patched_ordered_places_keep_their_order(state):
    patched = state.patched({"deck": ["pie", "blue", "red", "green"]})
    assert patched["deck"] == ["pie", "blue", "red", "green"]
    patched = patched.patched({"ann.hand": ["blue"]})
    assert patched["deck"] == ["pie", "red", "green"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("ann.coins", 10),
        ("ann.coins", True),
        ("ann.coins", "many"),
        ("tea.open", 1),
        ("tea.owner", "pie"),
        ("ann.friends", ["ann"]),
        ("ann.friends", "tea"),
        ("deck", ["gold"]),
        ("deck", ["red", "red"]),
        ("deck", 3),
        ("tea.prize", ["red", "blue"]),
        ("decision.player", "ben"),
    ],
)
def test_values_that_do_not_fit_are_refused(state, path, value):
    digest = state.digest
    with pytest.raises(ruleforge.PathError) as refused:
        state.patched({path: value})
    assert refused.value.code == "RF831"
    assert state.digest == digest


def test_a_question_is_worked_out_without_the_rest_of_the_rules() -> None:
    """A program for an expression has the functions that it calls, not those of the whole game."""
    state = ruleforge.load("splicers").start(seed=1)
    answering = state.game.compiled.answering(variant_of(state).setup, "count(c in cards)")
    assert isinstance(answering, Answering)
    assert len(answering.runtime.program.functions) < 10 < len(variant_of(state).program.functions) // 10


def test_an_expression_is_read_without_asking_what_was_meant(state, monkeypatch) -> None:
    """What is near to a text is a slow question, and only for texts that are nothing."""
    monkeypatch.setattr("ruleforge.engine.paths.did_you_mean", lambda *_: pytest.fail("nobody asked"))
    assert state["ann.coins + 1"] == 4
    assert state.is_ordered("ann.coins + 1") is False

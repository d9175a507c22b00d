"""The public seat never knows more than any player does."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

import ruleforge
from tests.property.lines import RULESETS, game_of, picks, positions, seeds, some


def lacks(theirs: Any, public: Any) -> bool:
    """Whether a player's content of a place lacks something that the public sees in it."""
    seen = [public] if not isinstance(public, list) else public
    own = [theirs] if not isinstance(theirs, list) else theirs
    named = [thing for thing in seen if isinstance(thing, str) and thing != "?"]
    return len(seen) != len(own) or any(thing not in own for thing in named)


def assert_knows_no_more(state: ruleforge.State, player: str) -> None:
    public, theirs = state.view(None), state.view(player)
    assert {path: theirs["attributes"].get(path, "?") for path in public["attributes"]} == public[
        "attributes"
    ]
    assert [
        path for path, content in public["places"].items() if lacks(theirs["places"][path], content)
    ] == []
    assert public["outcome"] == theirs["outcome"]
    if public["decision"] is not None:
        told = {key: value for key, value in public["decision"].items() if value != "?"}
        assert told.items() <= theirs["decision"].items()


@pytest.mark.parametrize("name", RULESETS)
@some(10)
@given(seed=seeds, picks=picks)
def test_the_public_knows_nothing_that_a_player_does_not(name, seed, picks):
    for state in positions(game_of(name).start(seed=seed), picks[:10]):
        for player in state.players:
            assert_knows_no_more(state, player)


@pytest.mark.parametrize("name", RULESETS)
@some(5)
@given(seed=seeds, picks=picks)
def test_the_public_learns_nothing_that_a_player_does_not(name, seed, picks):
    for state in positions(game_of(name).start(seed=seed), picks[:6]):
        if state.outcome is not None:
            return
        after = state.copy()
        try:
            events = after.apply(state.choices[0])
        except ruleforge.IllegalChoice:
            return
        public = [_without_hidden(event) for event in events.seen_by(None)]
        for player in state.players:
            log_of = list(map(_facts, events.seen_by(player)))
            for name_, facts in public:
                assert any(name_ == n and facts <= f for n, f in log_of)


def _facts(event: ruleforge.Event) -> tuple[str, frozenset[tuple[str, object]]]:
    return event.name, frozenset(event.arguments)


def _without_hidden(event: ruleforge.Event) -> tuple[str, frozenset[tuple[str, object]]]:
    return event.name, frozenset(argument for argument in event.arguments if argument[1] != "?")

"""Non-interference: what a player gets does not depend on what is hidden from them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

import ruleforge
from ruleforge.engine.hidden import redealt
from tests.property.lines import RULESETS, game_of, picks, positions, seeds, some

HIDING = tuple(name for name in RULESETS if game_of(name).start(chance="explicit")._variant.hides_something)
HIDING_THINGS = tuple(  # not only attributes, which are not dealt anew
    name
    for name in HIDING
    if any(place.sees is not None for place in game_of(name).start()._variant.program.places)
)


def dealt_anew(state: ruleforge.State, player: str, rng: random.Random) -> ruleforge.State:
    """A state that differs only in what this player cannot see."""
    return redealt(state, state.players.index(player) + 1, rng)


def test_some_games_hide_something():
    assert HIDING


@pytest.mark.parametrize("name", HIDING)
@some(40)
@given(seed=seeds, picks=picks)
def test_what_a_player_gets_does_not_tell_what_is_hidden(name, seed, picks):
    """Deal the hidden things anew: view, prompt and choices stay as they are."""
    rng = random.Random(seed)
    for state in positions(game_of(name).start(seed=seed), picks[:12]):
        for player in state.players:
            other = dealt_anew(state, player, rng)
            assert other.view(player) == state.view(player)
            if state.decision and state.decision.player == player:
                assert other.choices == state.choices


@pytest.mark.parametrize("name", HIDING)
@some(40)
@given(seed=seeds, picks=picks)
def test_events_of_a_step_do_not_tell_what_stays_hidden(name, seed, picks):
    """One choice in two worlds a player cannot tell apart: they hear the same, or learn openly."""
    rng = random.Random(seed)
    for state in positions(game_of(name).start(seed=seed), picks[:12]):
        if not state.choices:
            return
        choice = state.choices[rng.randrange(len(state.choices))]
        for player in state.players:
            one, two = state.copy(), dealt_anew(state, player, rng)
            if choice not in two.choices:
                continue
            first, second = one.apply(choice).seen_by(player), two.apply(choice).seen_by(player)
            if one.view(player) == two.view(player):
                assert [str(event) for event in first] == [str(event) for event in second]


@pytest.mark.parametrize("name", HIDING_THINGS)
def test_hidden_things_do_vary(name):
    """Otherwise the two tests above would compare a state with itself."""
    rng = random.Random(5)
    state = game_of(name).start(seed=3)
    player = state.players[0]
    assert len({dealt_anew(state, player, rng).digest for _ in range(20)}) > 1
    places = state.view(player)["places"]
    worlds = {str([dealt_anew(state, player, rng)[path] for path in places]) for _ in range(40)}
    assert len(worlds) > 1


@pytest.mark.parametrize("name", HIDING)
@some(15)
@given(seed=seeds, picks=picks)
def test_nothing_of_the_machinery_is_in_a_view(name, seed, picks):
    for state in positions(game_of(name).start(seed=seed), picks[:6]):
        for player in state.players:
            assert set(state.view(player)) == {
                "game", "player", "players", "attributes", "places", "decision", "outcome"
            }  # fmt: skip


@pytest.mark.parametrize("name", HIDING)
@some(20)
@given(picks=picks)
def test_events_of_chance_do_not_tell_what_came_up_in_secret(name, picks):
    """Two results of a draw that leave a player's view the same are told to them in the same words."""
    for state in positions(game_of(name).start(chance="explicit"), picks[:12]):
        if state.decision is None or not state.decision.is_chance:
            continue
        for player in state.players:
            told: dict[str, set[str]] = {}
            for choice in state.choices:
                after = state.copy()
                events = after.apply(choice).seen_by(player)
                told.setdefault(str(after.view(player)), set()).add(str([str(event) for event in events]))
            assert all(len(words) == 1 for words in told.values())

"""Non-interference: what a player gets does not depend on what is hidden from them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

import ruleforge
from ruleforge.engine.visibility.conditions import Visibility
from tests.inside import variant_of, vector_of
from tests.property.hiding import HIDING, HIDING_THINGS
from tests.property.lines import RULESETS, game_of, picks, positions, seeds, some
from tests.redeals import redealt, varied


def dealt_anew(state: ruleforge.State, player: str, rng: random.Random) -> ruleforge.State:
    """A state that differs only in what this player cannot see, come to by what they were told of."""
    return redealt(state, state.players.index(player) + 1, rng)


def looks(state: ruleforge.State, player: str) -> dict[str, object]:
    """A view without shown formulas: what those tell of hidden things, the rules tell on purpose."""
    view = state.view(player)
    if view["decision"] is not None:
        view["decision"].pop("choices", None)
    shown = {path.path for path in variant_of(state).paths.shown}
    return view | {"attributes": {path: v for path, v in view["attributes"].items() if path not in shown}}


def _dice(log_of: list[str]) -> list[str]:
    """Open rolls: they may fall otherwise in the other world, and need leave no trace in the state."""
    return [event for event in log_of if event.startswith("roll ")]


def test_some_games_hide_things_and_some_attributes_only():
    assert {"kuhn-poker", "splicers"} <= set(HIDING_THINGS) < set(HIDING)
    assert "soul-gems" in set(HIDING) - set(HIDING_THINGS)


@pytest.mark.parametrize("name", RULESETS)
def test_every_game_that_hides_something_is_looked_at(name):
    variant = variant_of(game_of(name).start(chance="explicit"))
    assert variant.hides_something == (name in HIDING)
    assert any(place.sees is not None for place in variant.program.places) == (name in HIDING_THINGS)


@pytest.mark.parametrize("name", HIDING)
@some(15)
@given(seed=seeds, picks=picks)
def test_what_a_player_gets_does_not_tell_what_is_hidden(name, seed, picks):
    """Deal the hidden things anew: view and prompt stay as they are; so do the choices if the deal is possible."""
    rng = random.Random(seed)
    for state in positions(game_of(name).start(seed=seed), picks[:10]):
        for seat, player in enumerate(state.players, 1):
            other = dealt_anew(state, player, rng)
            if state.choices and not other.choices:
                continue  # who is asked has something to choose, so this deal is not possible
            assert looks(other, player) == looks(state, player)
            if state.decision and state.decision.player == player:
                twin = redealt(state, seat, rng, alike=True)
                assert [c.text for c in twin.choices] == [c.text for c in state.choices]


@pytest.mark.parametrize("name", HIDING)
@some(20)
@given(seed=seeds, picks=picks)
def test_a_view_does_not_depend_on_hidden_attributes(name, seed, picks):
    """Write anything into the attributes a player cannot see: what they see of the others stays as it is."""
    rng = random.Random(seed)
    for state in positions(game_of(name).start(seed=seed), picks[:10]):
        for player in state.players:
            other = varied(state, state.players.index(player) + 1, rng)
            before, after = looks(state, player), looks(other, player)
            assert (after["attributes"], after["places"]) == (before["attributes"], before["places"])


@pytest.mark.parametrize("name", HIDING_THINGS)
@some(20)
@given(seed=seeds, picks=picks)
def test_hidden_things_are_not_named(name, seed, picks):
    for state in positions(game_of(name).start(seed=seed), picks[:10]):
        for viewer, player in enumerate(state.players, 1):
            view = state.view(player)
            sight = Visibility(variant_of(state), vector_of(state))
            for kind, info in enumerate(variant_of(state).program.kinds):
                for thing in range(1, len(info.things)):
                    if not sight.thing(viewer, kind, thing):
                        hidden = f"{info.things[thing]}."
                        assert not [
                            p
                            for p in view["attributes"]
                            if p.removeprefix(f"{info.name}.").startswith(hidden)
                        ]


@pytest.mark.parametrize("name", HIDING)
@some(15)
@given(seed=seeds, picks=picks)
def test_events_of_a_step_do_not_tell_what_stays_hidden(name, seed, picks):
    """One choice in two worlds a player cannot tell apart: they hear the same, or learn openly."""
    rng = random.Random(seed)
    for state in positions(game_of(name).start(seed=seed), picks[:10]):
        if not state.choices:
            return
        choice = state.choices[rng.randrange(len(state.choices))]
        for player in state.players:
            one, two = state.copy(), dealt_anew(state, player, rng)
            if choice not in two.choices:
                continue
            first, second = (
                [str(event) for event in world.apply(choice).seen_by(player)] for world in (one, two)
            )
            if one.view(player) == two.view(player) and _dice(first) == _dice(second):
                assert first == second


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
    for state in positions(game_of(name).start(chance="explicit"), picks[:10]):
        if state.decision is None or state.decision.kind != "random":  # dice are rolled openly
            continue
        if (name, state.digest) in DRAWN:  # lines of play begin alike, and a draw has many results
            continue
        told: dict[tuple[str, str], set[str]] = {}
        for choice in state.choices:
            after = state.copy()
            events = after.apply(choice)
            for player in state.players:
                words = str([str(event) for event in events.seen_by(player)])
                told.setdefault((player, str(after.view(player))), set()).add(words)
        assert all(len(words) == 1 for words in told.values())
        DRAWN.add((name, state.digest))


DRAWN: set[tuple[str, str]] = set()  # positions of which all results have been looked at

"""The public seat: whoever takes a player takes nobody as well, and nobody knows only what all may know."""

from __future__ import annotations

import json
import random

import pytest

from ruleforge.play import replay
from ruleforge.play.session import Session
from tests.property.lines import game_of
from tests.unit.engine.visibility.test_secrets import SPIES
from tests.unit.small_games import small_game

GAMES = ("splicers", "soul-gems", "primordial-orbs", "orbit-simulator", "primordial-soup", "kuhn-poker")


def on_the_way(name: str, steps: int = 25) -> Session:
    session = Session(game_of(name).start(seed=4))
    rng = random.Random(7)
    while steps and session.state.choices:
        session.apply(rng.choice(session.state.choices))
        steps -= 1
    return session


def knows_no_more(public: object, seat: object) -> bool:
    """Whether everything shown to nobody in particular is shown to this seat, or hidden from both."""
    if isinstance(public, dict) and "?" in public:
        return True
    if isinstance(public, list) and isinstance(seat, list):
        named = [entry for entry in public if isinstance(entry, str) and entry != "?"]
        return len(public) == len(seat) and all(entry in seat for entry in named)
    return public == seat or public in ("?", None)


@pytest.mark.parametrize("name", GAMES)
def test_a_spectator_sees_what_every_seat_sees(name):
    state = on_the_way(name).state
    public = state.view(None)
    json.dumps(public)
    for player in state.players:
        mine = state.view(player)
        for part in ("attributes", "places"):
            assert set(public[part]) <= set(mine[part])
            assert all(knows_no_more(value, mine[part][path]) for path, value in public[part].items())
    if public["decision"] is not None:
        assert "choices" not in public["decision"]


def test_hidden_hands_and_secrets_are_hidden_from_the_public():
    state = small_game(SPIES).start(seed=1)
    public = state.view(None)
    assert public["player"] is None
    assert "ann.plan" not in public["attributes"] and "ben.plan" not in public["attributes"]
    for name in ("ace", "jack", "imp"):
        assert name not in json.dumps(public["places"])
    assert public["decision"] == {"player": "ann", "kind": "?", "prompt": "?"}


@pytest.mark.parametrize("name", GAMES)
def test_a_spectator_learns_no_more_than_any_seat(name):
    session = on_the_way(name)
    for turn in session.turns:
        public = [str(event) for event in turn.events.seen_by(None)]
        for player in session.state.players:
            mine = [str(event) for event in turn.events.seen_by(player)]
            assert all("?" in event or event in mine for event in public)
        told = {turn.text_for(player) for player in session.state.players}
        assert turn.text_for(None) in told or "?" in turn.text_for(None) or not turn.text_for(None)


def test_a_secret_action_is_not_told_to_the_public():
    state = small_game(SPIES).start(seed=1)
    before = state.copy()
    (choice,) = state.read("think 3")
    events = state.apply(choice)
    assert [str(event) for event in events.seen_by(None)] == ["event breathe"]
    assert "3" not in before.tell(choice, state, None)


def test_sampling_knows_the_public_seat():
    state = small_game(SPIES).start(seed=1)
    assert state.sample_world(None, random.Random(1)).view(None) == state.view(None)


@pytest.mark.parametrize("seat", ["p1", "p2", None])
def test_a_record_for_a_seat_holds_nothing_that_is_hidden_from_it(seat):
    """Two games that look the same to a seat, up to the end, give it the same record."""
    session = Session(game_of("splicers").start(seed=4))
    for text in ("done", "done"):
        session.apply(text)
    text = replay.record_for(session, seat)
    kept = json.loads(text)
    assert "row" not in json.dumps(kept) and "words" not in json.dumps(kept)

    def things(path: str) -> set[str]:
        lying = session.state[path]
        assert isinstance(lying, list)
        return {str(thing) for thing in lying}

    hidden = things("p1.deck") | things("p2.deck")
    if seat != "p1":
        hidden |= things("p1.hand")
    if seat != "p2":
        hidden |= things("p2.hand")
    assert not [card for card in hidden if card in text]


def test_a_record_for_a_seat_has_what_that_seat_was_told():
    session = Session(small_game(SPIES).start(seed=1))
    session.apply("think 3")
    session.apply("spend")
    mine = replay.record_for(session, "ann")
    theirs = replay.record_for(session, "ben")
    assert "think 3" in mine and "think" not in theirs
    assert "spend" in theirs

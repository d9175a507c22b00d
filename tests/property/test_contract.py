"""The contract of the Python API, held by every ruleset on random lines of play."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ruleforge
from tests.property.lines import CHANCES, RULESETS, game_of, picks, positions, seeds, some

over_rulesets = pytest.mark.parametrize("name", RULESETS)
over_chances = pytest.mark.parametrize("chance", CHANCES)


@over_rulesets
@over_chances
@some(15)
@given(seed=seeds, picks=picks)
def test_there_is_something_to_choose_until_the_game_is_over(name, chance, seed, picks):
    for state in positions(game_of(name).start(seed=seed, chance=chance), picks):
        assert bool(state.choices) == (state.outcome is None)
        assert (state.decision is None) == (state.outcome is not None)
        if state.decision is not None:
            assert state.decision.player in (*state.players, "chance")
            wanted = len(state.choices) if state.decision.is_chance else 0
            assert len(state.decision.probabilities) == wanted


@over_rulesets
@some(15)
@given(seed=seeds, picks=picks)
def test_invariants_hold_whenever_somebody_chooses(name, seed, picks):
    for state in positions(game_of(name).start(seed=seed), picks):
        assert not state.choices or state.violations() == ()


@over_rulesets
@some(15)
@given(seed=seeds, picks=picks)
def test_choices_have_texts_of_their_own_that_read_back(name, seed, picks):
    for state in positions(game_of(name).start(seed=seed, chance="explicit"), picks):
        texts = [str(choice) for choice in state.choices]
        assert len(set(texts)) == len(texts)
        for choice in random.Random(seed).sample(state.choices, min(3, len(state.choices))):
            assert state.read(str(choice)) == (choice,)
            by_text, by_object = state.copy(), state.copy()
            by_text.apply(f"  {choice} ")
            by_object.apply(choice)
            assert by_text == by_object


@over_rulesets
@over_chances
@some(8)
@given(seed=seeds, picks=picks)
def test_a_saved_state_is_the_same_state_again(name, chance, seed, picks):
    game = game_of(name)
    for state in positions(game.start(seed=seed, chance=chance), picks):
        again = game.restore(state.save())
        assert again == state
        assert hash(again) == hash(state)
        assert again.digest == state.digest
        assert again.choices == state.choices
        assert again.decision == state.decision
        for player in state.players:
            assert again.view(player) == state.view(player)


@over_rulesets
@some(15)
@given(seed=seeds, picks=picks)
def test_copies_are_independent(name, seed, picks):
    for state in positions(game_of(name).start(seed=seed), picks):
        if not state.choices:
            return
        digest, choices = state.digest, state.choices
        twin = state.copy()
        assert twin == state
        twin.apply(twin.choices[seed % len(choices)])
        assert (state.digest, state.choices) == (digest, choices)
        other = state.copy()
        other.apply(other.choices[seed % len(choices)])
        assert other == twin


@over_rulesets
@some(15)
@given(seed=seeds, picks=picks, junk=st.text(max_size=20))
def test_a_refused_choice_changes_nothing(name, seed, picks, junk):
    for state in positions(game_of(name).start(seed=seed), picks):
        digest, choices = state.digest, state.choices
        first = choices[0].text if choices else "done"
        for text in (junk, f"{first} {junk}x", first.rpartition(" ")[0] or "?", first + " nowhere"):
            if state.why_not(text):
                with pytest.raises(ruleforge.IllegalChoice) as refused:
                    state.apply(text)
                assert refused.value.reasons
                assert refused.value.code.startswith("RF8")
                assert (state.digest, state.choices) == (digest, choices)


@over_rulesets
@some(15)
@given(seed=seeds, picks=picks)
def test_same_seed_and_choices_give_the_same_states(name, seed, picks):
    game = game_of(name)
    one = [state.digest for state in positions(game.start(seed=seed), picks)]
    two = [state.digest for state in positions(game.start(seed=seed), picks)]
    assert one == two


@over_rulesets
@some(15)
@given(seed=seeds, picks=picks)
def test_events_can_be_read_late_and_lead_to_the_same_state(name, seed, picks):
    state = game_of(name).start(seed=seed)
    kept = []
    for pick in picks:
        if not state.choices:
            break
        before = state.copy()
        choice = state.choices[pick % len(state.choices)]
        kept.append((before, choice, state.apply(choice)))
    for before, choice, events in reversed(kept):
        assert list(events) == list(before.copy().apply(choice))


@over_rulesets
@some(15)
@given(seed=seeds, picks=picks)
def test_everything_listed_can_be_read_and_shown(name, seed, picks):
    for state in positions(game_of(name).start(seed=seed), picks[:5]):
        values = {path: state[path] for path in state.paths()}
        json.dumps(values)
        for player in state.players:
            view = state.view(player)
            json.dumps(view)
            for shown in ("attributes", "places"):
                assert set(view[shown]) <= set(values)


SHORT = {
    "soul-gems": {"max_turns": 20},
    "quoridor": {"longest": 40},
}  # of a game that may go on for ever, which is cut (RF833)


@over_rulesets
@some(5)
@given(seed=seeds)
def test_a_playout_tells_an_end_and_changes_nothing(name, seed):
    game, options = game_of(name), SHORT.get(name)
    one, two = game.start(seed=seed, options=options), game.start(seed=seed, options=options)
    outcome = game.playout(one, seed)
    assert one.outcome in (None, outcome)  # some deals end at once
    assert set(outcome.winners) <= set(one.players)
    assert game.playout(one, random.Random(seed)) == outcome
    assert one == two

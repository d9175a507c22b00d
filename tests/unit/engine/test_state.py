"""States step, copy, refuse and compare as the Python API promises."""

from __future__ import annotations

import random

import pytest

import ruleforge
from ruleforge.engine.trail import LONGEST
from tests.unit.small_games import COIN, FAIR, asked, ended, rules_file, small_game


def start(**how) -> ruleforge.State:
    return small_game().start(**how)


def test_a_decision_says_who_is_asked_what():
    decision = asked(start())
    assert (decision.player, decision.kind) == ("ann", "turn")
    assert not decision.is_chance
    assert decision.probabilities == ()


def test_choices_read_as_word_and_names():
    texts = [str(choice) for choice in start().choices]
    assert "give ben" in texts
    assert "draw" in texts
    assert "give ann" not in texts


def test_a_choice_knows_its_action_and_arguments():
    state = start()
    choice = next(c for c in state.choices if c.text == "buy pie")
    assert (choice.action, choice.arguments) == ("buy", ("pie",))
    state.apply("give ben")
    assert state.choices[0].action is None
    assert [c.text for c in state.choices] == ["1", "2", "3"]


def test_choices_are_one_object_each():
    one, two = start(), start(seed=9)
    assert all(a is b for a, b in zip(one.choices, two.choices, strict=True))


def test_text_of_several_steps_is_applied_at_once():
    state, other = start(), start()
    events = state.apply("give  ben 2")
    other.apply("give ben")
    other.apply("2")
    assert state == other
    assert (state["ann.coins"], state["ben.coins"]) == (1, 5)
    assert [e.name for e in events if e.name.startswith("set")] == ["set player.coins"] * 2


def test_text_of_several_steps_is_all_or_nothing():
    state = start()
    digest = state.digest
    with pytest.raises(ruleforge.IllegalChoice):
        state.apply("give ben 7")
    assert state.digest == digest
    assert asked(state).player == "ann"


@pytest.mark.parametrize(
    "bad", ["", "   ", "fly", "give", "give ann", "buy nothing", "give ben 2 extra", "x" * 10_000]
)
def test_what_cannot_be_chosen_is_refused_with_a_reason(bad):
    state = start()
    digest = state.digest
    with pytest.raises(ruleforge.IllegalChoice) as refused:
        state.apply(bad)
    assert refused.value.reasons
    assert state.digest == digest


def test_a_choice_of_another_decision_is_refused():
    state = start()
    later = state.copy()
    later.apply("give ben")
    with pytest.raises(ruleforge.IllegalChoice):
        state.apply(later.choices[0])


def test_a_choice_of_another_load_of_the_game_will_do():
    here, there = small_game(), small_game(backend="reference")
    state = here.start()
    state.apply(there.start().choices[0])
    other = here.start()
    other.apply(other.choices[0])
    assert state == other


def test_only_choices_and_texts_are_taken():
    with pytest.raises(TypeError):
        start().apply(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("choices", "code", "words"),
    [
        (["give ben 3", "draw", "rob"], "RF810", "`player.coins` would leave its range 0..9"),
        (["grow", "grow"], "RF811", "32-bit"),
    ],
)
def test_a_rule_that_breaks_a_limit_is_taken_back_whole(choices, code, words):
    state = start()
    *before, last = choices
    for choice in before:
        state.apply(choice)
    digest, offered = state.digest, state.choices
    with pytest.raises(ruleforge.IllegalChoice) as refused:
        state.apply(last)
    assert refused.value.code == code
    assert words in str(refused.value)
    assert refused.value.reasons[0].span is not None
    assert (state.digest, state.choices) == (digest, offered)
    state.apply("draw")  # and it goes on


def test_copies_share_nothing_that_changes():
    state = start()
    twin = state.copy()
    state.apply("give ben 3")
    assert twin["ann.coins"] == 3
    twin.apply("draw")
    assert state["ann.hand"] == []


def test_equal_positions_are_equal_and_hash_alike():
    one, two = start(seed=4), start(seed=4)
    assert one == two and hash(one) == hash(two) and one.digest == two.digest
    assert len({one, two, start(seed=5)}) == 2
    assert one != start(seed=4, options={"rounds": 4})
    assert one != start(seed=4, players=3)
    assert one != "something else"


def test_an_interrupted_step_leaves_the_state_as_it_was(monkeypatch):
    state = start()
    state.apply("draw")
    digest = state.digest
    runtime = type(state)._variant.runtime

    class Interrupting(list[int]):
        def __getitem__(self, _):
            raise KeyboardInterrupt

    state._row[:] = state._row  # owned by now, so that it would be changed in place
    choice = state.choices[0]
    row = state._row
    state._row = Interrupting(row)
    with pytest.raises(KeyboardInterrupt):
        state.apply(choice)
    assert state.digest == digest
    assert runtime is type(state)._variant.runtime
    state.apply(choice)


def test_steps_far_apart_can_still_tell_their_events():
    state = start(options={"rounds": 5})
    events = [state.apply(choice) for choice in ["give ben 1", "give ann 1"] * 5 if state.choices]
    assert len(events) == 10 < LONGEST
    assert [str(e) for e in events[0]][-1] == "set player.coins of=ben old=3 new=4"
    assert [str(e) for e in events[8]][-1] == "set player.coins of=ben old=3 new=4"


def test_the_outcome_has_reason_winners_and_scores():
    state = start(players=3)
    state.apply("close")
    outcome = ended(state)
    assert (outcome.reason, outcome.winners) == ("closed", ("ann",))
    assert outcome.scores == {"ann": 1, "ben": -1, "cat": -1}
    assert str(outcome) == "ann won (closed)"
    assert state.decision is None and state.choices == ()


def test_explicit_chance_is_a_decision_with_probabilities():
    state = small_game(COIN).start(chance="explicit")
    state.apply("say heads")
    assert asked(state).is_chance
    assert asked(state).probabilities == (0.5, 0.5)
    assert [c.text for c in state.choices] == ["heads", "tails"]
    state.apply("tails")
    assert asked(state).player == "ben"


def test_sampled_chance_follows_the_seed():
    def winners(seed):
        state = small_game(COIN).start(seed=seed)
        return small_game(COIN).playout(state, 1)

    assert winners(3) == winners(3)
    assert len({winners(seed).reason for seed in range(20)}) == 2


def test_a_playout_takes_a_generator_or_a_seed():
    game = small_game()
    one, two = game.start(), game.start()
    assert game.playout(one, 7) == game.playout(two, random.Random(7))
    assert one == two == game.start()  # both as they were


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"players": 4}, "RF840"),
        ({"players": 0}, "RF840"),
        ({"players": "two"}, "RF840"),
        ({"options": {"rounds": 9}}, "RF841"),
        ({"options": {"rounds": True}}, "RF841"),
        ({"options": {"mood": "sad"}}, "RF841"),
        ({"options": {"rich": 1}}, "RF841"),
        ({"options": {"mod": "grim"}}, "RF841"),
        ({"chance": "often"}, "RF841"),
        ({"seed": "x"}, "RF841"),
    ],
)
def test_a_game_cannot_start_just_any_way(how, code):
    with pytest.raises(ruleforge.StartError) as refused:
        start(**how)
    assert refused.value.code == code


def test_options_reach_the_rules():
    assert start(options={"rich": True})["ann.coins"] == 6
    assert start(options={"rounds": 1}).options == {"rich": False, "rounds": 1, "mood": "merry"}


def test_a_program_is_compiled_once_for_the_same_rules(tmp_path, monkeypatch):
    from ruleforge.backends import cache
    from ruleforge.backends.artifacts import compiled

    monkeypatch.setenv("RULEFORGE_CACHE", str(tmp_path / "cache"))
    one = ruleforge.load(rules_file(FAIR)).start(seed=4)
    monkeypatch.setattr(compiled, "program_from_checked", lambda *_: pytest.fail("compiled again"))
    assert ruleforge.load(rules_file(FAIR)).start(seed=4) == one
    monkeypatch.setattr(cache, "_stages", lambda: b"another compiler")
    with pytest.raises(pytest.fail.Exception):
        ruleforge.load(rules_file(FAIR)).start(seed=4)

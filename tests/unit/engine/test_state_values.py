"""Every value can be asked, states are values, and what is misused fails with a sentence."""

from __future__ import annotations

import copy
import pickle
import random

import pytest

import ruleforge
from ruleforge.play.agents import make_agent
from tests.property.lines import game_of
from tests.unit.engine.visibility.test_secrets import SPIES
from tests.unit.frontends.terminal import Terminal
from tests.unit.small_games import rules_file, small_game

SHELF = """\
game:
  id: shelf
  title: Shelf
  version: "1.0"
  text: Values of every type.
  players: 2
options:
  rich: {type: flag, default: true}
  rounds: {type: 1..9, default: 3}
  mood: {values: [merry, grim], default: grim}
numbers:
  hand_size: 5
kinds:
  player: {things: [ann, ben], has: {coins: 0..9 = 2, friend: player or none}}
  colour: {things: [red, green]}
  card:
    facts: {rank: 1..3, hues: set of colour, mate: card or none, odd: flag}
    things:
      ace: {rank: 3, hues: [red, green], mate: jack, odd: true}
      jack: {rank: 2}
      imp: {rank: 1}
    has: {marked: flag}
places:
  deck: {holds: card, ordered: true, sees: false, starts: cards}
  hand: {of: {holder: player}, holds: card, sees: viewer is holder}
formulas:
  marked_cards: {is: "{c in cards where c.rank > 1}"}
  hues_of: {takes: {c: card}, is: c.hues}
  worth: {takes: {c: card or none}, is: 0 if c is none else c.rank}
  power: {text: How strong., takes: {c: card}, is: c.rank, open: true, clamp: 0..9}
  friend_of: {takes: {p: player}, is: p.friend}
  everybody: {is: players}
rules:
  strong: {text: Marked cards are stronger., modify: power(c), when: c.rank > 2, add: 2}
setup: |
  move ace to ann.hand
  move jack to ben.hand
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  wait: {during: turn, do: skip}
  mark: {during: turn, choose: {c: in me.hand}, do: c.marked = true}
  end_it: {during: turn, do: finish over}
endings: {over: {text: Over.}}
"""


@pytest.fixture
def state() -> ruleforge.State:
    return small_game(SHELF).start()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("marked_cards()", ["ace", "jack"]),
        ("hues_of(ace)", ["red", "green"]),
        ("hues_of(jack)", []),
        ("everybody()", ["ann", "ben"]),
        ("worth(none)", 0),
        ("worth(ace)", 3),
        ("friend_of(ann)", None),
        ("ace.holder", "ann"),
        ("imp.holder", None),
        ("ace.rank", 3),
        ("ace.hues", ["red", "green"]),
        ("ace.mate", "jack"),
        ("jack.mate", None),
        ("ace.odd", True),
        ("hand_size", 5),
        ("option.rich", True),
        ("option.rounds", 3),
        ("option.mood", "grim"),
    ],
)
def test_every_value_is_asked_by_path(state, path, value):
    assert state[path] == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("ann.coins > 1", True),
        ("count(c in ann.hand)", 1),
        ("{c in cards where c.rank > 1}", ["ace", "jack"]),
        ("first(c in deck)", "imp"),
        ("sum(c.rank for c in cards)", 6),
        ("ace.holder", "ann"),
        ("power(ace)", 5),
        ("hand_size * option.rounds", 15),
        ("option.mood is grim", True),
        ("ann.friend", None),
        ("ann if option.rich else ben", "ann"),
        ("[red]", ["red"]),
        ("[]", []),
        ("[] if option.rich else []", []),
        ("none", None),
    ],
)
def test_every_expression_is_evaluated(state, text, value):
    assert state.evaluate(text) == value


@pytest.mark.parametrize("text", ["first(c in deck)", "count(c in ben.hand where c.rank > 1)", "jack.holder"])
def test_an_expression_is_evaluated_within_what_a_player_may_know(state, text):
    with pytest.raises(ruleforge.PathError):
        state.evaluate(text, player="ann")


def test_what_a_player_sees_is_evaluated_for_them(state):
    assert state.evaluate("count(c in ann.hand where c.rank > 1)", player="ann") == 1
    assert state.evaluate("ann.coins + ben.coins", player="ann") == 4


@pytest.mark.parametrize("text", ["ann.coinz", "1 +", "ann + 1", "let x = 1", "me.coins", ""])
def test_a_wrong_expression_is_refused_with_a_place(state, text):
    with pytest.raises((ruleforge.PathError, ruleforge.RulesetError)) as refused:
        state.evaluate(text)
    assert "RF" in str(refused.value)


def test_an_evaluation_changes_nothing(state):
    digest = state.digest
    state.evaluate("count(c in cards)")
    assert state.digest == digest


@pytest.mark.parametrize("path", ["deck", "ben.hand", "ben.hand[1]"])
def test_explain_of_a_hidden_place_tells_nothing_of_its_content(path):
    state = small_game(SPIES).start(seed=1)
    with pytest.raises(ruleforge.PathError) as refused:
        state.explain(path, "ann")
    assert not [card for card in ("ace", "jack", "imp") if card in str(refused.value)]


def test_explain_of_a_hidden_attribute_tells_nothing():
    one = small_game(SPIES).start(seed=1).patched({"ben.plan": 7})
    two = small_game(SPIES).start(seed=1).patched({"ben.plan": 2})
    said = set()
    for state in (one, two):
        with pytest.raises(ruleforge.PathError) as refused:
            state.explain("ben.plan", "ann")
        said.add(str(refused.value))
    assert len(said) == 1


def test_why_at_the_prompt_shows_what_explain_shows():
    terminal = Terminal("play", rules_file(SHELF), "--seat", "ann=human", "--seat", "ben=human")
    try:
        terminal.until("Ann ▸")
        terminal.say("why power(ace)")
        terminal.until("power(ace) is")
        shown = terminal.until("Ann ▸")
        assert "Marked cards are stronger" in shown and "+2" in shown
    finally:
        terminal.say("quit")
        terminal.leave()


def test_a_playout_leaves_its_argument_alone():
    game = game_of("nim")
    state = game.start(seed=1)
    digest = state.digest
    outcome = game.playout(state, 3)
    assert outcome is not None
    assert state.digest == digest and state.outcome is None


@pytest.mark.parametrize("name", ["nim", "splicers", "soul-gems"])
def test_a_state_is_pickled_and_copied_deeply(name):
    state = game_of(name).start(seed=1)
    rng = random.Random(1)
    for _ in range(5):
        state.apply(rng.choice(state.choices))
    for again in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state), copy.copy(state)):
        assert again == state and again is not state
        assert again.choices == state.choices
        again.apply(again.choices[0])
        assert again != state


def test_a_state_comes_back_to_its_own_game_though_the_rules_were_loaded_again():
    one, _other = ruleforge.load("nim"), ruleforge.load("nim")
    state = one.start(seed=1)
    again = pickle.loads(pickle.dumps(state))
    assert again.game is one and again.choices == state.choices


def test_a_game_and_its_events_are_pickled():
    game = game_of("nim")
    again = pickle.loads(pickle.dumps(game))
    assert again.start(seed=1).digest == game.start(seed=1).digest
    assert copy.deepcopy(game).start(seed=1) == game.start(seed=1)


@pytest.mark.parametrize("key", [3, None, ("ann", "coins"), b"ann.coins", 1.5])
def test_a_path_that_is_no_text_is_refused_with_a_sentence(state, key):
    with pytest.raises((ruleforge.PathError, TypeError)) as refused:
        state[key]
    assert "path" in str(refused.value)


def test_an_unknown_agent_is_refused_with_a_sentence():
    with pytest.raises((ruleforge.PlayError, ValueError)) as refused:
        make_agent("foo", 1)
    assert "foo" in str(refused.value) and "random" in str(refused.value)


def test_an_unknown_game_is_refused_with_a_sentence():
    with pytest.raises(ruleforge.RulesetError) as refused:
        ruleforge.load("nope")
    assert "nope" in str(refused.value)


def test_a_wrong_number_of_seats_or_a_wrong_seed_is_refused_with_a_sentence():
    for arguments in ({"players": "two"}, {"seed": "x"}, {"options": {"rich": 7}}, {"options": 3}):
        with pytest.raises((ruleforge.StartError, TypeError)) as refused:
            small_game(SHELF).start(**arguments)
        assert len(str(refused.value)) > 10


def test_a_state_is_printed_as_the_table(state):
    shown = str(state)
    assert "Ann" in shown and "coins" in shown and "2" in shown
    assert "wait" in shown or "turn" in shown


def test_a_fact_that_names_a_seat_nobody_has_taken_is_none():
    game = small_game(
        """\
game: {id: seats, title: Seats, version: "1.0", text: Seats., players: "2..3"}
kinds:
  player: {things: [ann, ben, cat]}
  chair: {facts: {whose: player}, things: {low: {whose: ann}, high: {whose: cat}}}
flow: [{phase: turn, repeat: true, each: me in players, window: one}]
actions: {sit: {during: turn, do: skip}}
endings: {over: {text: Over.}}
"""
    )
    assert game.start(players=2).evaluate("high.whose") is None
    assert game.start(players=3).evaluate("high.whose") == "cat"

"""What a seat gets tells no more than it may know: codes of blind choices, questions of the public, menus."""

from __future__ import annotations

import random

import pytest

import ruleforge
from tests.unit.small_games import small_game

GAME = """\
game: {id: shells, title: Shells, version: "1.0", text: Guessing., players: 2}
kinds:
  player:
    things: [ann, ben]
    has: {coins: 0..9 = 4, plan: {type: 0..9, sees: viewer is self}}
  shell: {things: [cone, harp, moon, olive]}
places:
  sea: {holds: shell, ordered: true, sees: false, starts: shells}
  hand: {of: {holder: player}, holds: shell, sees: viewer is holder}
formulas:
  rich: {takes: {p: player}, is: p.coins > 3}
  bold: {takes: {p: player}, is: p.plan > 3}
setup: shuffle sea
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
  - {phase: last, do: finish over}
actions:
  take: {during: turn, choose: {s: in sea}, do: move s to me.hand}
  bet:
    during: turn
    do: |
      me picks:
        high: me.coins -= 1
        low: skip
  scheme:
    during: turn
    sees: viewer is me
    do: |
      me picks:
        high: me.plan = 9
        low: me.plan = 1
endings: {over: {text: Over.}}
"""


def test_the_code_of_a_unseen_choice_does_not_say_which_thing_it_is():
    state = small_game(GAME).start(seed=1)
    blind = [choice for choice in state.choices if choice.text.startswith("take ")]
    assert {choice.text for choice in blind} == {f"take sea[{n}]" for n in (1, 2, 3, 4)}
    other = state.sample_world("ann", random.Random(3))
    assert other["sea"] != state["sea"]
    assert [(c.text, c.code, c.arguments) for c in other.choices] == [
        (c.text, c.code, c.arguments) for c in state.choices
    ]
    sea = state["sea"]
    assert isinstance(sea, list)
    second = sea[1]
    state.apply(next(choice for choice in state.choices if choice.text == "take sea[2]"))
    assert state["ann.hand"] == [second]


def test_the_public_may_ask_what_everybody_knows_and_nothing_else():
    state = small_game(GAME).start(seed=1)
    assert state.evaluate("count(s in sea)", player=None) == 4
    assert state.evaluate("ann.coins + 1", player=None) == 5
    assert state.explain("rich(ann)", None).result is True
    for hidden in ("ann.plan", "bold(ann)", "first(s in sea)", "cone in sea and ann.plan > 0"):
        assert state.evaluate(hidden) is not None  # the host may
        with pytest.raises(ruleforge.PathError):
            state.evaluate(hidden, player=None)
    with pytest.raises(ruleforge.PathError):
        state.explain("bold(ann)", None)
    assert state.explain("bold(ann)").result is False


def test_what_somebody_picks_from_a_menu_is_told_unless_it_is_secret():
    state = small_game(GAME).start(seed=1)
    state.apply("bet")
    assert [str(e) for e in state.apply("low").seen_by("ben")] == ["pick low by=ann"]
    state.apply("scheme")
    events = state.apply("high")
    assert "pick high by=ben" in [str(e) for e in events.seen_by("ben")]
    assert events.seen_by("ann") == events.seen_by(None) == ()


@pytest.mark.parametrize(
    "text",
    [
        "first(p in players where p.plan is 9)",  # a column searched for a value
        "{p in players where p.plan is 1}",
        "9 // ben.plan",  # broken off or not, by what is hidden
        "2147483647 + ben.plan",
        "count(k in 0..2000000 where k > 400000 * ben.plan)",
    ],
)
def test_whether_and_where_an_expression_breaks_off_tells_nothing(text):
    told = set()
    for plan in (0, 1, 5, 9):
        state = small_game(GAME).start(seed=1).patched({"ben.plan": plan})
        for ask in (state.evaluate, state.explain):
            with pytest.raises(ruleforge.PathError) as refusal:
                ask(text, "ann")
            told.add((refusal.value.code, refusal.value.message))
    assert len(told) == 1


HANDED = """\
game: {id: handed, title: Handed, version: "1.0", text: Numbers that are handed on., players: 2}
kinds:
  player: {things: [ann, ben], has: {secret: {type: 0..9 = 4, sees: viewer is self}}}
events:
  hear: {takes: {k: 0..9}, do: skip}
  listen: {takes: {loud: flag}, do: skip}
windows:
  guess: {takes: {much: 0..9}, window: one}
flow: [{phase: turn, repeat: true, each: me in players, window: one}]
actions:
  go: {during: turn, do: hear(opponent.secret)}
  sneak:
    during: turn
    do: |
      let much = opponent.secret
      hear(much)
      listen(much > 5)
  say: {during: turn, do: hear(3)}
  quiz: {during: turn, do: offer guess(opponent.secret) to me}
  give_up: {during: guess, do: skip}
  repeat_it: {during: guess, do: hear(much)}
  judge: {during: guess, do: "if much > 5: listen(true)"}
endings: {over: {text: Over.}}
"""


def log_of(seat: str | None, secret: int, *texts: str) -> list[str]:
    state = small_game(HANDED).start(seed=1).patched({"ben.secret": secret})
    return [str(event) for text in texts for event in state.apply(text).seen_by(seat)]


@pytest.mark.parametrize(
    "texts", [("go",), ("sneak",), ("quiz", "give_up"), ("quiz", "repeat_it"), ("quiz", "judge")]
)
@pytest.mark.parametrize("seat", ["ann", None])
def test_a_hidden_number_is_not_told_by_handing_it_on(seat: str | None, texts: tuple[str, ...]) -> None:
    assert log_of(seat, 4, *texts) == log_of(seat, 7, *texts)


def test_who_sees_the_number_and_what_is_no_secret_is_told() -> None:
    assert "event hear k=4" in log_of("ben", 4, "go")
    assert "event hear k=3" in log_of(None, 4, "say")

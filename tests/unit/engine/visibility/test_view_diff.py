"""Two secret doings that leave the table the same to see are told in the same words, whatever they did on the way."""

from __future__ import annotations

import pytest

import ruleforge
from tests.unit.small_games import rules_file

TEXT = """\
game: {id: nets, title: Nets, version: "1.0", text: Nets., players: 2}
kinds:
  player:
    things: [ann, ben]
    has: {one: 0..9, two: 0..9, lucky: {type: flag, sees: viewer is self}}
  card: {facts: {suit: 1..2}, things: {ace: {suit: 1}, duo: {suit: 2}, hex: {suit: 1}, ten: {suit: 2}}}
  chip: {pool: 3}
places:
  box: {of: {keeper: player}, holds: card, sees: viewer is keeper, starts: "{c in [ace, duo] where keeper is ann}"}
  heap: {holds: card, ordered: true, sees: false, starts: "[hex]"}
  table: {holds: card, starts: "[ten]"}
  tray: {holds: chip}
events:
  touch: {takes: {p: player}, open: true, do: p.one += 1}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one, end: me.two = 0}
actions:
  wait: {during: turn, do: finish over}
  one:
    during: turn
    sees: viewer is me
    do: |
      ONE
  two:
    during: turn
    sees: viewer is me
    do: |
      TWO
  act:
    during: turn
    do: |
      if me.lucky:
        ONE
      else:
        TWO
endings: {over: {text: Over.}}
"""

WAYS = {
    "where it lies already": ("skip", "move ten to table"),
    "hidden, where it lies already": ("skip", "move ace to me.box"),
    "there and back": ("skip", "move ten to heap\nmove ten to table"),
    "hidden, there and back": ("skip", "move ace to heap\nmove ace to me.box"),
    "hidden, by way of another place": (
        "move ace to opponent.box",
        "move ace to heap\nmove ace to opponent.box",
    ),
    "hidden, each to the place of the other": ("skip", "move ace to heap\nmove hex to me.box"),
    "one hidden thing or another": ("move ace to heap", "move duo to heap"),
    "values on the way": ("me.one = 2", "me.one = 1\nme.one = 2"),
    "a value that is what it was": ("skip", "me.one += 1\nme.one -= 1"),
    "what ends the turn takes it back": ("skip", "me.two = 5"),
    "the order": ("me.one = 1\nopponent.one = 1", "opponent.one = 1\nme.one = 1"),
    "the order of moves": ("move ten to heap\nmove ace to table", "move ace to table\nmove ten to heap"),
    "shuffled": ("skip", "shuffle heap"),
    "made and removed": ("skip", "let c = new chip()\nmove c to tray\nremove c"),
    "shown before": ("show ten to players", "show ten to players\nshow ten to players"),
    "seen already": ("skip", "show ten to players"),
    "a part that another is told": ("show ace.suit to me", "skip"),
    "a part that was told before": (
        "show hex.suit to players",
        "show hex.suit to players\nshow hex.suit to opponent",
    ),
    "a name": ("me.one = 1", "touch(me)"),
    "openly to one hidden place, by way of another": (
        "move ten to opponent.box",
        "move ten to heap\nmove ten to opponent.box",
    ),
    "shown to another": ("show ace to me", "skip"),
    "shown before, to others as well": ("show ten to opponent", "show ten to players"),
}


def game_of(case: str) -> ruleforge.Game:
    text = TEXT
    for word, body in zip(("ONE", "TWO"), WAYS[case], strict=True):
        for indent in (8, 6):
            spaces = " " * indent
            text = text.replace(f"{spaces}{word}\n", spaces + body.replace("\n", f"\n{spaces}") + "\n")
    return ruleforge.load(rules_file(text))


def told(game: ruleforge.Game, word: str, lucky: bool) -> tuple[object, ...]:
    """What the rival and the public see and hear of a step."""
    state = game.start(seed=1).patched({"ann.lucky": lucky})
    events = state.apply(word)
    return tuple(
        (state.view(seat), [(str(e), str(e.span), e.depth) for e in events.seen_by(seat)])
        for seat in ("ben", None)
    )


@pytest.mark.parametrize("case", WAYS)
def test_of_secret_actions_only_the_net_is_told(case):
    game = game_of(case)
    assert told(game, "one", lucky=True) == told(game, "two", lucky=True)


@pytest.mark.parametrize("case", WAYS)
def test_of_what_secrets_decide_only_the_net_is_told(case):
    game = game_of(case)
    assert told(game, "act", lucky=True) == told(game, "act", lucky=False)


def test_a_thing_that_another_was_shown_is_not_shown_to_whoever_takes_it():
    text = TEXT.replace("ONE", "show hex to me").replace("TWO", "move hex to me.box")
    state = ruleforge.load(rules_file(text)).start(seed=1)
    assert "show thing=hex to=[ann]" in [str(event) for event in state.apply("one").seen_by("ann")]
    events = [str(event) for event in state.apply("two").seen_by("ben")]
    assert events == ["action two me=ben", "move card thing=hex from=heap to=ben.box"]

"""Events form a tree: each knows the event it happened inside of."""

from __future__ import annotations

from tests.unit.small_games import small_game

RAIN = """\
game:
  id: rain
  title: Rain
  version: "1.0"
  text: It rains.
  players: 2
kinds:
  player: {things: [ann, ben]}
  game: {has: {wet: 0..9, puddles: 0..9, umbrella: flag}}
events:
  storm:
    do: |
      fall(2)
      game.wet += 1
  fall:
    takes: {drops: 0..9}
    do: |
      if game.umbrella: return
      game.puddles += drops
      me_or_you()
  me_or_you:
    do: |
      ann chooses wetter in players:
        game.wet += 1
flow:
  - phase: turn
    each: me in players
    repeat: true
    window: one
actions:
  open: {text: Open the umbrella., during: turn, do: game.umbrella = true}
  wait:
    text: Wait.
    during: turn
    do: |
      storm()
      game.wet += 1
  stop: {text: Stop., during: turn, do: finish over}
endings: {over: {text: Over.}}
"""


def tree(events) -> list[tuple[str, int, str | None]]:
    return [(e.name, e.depth, e.cause.name if e.cause else None) for e in events]


def test_events_know_what_they_happened_inside_of():
    state = small_game(RAIN).start()
    state.apply("open")
    assert tree(state.apply("wait")) == [
        ("action wait", 0, None),
        ("event storm", 0, None),
        ("event fall", 1, "event storm"),  # it returns at once: what follows is not inside of it
        ("set game.wet", 1, "event storm"),
        ("set game.wet", 0, None),
    ]


def test_an_event_that_waits_for_somebody_ends_in_a_later_step():
    state = small_game(RAIN).start()
    assert tree(state.apply("wait"))[-1] == ("event me_or_you", 2, "event fall")
    assert tree(state.apply("ben")) == [("set game.wet", 0, None)] * 3

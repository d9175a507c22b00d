"""What a seat is told of an event depends only on what it may know: place, clauses, cause and number included."""

from __future__ import annotations

import ruleforge
from ruleforge.play.session import Session
from tests.property.lines import game_of
from tests.unit.small_games import small_game

TRAPS = """\
game:
  id: traps
  title: Traps
  version: "1.0"
  text: The same is seen on both sides.
  players: 2
kinds:
  player:
    things: [ann, ben]
    has: {hits: 0..99, plan: {type: 0..9, sees: viewer is self}, armed: {type: flag, sees: viewer is self}}
  card:
    facts: {rank: 1..2}
    things: {low: {rank: 1}, high: {rank: 2}}
    has: {owner: player or none}
    rules:
      bite: {cites: [T-1], after: touched(self), when: self.rank is 1, do: active.hits += 1}
      claw: {cites: [T-2], after: touched(self), when: self.rank is 2, do: active.hits += 1}
    controller: ann
    works: "true"
places:
  hand: {of: {holder: player}, holds: card, sees: viewer is holder}
events:
  touched: {takes: {c: card}, do: skip}
  hurt: {takes: {p: player}, do: p.hits += 1}
  soft: {takes: {p: player}, do: p.hits += 1}
flow:
  - phase: turn
    repeat: true
    each: me in players
    steps:
      - {phase: planning, window: many, sees: viewer is me}
      - {phase: doing, window: one}
actions:
  arm: {during: planning, do: me.armed = true}
  disarm: {during: planning, do: me.armed = false}
  think: {during: planning, choose: {much: in 1..9}, do: me.plan = much}
  strike:
    during: doing
    do: |
      if me.armed:
        opponent.hits += 1
      else:
        opponent.hits += 1
  call:
    during: doing
    do: |
      if me.armed: hurt(opponent)
      else: soft(opponent)
  touch:
    during: doing
    do: |
      for c in me.hand: touched(c)
  loop:
    during: doing
    do: |
      repeat me.plan: skip
      opponent.hits += 1
  whisper:
    during: doing
    do: |
      me picks:
        hush: skip
        roar: skip
  end_it: {during: doing, do: finish over}
endings: {over: {text: Over.}}
"""


def whole(event: ruleforge.Event) -> tuple[object, ...]:
    """Everything that can be read off an event."""
    cause = None if event.cause is None else whole(event.cause)
    return (str(event), event.span, event.clauses, event.depth, cause)


def log_of(start: dict[str, object], text: str, player: str = "ben") -> list[tuple[object, ...]]:
    state = small_game(TRAPS).start().patched(start)
    state.apply("done")
    events = state.apply(text)
    return [whole(event) for event in events.seen_by(player)]


def test_the_side_of_an_if_is_not_told_by_its_line():
    one, two = log_of({"ann.armed": True}, "strike"), log_of({"ann.armed": False}, "strike")
    assert one == two


def test_which_rule_acted_is_not_told_by_its_line_or_clause():
    one, two = log_of({"ann.hand": ["low"]}, "touch"), log_of({"ann.hand": ["high"]}, "touch")
    assert [event[0] for event in one] == [event[0] for event in two]
    assert one == two


def test_the_place_of_what_hangs_on_nothing_hidden_is_still_told():
    state = small_game(TRAPS).start()
    state.apply("done")
    events = state.apply("loop").seen_by("ben")
    assert any(event.name == "set player.hits" and event.span.line > 0 for event in events)


def told(texts: tuple[str, ...]) -> list[str]:
    session = Session(small_game(TRAPS).start())
    for text in texts:
        session.apply(text)
    lines = []
    for turn in session.turns:
        words = turn.text_for("ben")
        if words:
            lines.append(f"{turn.player}: {words}")
    return lines


def test_the_number_of_secret_steps_is_not_told():
    short = told(("done", "strike"))
    long = told(("think 3", "arm", "think 4", "disarm", "done", "strike"))
    assert short == long


def test_events_do_not_tell_how_many_secret_steps_there_were():
    def events(texts: tuple[str, ...]) -> list[object]:
        session = Session(small_game(TRAPS).start())
        for text in texts:
            session.apply(text)
        return [whole(event) for turn in session.turns for event in turn.events.seen_by("ben")]

    assert events(("done", "strike")) == events(("think 3", "think 4", "disarm", "done", "strike"))


def test_a_plan_of_many_steps_looks_like_a_plan_of_one_in_orbit_simulator():
    def lines(texts: tuple[str, ...]) -> list[str]:
        session = Session(game_of("orbit-simulator").start(seed=3))
        for text in texts:
            session.apply(text)
        seen = [(turn.player, turn.text_for("blue")) for turn in session.turns]
        return [f"{player}: {words}" for player, words in seen if words]

    one = lines(("allocate shields 2", "execute_turn"))
    two = lines(("allocate shields 1", "deallocate shields 1", "allocate shields 2", "execute_turn"))
    assert one == two

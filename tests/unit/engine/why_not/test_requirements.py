"""Why not: the nearest requirement that fails, with its values, in the rulebook's words and with its clause."""

from __future__ import annotations

import pytest

import ruleforge
from tests.property.lines import game_of
from tests.unit.small_games import small_game

SIEGE = """\
game:
  id: siege
  title: Siege
  version: "1.0"
  text: Every way to be refused.
  players: 2
kinds:
  player:
    things: [ann, ben]
    has: {gold: 0..20 = 5, wood: 0..20 = 2, plays: 0..2 = 2, shots: 0..1 = 1, calm: flag}
  cell:
    grid: {shape: square, columns: 5, rows: 1}
    has: {wall: player or none}
  tower:
    facts: {height: 1..3}
    things: {low: {height: 1}, tall: {height: 3}}
    has: {broken: flag}
formulas:
  ready:
    text: A tower must be whole and its owner calm.
    cites: [S-7]
    takes: {t: tower, p: player}
    is: not t.broken and p.calm and p.gold > 1
events:
  storm: {takes: {t: tower}, do: t.broken = true}
rules:
  truce:
    text: Nobody storms a tall tower.
    cites: [S-3]
    forbid: storm(t)
    when: t.height > 2
windows:
  answer: {text: Answer., takes: {shooter: player, much: 0..9}, window: one}
setup: |
  c1.wall = ben
flow:
  - phase: turn
    repeat: true
    each: me in players
    steps:
      - {phase: market, window: maybe}
      - {phase: main, window: one}
actions:
  trade: {text: Trade wood., during: market, needs: me.wood > 4, cites: [S-1], do: me.wood -= 4}
  march:
    text: March east as far as nothing stands in the way.
    cites: [S-2]
    during: main
    choose: {goal: "in ray(a1, east) until goal.wall is not none"}
    do: me.gold += 0
  attack: {text: Storm a tower., during: main, choose: {t: in towers}, needs: can(storm(t)), do: storm(t)}
  build:
    text: Build for gold and wood.
    cites: [S-4]
    during: main
    cost: |
      me.gold -= 8
      me.wood -= 1
    do: skip
  mix:
    text: Pay eight from gold or wood.
    cites: [S-4.1]
    during: main
    cost: pay 8 from me.gold or me.wood
    do: skip
  fire:
    text: A shot is a play.
    during: main
    cost: |
      me.plays -= 1
      me.shots -= 1
    do: skip
  man: {text: Man a tower., during: main, choose: {t: in towers}, needs: "ready(t, me)", do: skip}
  shoot: {during: main, do: "offer answer(me, 3) to opponent"}
  duck: {text: Duck., cites: [S-5], during: answer, needs: me.gold > much + 9, do: skip}
  stand: {text: Stand., during: answer, do: skip}
  end_it: {during: main, do: finish over}
endings: {over: {text: Over.}}
"""


def why(text: str, **start: object) -> str:
    values = {path.replace("__", "."): value for path, value in start.items()}
    return explained(small_game(SIEGE).start().patched(values), text)


def explained(state: ruleforge.State, text: str) -> str:
    reasons = state.why_not(text)
    assert reasons, f"`{text}` is possible"
    return str(reasons[0])


def test_in_a_window_with_parameters():
    state = small_game(SIEGE).start()
    state.apply("shoot")
    said = explained(state, "duck")
    assert "not among the choices" not in said
    assert "`me.gold > much + 9` does not hold (me.gold is 5, much + 9 is 12) [S-5]" in said


def test_a_blocked_line_names_what_stands_in_the_way():
    said = why("march e1")
    assert "c1" in said and "S-2" in said


def test_what_is_not_on_the_line_at_all_is_another_cause():
    assert why("march e1") != why("march a1").replace("a1", "e1")


def test_a_rule_that_forbids_is_named():
    said = why("attack tall")
    assert "Nobody storms a tall tower" in said and "S-3" in said


def test_a_cost_says_what_it_is_and_what_there_is():
    said = why("build")
    assert "8" in said and "5" in said and "gold" in said and "S-4" in said


def test_a_cost_from_several_purses_says_what_is_in_each():
    said = why("mix")
    assert "8" in said and "5" in said and "2" in said and "S-4.1" in said
    assert "gold" in said and "wood" in said


def test_two_causes_have_two_texts():
    no_plays, no_shots = why("fire", ann__plays=0), why("fire", ann__shots=0)
    assert no_plays != no_shots
    assert "plays" in no_plays and "shots" in no_shots


def test_the_part_of_a_formula_that_fails_is_named():
    said = why("man low")
    assert "calm" in said and "S-7" in said
    broken = why("man low", low__broken=True, ann__calm=True)
    assert "broken" in broken and broken != said
    poor = why("man low", ann__gold=0, ann__calm=True)
    assert "gold" in poor and "0" in poor


def test_a_phase_that_was_passed_over_keeps_its_cause():
    """Nobody was asked in the market since there was nothing to do; why not is still known."""
    said = why("trade")
    assert "me.wood > 4" in said and "2" in said and "S-1" in said


def test_orbs_no_plays_left_and_no_impact_left_are_two_causes():
    state = game_of("primordial-orbs").start(seed=3)
    state.apply("choose_core land")
    state.apply("choose_core land")
    text = next(c.text for c in state.choices if c.text.startswith("play_impact "))
    no_plays = explained(state.patched({"game.plays_left": 0}), text)
    no_impact = explained(state.patched({"game.impacts_left": 0}), text)
    assert no_plays != no_impact


def test_orbit_simulator_tells_power_mass_and_ring_apart():
    start = game_of("orbit-simulator").start(seed=3)
    powered = start.copy()
    powered.apply("allocate engines 2")
    said = {
        "power": explained(start, "burn light 0"),
        "mass": explained(powered.patched({"red.mass": 0}), "burn light 0"),
        "ring": explained(powered.patched({"red.ring": _outermost(powered)}), "burn light 0"),
    }
    assert len(set(said.values())) == 3, said


def _outermost(state: ruleforge.State) -> str:
    rings = {name for number in range(1, 20) if _is_ring(state, name := f"ring_{number}")}
    return max(rings, key=lambda name: int(name.rpartition("_")[2]))


def _is_ring(state: ruleforge.State, name: str) -> bool:
    try:
        state.patched({"red.ring": name})
    except ruleforge.PathError:
        return False
    return True


def test_soup_in_a_window_with_parameters():
    """Primordial Soup: an amoeba that is not the one asked about, and a gene nobody has, are told apart."""
    state = game_of("primordial-soup").start(seed=3)
    for text in ("take red", "take blue", "start_on 1", "start_on 3"):
        state.apply(text)
    while state.decision is not None and state.decision.kind != "travelling":
        state.apply(state.choices[0])
    texts = {choice.text for choice in state.choices}
    other = next(
        f"{word} {thing}"
        for word in ("drift", "swim")
        for thing in ("red_1", "red_2", "red_3", "blue_1")
        if f"{word} {thing}" not in texts
    )
    said = explained(state, other)
    assert "is not among the choices" not in said


@pytest.mark.parametrize("text", ["attack tall", "build", "fire", "mix", "man low", "march e1"])
def test_an_answer_is_asked_without_touching_anything(text):
    state = small_game(SIEGE).start()
    digest = state.digest
    state.why_not(text)
    assert state.digest == digest


def test_what_the_rules_stop_is_not_blamed_on_what_must_hold_afterwards():
    """Neither on what the phase says nor on what the action does; without them it is offered and taken back."""
    text = """\
game: {id: full, title: Full, version: "1.0", text: Full., players: 2}
kinds: {player: {things: [ann, ben], has: {one: 0..9, two: 0..9}}}
flow: [{phase: turn, repeat: true, each: me in players, window: one, holds: [me.two < 5, opponent.two < 6]}]
actions:
  wait: {during: turn, do: finish over}
  add: {during: turn, choose: {much: in 1..12}, do: me.one += much}
  grow: {during: turn, choose: {much: in 1..12}, holds: me.two < 4, do: me.one += much}
endings: {over: {text: Over.}}
"""
    state = small_game(text).start(seed=1)
    for action in ("add", "grow"):
        (reason,) = state.why_not(f"{action} 11")
        assert reason.message == f"`{action} 11` is not allowed: `player.one` would leave its range 0..9"
        assert reason.plain.endswith("11: `player.one` would leave its range 0..9")
        assert reason.span is not None and reason.span.line in (6, 7)
        broken = state.patched({"ann.two": 5}).why_not(f"{action} 3")
        assert any("afterwards `me.two < 5` would not hold" in reason.message for reason in broken)

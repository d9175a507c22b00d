"""A trial behaves as play does: what `would`, `holds` and `cost` find is what happens."""

from __future__ import annotations

import random
import string

import pytest

import ruleforge
from tests.unit.small_games import rules_file

FORGE = string.Template("""\
game:
  id: $id
  title: Forge
  version: "1.0"
  text: One event and what hangs on it.
  players: 2
kinds:
  player: {things: [ann, ben], has: {heat: 0..99, hull: 0..99 = 9, out: flag, forecast: -1..99}}
  ship: {things: [ark, bark], has: {armour: 0..9 = 3}}
events:
  burn: {takes: {p: player, much: 0..9}, do: p.heat += much}
  scratch: {takes: {p: player}, do: p.hull -= 1}
rules:
$rules
flow:
  - phase: turn
    repeat: true
    each: me in players
    window: one
actions:
  foresee: {during: turn, do: "me.forecast = would(burn(opponent, 2): opponent.hull)"}
  try_it:
    during: turn
    do: burn(opponent, 2)
    holds: opponent.hull > 5
  act: {during: turn, do: "burn(opponent, 2)"}
  afford: {during: turn, cost: "burn(me, 2)", needs: "me.hull > 0", do: skip}
  end_it: {during: turn, do: finish over}
endings: {over: {text: Over.}$watched}
""")

RULES = {
    "waiting": "  r: {after: 'burn(p, much)', do: p.hull -= much}",
    "waiting twice": "  r: {after: 'burn(p, much)', do: scratch(p)}\n  s: {after: scratch(p), do: p.hull -= 4}",
    "on a change": "  r: {after: set player.heat, do: it.hull -= 2}",
    "standing": "  r: {always: p in players where p.heat > 1, do: p.heat = 0; p.hull -= 3}",
    "instead": "  r: {instead of: 'burn(p, much)', do: p.hull -= 5}",
    "proceed": "  r: {instead of: 'burn(p, much)', do: p.hull -= 1; proceed with much = 1}",
    "forbidden": "  r: {forbid: 'burn(p, much)', when: p.hull > 5}",
    "limited": "  r: {after: 'burn(p, much)', limit: once per turn, do: p.hull -= much}",
    "costly": "  r: {after: 'burn(p, much)', cost: p.hull -= 3, do: p.heat = 0}",
}


def forge(way: str, watched: str = "") -> ruleforge.State:
    id = f"forge_{way.replace(' ', '_')}{len(watched)}{watched.count('hull')}"
    text = FORGE.substitute(id=id, rules=RULES[way], watched=watched)
    return ruleforge.load(rules_file(text)).start()


def hull(state: ruleforge.State, player: str) -> int:
    value = state[f"{player}.hull"]
    assert isinstance(value, int)
    return value


@pytest.mark.parametrize("way", sorted(RULES))
def test_a_forecast_is_what_happens(way):
    state = forge(way)
    foreseen, played = state.copy(), state.copy()
    foreseen.apply("foresee")
    played.apply("act")
    assert foreseen["ann.forecast"] == played["ben.hull"]


@pytest.mark.parametrize("way", sorted(RULES))
def test_what_must_hold_is_looked_at_after_all_that_follows(way):
    state = forge(way).patched({"ben.hull": 7})
    played = state.copy()
    played.apply("act")
    offered = any(choice.text == "try_it" for choice in state.choices)
    assert offered == (hull(played, "ben") > 5)


@pytest.mark.parametrize("way", sorted(RULES))
def test_a_cost_is_offered_only_if_all_that_follows_can_be_paid(way):
    offered = 0
    for hull in range(8):
        state = forge(way).patched({"ann.hull": hull})
        if any(choice.text == "afford" for choice in state.choices):
            state.apply("afford")
            offered += 1
    assert offered > 0


def test_a_trial_that_wins_is_seen_to_win():
    """A shot that ends the game is forecast as it is played: the ending stops what comes after."""
    watched = ", won: {text: Won., when: 'any(p in players where p.%s)'}"
    for way, when in (("waiting", "heat > 1"), ("waiting", "hull < 9"), ("standing", "hull < 9")):
        state = forge(way, watched % when)
        foreseen, played = state.copy(), state.copy()
        foreseen.apply("foresee")
        played.apply("act")
        assert played.outcome is not None
        assert foreseen["ann.forecast"] == played["ben.hull"]


def test_forecasts_are_true_along_random_lines():
    for way in sorted(RULES):
        rng = random.Random(3)
        state = forge(way)
        for _ in range(12):
            if not state.choices or state.decision is None:
                break
            rival = "ben" if state.decision.player == "ann" else "ann"
            if min(hull(state, "ann"), hull(state, "ben")) < 9:
                break
            foreseen, played = state.copy(), state.copy()
            foreseen.apply("foresee")
            played.apply("act")
            mine = "ann" if rival == "ben" else "ben"
            assert foreseen[f"{mine}.forecast"] == played[f"{rival}.hull"], way
            state.apply(rng.choice([c for c in state.choices if c.text != "end_it"]))

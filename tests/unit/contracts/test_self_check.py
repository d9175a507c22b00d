"""A contract beside its game: points that admit nothing there, words that say nothing, limits that nobody meets."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleforge.project.resolver import analyse
from ruleforge.tools.project_files.side_files import look_beside

GAME = """game: {id: pier, title: Pier, version: "1.0", text: A pier with a toll., players: 2}
numbers: {tide: 4}
kinds:
  player: {things: [ann, ben], has: {coins: 0..99 = 20}}
  boat: {count: 3}
  crate: {count: 3, controller: self.keeper if self.keeper is not none else ann}
places:
  dock: {of: {holder: player}, holds: boat}
  hold: {of: {keeper: player}, holds: crate, sees: viewer is keeper}
formulas:
  toll: {open: true, takes: {p: player}, is: tide}
  shut: {takes: {p: player}, is: 3}
events:
  splash: {takes: {p: player}, do: skip}
  gap: {placeholder: true, do: skip}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  pass_by: {during: turn, do: "me.coins -= min(me.coins, toll(me) + shut(me)); splash(me); gap()"}
  stop: {during: turn, do: finish over}
endings: {over: {text: It is over.}}
"""
SOUND = """locked: "1.0"
points:
  - {id: a, modify: [toll], ops: [set], result: 0..9}
  - {id: b, choose: [tide], range: 0..9}
  - {id: c, move: [crate into hold, crate from hold into hold, shuffle hold], whose: own, out_of: own, into: own}
  - {id: d, look: [hold], out_of: own, into: own}
  - {id: e, fill: [gap]}
guards:
  - {of: [facts of boat], cites: [X]}
secrecy: {keep: [hold]}
loops: {settled_by: [limit]}
"""
MISTAKES = {
    "a formula that takes no modifiers": ("modify: [toll]", "modify: [shut]", "RF346"),
    "saying anew": ("choose: [tide], range: 0..9", "redefine: [tide]", "RF346"),
    "an event that is no placeholder": ("fill: [gap]", "fill: [splash]", "RF346"),
    "a look at what all see": ("look: [hold]", "look: [dock]", "RF346"),
    "whose, of things without a controller": (
        "move: [crate into hold, crate from hold into hold, shuffle hold]",
        "move: [boat into dock]",
        "RF347",
    ),
    "a secret that all see": ("keep: [hold]", "keep: [dock]", "RF347"),
    "a size of what is set": ("result: 0..9", "each: 0..9", "RF347"),
    "two points of one name": ("{id: b,", "{id: a,", "RF348"),
    "a word that says nothing": ("settled_by: [limit]", "settled_by: [luck]", "RF204"),
    "facts of an unknown kind": ("facts of boat", "facts of boot", "RF344"),
    "an unknown place that is shuffled": ("shuffle hold", "shuffle hole", "RF344"),
}


def diagnostics(home: Path, contract: str) -> list[str]:
    (home / "game.yaml").write_text(GAME)
    (home / "contract.yaml").write_text(contract)
    analysis = analyse(home)
    assert not [d for d in analysis.diagnostics if d.severity == "error"]
    return [d.code for d in look_beside(analysis).diagnostics]


def test_a_sound_contract_has_no_diagnostics(tmp_path):
    assert diagnostics(tmp_path, SOUND) == []


@pytest.mark.parametrize("mistake", MISTAKES)
def test_what_can_never_act_is_told(tmp_path, mistake):
    written, wrong, code = MISTAKES[mistake]
    assert written in SOUND
    assert diagnostics(tmp_path, SOUND.replace(written, wrong, 1)) == [code]

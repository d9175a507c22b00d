"""Standing rules act at once: rules that forbid, replace or change a formula count wherever it is used."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruleforge

FORBIDDEN = """
game: {id: gate, title: Gate, version: "1.0", text: T., players: 2}
kinds:
  player: {things: [ann, ben], has: {coins: 0..99}}
  game: {has: {shut: flag = true, seen: 0..9}}
events:
  walk: {do: "game.seen += 5"}
rules:
  closed: {forbid: walk(), when: game.shut}
  goes: {always: p in players where p.coins is 0 and can(walk()) and game.seen is 0, do: "game.seen += 1"}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  open:
    during: turn
    do: |
      game.shut = false
      me.coins = game.seen
      finish over
endings: {over: {text: Over.}}
"""

REPLACED = """
game: {id: blows, title: Blows, version: "1.0", text: T., players: 2}
kinds:
  player: {things: [ann, ben], has: {coins: 0..99, hits: 0..9}}
events:
  hit: {takes: {p: player}, do: "p.hits += 1"}
rules:
  spared: {instead of: hit(p), do: "for q in players: q.coins += 1"}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  go:
    during: turn
    do: |
      for p in players where p.coins is 0: hit(p)
      finish over
endings: {over: {text: Over.}}
"""


def played(folder: Path, text: str) -> ruleforge.State:
    (folder / "game.yaml").write_text(text, "utf-8")
    state = ruleforge.load(folder / "game.yaml").start(seed=1)
    state.apply(state.choices[0])
    return state


def test_a_standing_rule_acts_as_soon_as_nothing_forbids_any_more_what_it_asks_about(tmp_path: Path) -> None:
    assert played(tmp_path, FORBIDDEN)["ann.coins"] == 1


def test_a_loop_has_the_members_of_its_beginning_whatever_replaces_what_it_does(tmp_path: Path) -> None:
    assert played(tmp_path, REPLACED)["ben.coins"] == 2


# An open formula that is a condition asks the rules that change it, wherever it is tested.

GAME = """\
game: {{id: open, title: Open, version: "1", text: Conditions., players: 2}}
kinds:
  player: {{things: [ann, ben]}}
  card:
    has: {{up: flag}}
    things: [dull, sharp]
formulas:
  bites: {{takes: {{c: card}}, is: c.up, open: true}}
rules:
  sharp_bites: {{modify: bites(c), when: c is sharp, set: true}}
flow:
  - phase: only
    do: |
      {test}
      finish no_way
endings: {{so: {{text: It does.}}, no_way: {{text: It does not.}}}}
"""


@pytest.mark.parametrize(
    "test",
    [
        "if bites(sharp): finish so",
        "if count(c in cards where bites(c)) is 1: finish so",
        "for c in cards where c is sharp and bites(c): finish so",
    ],
)
def test_a_condition_counts_its_modifiers(test: str, tmp_path: Path) -> None:
    path = tmp_path / "open.yaml"
    path.write_text(GAME.format(test=test), "utf-8")
    outcome = ruleforge.load(path).start().outcome
    assert outcome is not None and outcome.reason == "so"

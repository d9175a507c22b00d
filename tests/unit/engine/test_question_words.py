"""Questions in the author's own words: at the decision, for every form of choice, and in no lock."""

from __future__ import annotations

import ruleforge
from ruleforge.contracts.locks.canon import definitions
from ruleforge.project.resolver import analyse

GAME = """
game: {id: asked, title: Asked, version: "1.0", text: Words., players: 2}
kinds:
  player: {things: [ann, ben]}
  card: {things: [ace, king, queen]}
places:
  table: {holds: card, starts: cards}
flow:
  - {phase: turn, each: me in players, window: one}
actions:
  ask:
    during: turn
    choose:
      a: in cards "Never asked by itself."
      b: in cards where b is not a "And which then?"
    do: |
      me chooses c in table, d in table "Which second?": skip
      me may choose exactly 2 e in table "Which two?": skip
      me picks "What now?":
        go_on: skip
        stop: skip
      each p in players secretly chooses n in 1..2 "How many?", m in 1..2: skip
      finish over
endings:
  over: {text: Over.}
"""


def test_each_form_is_asked_in_its_words(tmp_path):
    (tmp_path / "asked.yaml").write_text(GAME)
    state = ruleforge.load(tmp_path / "asked.yaml").start(seed=1)
    asked = []
    while state.decision is not None:
        asked.append(state.decision.prompt)
        state.apply(state.choices[0])
    two = ["Which two?", "Which two?"]
    secretly = ["How many?", "How many?"]
    assert asked == [
        "turn", "ask: And which then?", "choose c", "Which second?", *two, "What now?", *secretly,
    ]  # fmt: skip


def test_words_are_no_part_of_what_is_locked(tmp_path):
    (tmp_path / "asked.yaml").write_text(GAME)
    plain = tmp_path / "plain.yaml"
    plain.write_text("\n".join(_unasked(line) for line in GAME.split("\n")))
    first, second = (analyse(tmp_path / name) for name in ("asked.yaml", "plain.yaml"))
    assert _locked(first) == _locked(second)


def _unasked(line: str) -> str:
    head, quote, rest = line.partition(' "')
    return head + rest.partition('"')[2] if quote and "version" not in line else line


def _locked(analysis):
    assert analysis.ruleset is not None and analysis.parsed is not None
    return definitions(analysis.ruleset, analysis.parsed)

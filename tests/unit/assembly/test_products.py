"""Products: what they are made of, what is refused, and what packs add to them."""

from __future__ import annotations

import pytest

import ruleforge
from ruleforge.analysing import diagnostics_of
from tests.unit.small_games import rules_file

HEAD = """
game:
  id: parts
  title: Parts
  version: "1.0"
  players: 2
kinds:
  player: {things: [ann, ben]}
  suit: {things: {clubs: {title: Clubs}, hearts: {title: Hearts}}}
  dot: {count: 2}
  twin: {things: {moon: {copies: 2}}}
  card: {product: %s, has: {owner: player or none}}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  take: {during: turn, choose: {c: in cards where c.owner is none}, do: c.owner = me}
  stop: {during: turn, do: finish over}
endings: {over: {text: Over.}}
"""


@pytest.mark.parametrize(
    ("parts", "names"),
    [
        ("{suit: suits, rank: 2..3}", ["clubs_2", "clubs_3", "hearts_2", "hearts_3"]),
        ("{rank: 2..3, suit: suits}", ["card_2_clubs", "card_2_hearts", "card_3_clubs", "card_3_hearts"]),
        ("{at: dots, low: suits}", ["dot_1_clubs", "dot_1_hearts", "dot_2_clubs", "dot_2_hearts"]),
        ("{pip: dots, low: suits}", ["dot_1_clubs", "dot_1_hearts", "dot_2_clubs", "dot_2_hearts"]),
    ],
)
def test_one_thing_for_each_combination(parts, names):
    state = ruleforge.load(rules_file(HEAD % parts)).start()
    assert [str(c).removeprefix("take ") for c in state.choices if c.action == "take"] == names


@pytest.mark.parametrize(
    "parts",
    [
        "{suit: suit}",
        "{suit: cards}",
        "{suit: twins}",
        "{rank: 3..2}",
        "{a_rank: 0..999, b_rank: 0..999}",
        "{rank: -2..2}",
        "{rank: 0..99999999999}",
    ],
)
def test_what_cannot_be_multiplied_is_refused(parts):
    found = diagnostics_of(rules_file(HEAD % parts))
    assert found[0].code == "RF307" and found[0].help
    assert [d.code for d in found if d.severity == "error"] == ["RF307"]

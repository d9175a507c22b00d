"""Facts `per` a kind, and places that begin with what their indices say: played on every backend that is at hand."""

import pytest

import ruleforge
from ruleforge.play.seats.rule_help import RuleHelp
from tests.unit.small_games import rules_file

RULES = """
game: {id: stalls, title: Stalls, version: "1", players: "2..3"}
kinds:
  player:
    things: [ann, ben, cy]
    has: {purse: 0..9 per good = 2, score: 0..99}
  good: {things: [wood, clay, corn]}
  size: {things: [small, large]}
  ware:
    facts:
      size: size
      cost: 0..9 per good
      yields: 0..9 per good per size = 1
      with: set of good per size
      liked_by: player or none per good
      sold_to: 0..9 per player
    things:
      hut:
        size: small
        cost: {wood: 2, clay: 1}
        yields: {corn: {large: 4}, wood: 3}
        with: {large: [clay, corn]}
        sold_to: {cy: 7}
      mill: {size: large, cost: 1, copies: 2, liked_by: {clay: ben}, sold_to: {ben: 2}}
      barn: {size: small}
places:
  row: {of: {which: size}, holds: ware, ordered: true, starts: "{w in wares where w.size is which}"}
  yard: {of: {keeper: player}, holds: ware}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one, stuck: finish over for me}
actions:
  buy:
    during: turn
    choose: {w: "in small.row | large.row where all(me.purse[g] >= w.cost[g] for g in goods)"}
    do: |
      for g in goods: me.purse[g] -= w.cost[g]
      move w to me.yard
      me.score += sum(w.yields[g, small] for g in goods) if w.size is small else w.sold_to[me]
  stop: {during: turn, do: finish over for me}
endings: {over: {text: It is over.}}
"""
ASKED = {
    "hut.cost[wood]": 2,
    "hut.cost[corn]": 0,
    "mill_1.cost[corn]": 1,
    "mill_2.cost[wood]": 1,
    "barn.cost[wood]": 0,
    "hut.yields[corn, large]": 4,
    "hut.yields[corn, small]": 1,
    "hut.yields[wood, small]": 3,
    "barn.yields[clay, large]": 1,
    "hut.with[large]": ["clay", "corn"],
    "hut.with[small]": [],
    "mill_2.liked_by[clay]": "ben",
    "mill_2.liked_by[wood]": None,
    "hut.sold_to[ben]": 0,
    "mill_1.sold_to[ben]": 2,
    "small.row": ["hut", "barn"],
    "large.row": ["mill_1", "mill_2"],
}


@pytest.mark.parametrize("backend", ["python", "reference", "native"])
def test_a_value_for_each(backend):
    state = ruleforge.load(rules_file(RULES), backend=backend).start(players=2, seed=1)
    assert {path: state[path] for path in ASKED} == ASKED
    assert "buy hut" in map(str, state.choices)
    state.apply("buy hut")
    assert [state[f"ann.purse[{good}]"] for good in ("wood", "clay", "corn")] == [0, 1, 2]
    assert state["ann.score"] == 3 + 1 + 1
    state.apply("buy mill_1")
    assert state["ben.score"] == 2


def test_players_read_them():
    state = ruleforge.load(rules_file(RULES)).start(seed=1)
    said = [line.text for line in RuleHelp(state, None, state.scene(None), {}).lines("hut")]
    assert any("cost Wood 2, Clay 1" in line for line in said), said


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("cost: {wood: 2, clay: 1}", "cost: {wood: 2, brass: 1}", "unknown good `brass`"),
        ("cost: {wood: 2, clay: 1}", 'cost: "{wood: 2, wood: 1}"', "`wood` is listed twice"),
        ("cost: {wood: 2, clay: 1}", "cost: {wood: 12}", "12 is not in 0..9"),
        (
            "size: small\n",
            "size: {wood: small}\n",
            "expected a single value of `size` here",
        ),
        ("player or none per good", "player per good", "`hut` lacks the fact `liked_by`"),
        ("w.size is which}", "w.size is small}", "every `row` would begin with the same things"),
        ("do: finish over for me}", 'do: "me.score = {wood: 1}"}', "expected a single value here"),
    ],
)
def test_mistakes_are_told(old, new, says):
    assert old in RULES
    found = ruleforge.analyse(rules_file(RULES.replace(old, new))).diagnostics
    assert any(says in diagnostic.message for diagnostic in found), [d.message for d in found]

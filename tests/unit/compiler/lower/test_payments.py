"""A cost is offered if there is a way to pay it, and whoever pays is led into no dead end, on every backend.

The same parts as a plain effect, where every choice is free and a wrong one is taken back, say which ways there are.
"""

from __future__ import annotations

import pytest

import ruleforge
from tests.unit.small_games import rules_file

GAME = """\
game: {{id: ways-to-pay, title: Ways to pay, version: "1.0", text: Much to pay., players: 2}}
kinds:
  player:
    things: [ann, ben]
    has: {{wood: 0..9 = {wood}, clay: 0..9 = {clay}, iron: 0..9 = {iron}, huts: 0..9}}
  tool: {{things: [axe, saw, plane], has: {{uses: 0..3 = 1}}}}
events:
  wear: {{takes: {{x: tool}}, do: x.uses -= 1}}
setup: axe.uses = 0
flow:
  - {{phase: turn, each: me in players, window: maybe}}
  - {{phase: last, do: finish over}}
actions:
  build:
    during: turn
{build}
endings: {{over: {{text: Over.}}}}
"""
COSTS = {
    "a split, then a fixed part": """\
pay 3 from me.wood or me.clay
me.wood -= 2""",
    "three pools": """\
pay 3 from me.wood or me.clay or me.iron
me.wood -= 2
me.iron -= 1""",
    "two splits": """\
pay 2 from me.wood or me.clay
pay 2 from me.clay or me.iron
me.clay -= 1""",
    "a choice that may be wrong itself": """\
me chooses x in tools: x.uses -= 1""",
    "an event": """\
me chooses x in tools: wear(x)""",
    "two choices": """\
me chooses x in tools: x.uses -= 1
me chooses y in tools: y.uses -= 1""",
    "a menu": """\
me picks:
  timber: me.wood -= 1
  bricks if me.clay > 1: me.clay -= 1
me.wood -= 2""",
    "under a condition": """\
if me.iron > 0:
  pay 2 from me.wood or me.clay
me.wood -= 2""",
    "a number": """\
me chooses x in 1..3:
  me.wood -= x
  me.clay -= 3 - x
me.wood -= 1""",
    "two numbers": """\
me chooses x in 0..2, y in 0..2:
  me.wood -= x
  me.clay -= y
  me.clay -= 3 - x - y
me.clay -= 1""",
    "what may be declined": """\
me may choose x in tools:
  x.uses -= 1
  me.iron += 1
me.iron -= 2""",
    "what may be declined, at the end": """\
me may choose x in tools: x.uses -= 1""",
    "something else instead": """\
me chooses x in tools where x.uses > me.iron: x.uses -= 1
else: me.iron -= 1
pay 2 from me.iron or me.wood
me.wood -= 1""",
    "a local that changes": """\
let k = 3
pay k from me.wood or me.clay
k = k - 1
me.wood -= k""",
}
STOCKS = (
    {"wood": 3, "clay": 3, "iron": 1},
    {"wood": 2, "clay": 3, "iron": 0},
    {"wood": 1, "clay": 4, "iron": 2},
)
Line = tuple[tuple[str, ...], str]


def _game(build: str, stock: dict[str, int], backend: str = "python") -> ruleforge.Game:
    text = GAME.format(build="\n".join(f"    {line}" for line in build.splitlines()), **stock)
    return ruleforge.load(rules_file(text), backend=backend)


def _indented(cost: str) -> str:
    return "\n".join(f"  {line}" for line in cost.splitlines())


def _lines(state: ruleforge.State, said: tuple[str, ...] = (), dead_ends: bool = False) -> set[Line]:
    """Every way through ann's turn, with what it leads to."""
    found: set[Line] = set()
    for choice in state.choices if state["decision.player"] == "ann" else ():
        if choice.text == "done":
            continue
        after = state.copy()
        try:
            after.apply(choice)
        except ruleforge.IllegalChoice:
            assert dead_ends, (*said, choice.text)
            continue
        words = (*said, choice.text)
        if after["decision.player"] == "ann":
            found |= _lines(after, words, dead_ends)
        else:
            found.add((words, str(after.view(None)["attributes"])))
    return found


@pytest.mark.parametrize("name", COSTS)
def test_what_is_offered_is_every_way_to_pay_and_nothing_else(name):
    cost = _indented(COSTS[name])
    paid = f"cost: |\n{cost}\ndo: me.huts += 1"
    for stock in STOCKS:
        wanted = _lines(_game(f"do: |\n{cost}\n  me.huts += 1", stock).start(seed=1), dead_ends=True)
        for backend in ("python", "reference", "native") if stock is STOCKS[0] else ("python",):
            assert _lines(_game(paid, stock, backend).start(seed=1)) == wanted


# Choices asked after the first are offered only if the action can then be paid for.

LATER_CHOICES = """\
game: {id: shop, title: Shop, version: "1.0", text: Buying., players: 2}
kinds:
  player:
    things: [ann, ben]
    has: {gold: 0..20 = 5}
  ware:
    facts: {price: 0..9}
    things: {rope: {price: 2}, lamp: {price: 4}, boat: {price: 9}}
events:
  spend:
    takes: {p: player, amount: 0..99}
    needs: p.gold >= amount
    do: p.gold -= amount
flow:
  - {phase: turn, repeat: true, each: me in players, window: one, stuck: finish poor}
actions:
  buy:
    during: turn
    choose: {w: in wares, much: in 1..3}
    cost: COST
    do: skip
endings: {poor: {text: Nobody can buy.}}
"""


@pytest.mark.parametrize("cost", ["pay w.price * much from me.gold", "spend(me, w.price * much)"])
@pytest.mark.parametrize("backend", ["python", "reference"])
def test_what_cannot_be_paid_is_not_offered_later(tmp_path, cost, backend):
    (tmp_path / "game.yaml").write_text(LATER_CHOICES.replace("COST", cost), encoding="utf-8")
    state = ruleforge.load(tmp_path, backend=backend).start(seed=1)
    assert [c.text for c in state.choices] == ["buy rope", "buy lamp"]
    state.apply("buy rope")
    assert [c.text for c in state.choices] == ["1", "2"]
    state.apply("2")
    assert state["ann.gold"] == 1

"""What is offered can be completed: every shape of parameters under every guard, followed to all its ends."""

from __future__ import annotations

import pytest

import ruleforge
from tests.unit.small_games import rules_file

GAME = """\
game: {{id: ends, title: Ends, version: "1.0", text: Ends., players: 2}}
kinds:
  player: {{things: [ann, ben], has: {{coins: 0..9}}}}
  card: {{things: [one, two, three]}}
  bound: {{facts: {{most: 0..9}}, things: {{tight: {{most: 2}}}}}}
  game: {{has: {{used: 0..9, acted: flag}}}}
flow:
  - phase: round
    each: q in bounds
    steps:
      - phase: turn
        each: me in players
        window: one
        {phase}
        stuck: finish waited
        end: |
          if game.acted: finish over
          finish waited
actions:
  act:
    during: turn
    joined: {joined}
    choose: {{{shape}}}
    {action}
    do: |
      game.used = {weight}
      game.acted = true
  wait: {{during: turn, do: skip}}
endings:
  over: {{text: It is over.}}
  waited: {{text: Nothing was done.}}
"""

# parameters, what they weigh, and what they can weigh
SHAPES = [
    ("a: in 0..3", "a", {0, 1, 2, 3}),
    ("a: in 0..3, b: in 0..3", "a + b", {*range(7)}),
    ("some: up to 3 in cards", "count(c in some)", {0, 1, 2, 3}),
    ("some: exactly 3 in cards", "count(c in some)", {3}),
    ("some: any number in cards such that count(c in some) > 0", "count(c in some)", {1, 2, 3}),
    ("a: in 0..2, some: exactly 2 in cards", "a + count(c in some)", {2, 3, 4}),
    ("some: up to 2 in cards, a: in 1..2", "a + count(c in some)", {1, 2, 3, 4}),
    (
        "some: up to 2 in cards, more: exactly 1 in cards where more not in some",
        "count(c in some | more)",
        {1, 2, 3},
    ),
]
COINS = 2
# what the phase says, what the action says, and whether a weight is all right
GUARDS = [
    ("sees: true", "limit: once per game", lambda _: True),
    ("sees: true", "cost: me.coins -= 3", lambda _: False),
    ("sees: true", "cost: me.coins -= 1", lambda _: True),
    ("sees: true", "cost: me.coins -= {weight}", lambda weight: weight <= COINS),
    ("sees: true", "cost: pay {weight} from me.coins", lambda weight: weight <= COINS),
    ("sees: true", "needs: me.coins >= {weight}", lambda weight: weight <= COINS),
    ("sees: true", "holds: game.used <= 2", lambda weight: weight <= 2),
    ("holds: me.coins >= 9", "cost: me.coins -= 0", lambda _: False),
    ("holds: game.used <= me.coins", "limit: once per game", lambda weight: weight <= COINS),
    ("holds: game.used <= 2", "cost: me.coins -= 1", lambda weight: weight <= 2),
]


def ends(state: ruleforge.State) -> set[tuple[str, object]]:
    """All ends that can be come to, each by the reason and the weight of what was chosen."""
    if state.outcome is not None:
        return {(state.outcome.reason, state["game.used"])}
    found: set[tuple[str, object]] = set()
    assert state.choices, "a dead end"
    for choice in state.choices:
        after = state.copy()
        after.apply(choice)
        found |= ends(after)
    return found


@pytest.mark.parametrize("joined", ["true", "false"])
@pytest.mark.parametrize("shape, weight, weights", SHAPES)
@pytest.mark.parametrize("phase, action, fine", GUARDS)
def test_what_is_offered_can_be_completed(shape, weight, weights, phase, action, fine, joined):
    text = GAME.format(
        shape=shape, weight=weight, phase=phase, action=action.format(weight=weight), joined=joined
    )
    expected = {("over", w) for w in weights if fine(w)} | {("waited", 0)}
    for backend in ("python", "reference"):
        state = ruleforge.load(rules_file(text), backend=backend).start()
        assert ends(state.patched({"ann.coins": COINS})) == expected

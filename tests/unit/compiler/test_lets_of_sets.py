"""A set that a formula names by `let` is worked out once, however often it is asked about."""

import pytest

import ruleforge
from tests.unit.small_games import rules_file

RULES = """
game: {id: hands, title: Hands, version: "1", text: x, players: 2}
kinds:
  player: {things: [ann, ben]}
  card: {product: {pip: 1..40}}
places:
  deck: {holds: card, starts: cards}
  hand: {of: {holder: player}, holds: card}
setup: |
  for c in deck: move c to ann.hand
formulas:
  worth:
    takes: {p: player}
    let:
      mine: "{c in p.hand where c.pip % 2 is 0}"
      high: "{c in mine where count(d in mine where d.pip > c.pip) < 3}"
      top: "{c in high where count(d in high where d.pip > c.pip) < 2}"
    is: count(c in top) + sum(c.pip for c in high where count(d in top where d.pip >= c.pip) > 0)
    sees: true
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  ask: {during: turn, do: "if worth(me) >= 0: finish over for me"}
endings: {over: {text: It is over.}}
"""


@pytest.mark.parametrize("backend", ["python", "reference", "native"])
def test_nested_sets_are_worked_out_once(backend):
    """In place of each use they would take some millions of steps."""
    game = ruleforge.load(rules_file(RULES), backend=backend, ceilings=ruleforge.Ceilings(work=60_000))
    state = game.start(seed=1)
    assert state["worth(ann)"] == 2 + 40 + 38 + 36
    state.apply("ask")
    assert state.outcome is not None

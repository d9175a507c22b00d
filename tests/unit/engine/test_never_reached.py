"""Questions that play never comes to stand in no frame: worlds are imagined all the same."""

import random

import ruleforge
from tests.unit.small_games import rules_file

RULES = """
game: {id: dead, title: Dead end, version: "1", text: x, players: 2}
kinds:
  player: {things: [ann, ben], has: {total: 0..9}}
  gem: {things: [opal, agate]}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  act:
    during: turn
    do: |
      opponent picks:
        give:
          me.total += 1
        end_it:
          if true: finish over
          each p in players secretly chooses g in gems:
            p.total += 1
endings: {over: {text: It is over.}}
"""


def test_a_sealed_choice_behind_the_end_is_no_part_of_a_world():
    state = ruleforge.load(rules_file(RULES)).start(seed=1)
    state.apply("act")
    for player in state.players:
        assert state.reimagined(player, random.Random(1)).view(player) == state.view(player)
    state.apply("end_it")
    assert state.outcome is not None

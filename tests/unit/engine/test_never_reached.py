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


LOST = """\
game: {id: lost, title: Lost, version: "1.0", text: Lost., players: 2}
kinds:
  player: {things: [ann, ben], has: {friend: player}}
  card: {things: {king: {}}, has: {ready: flag}}
  cell: {grid: {shape: square, columns: 2, rows: 2}}
places: {slot: {holds: card, sees: false}}
flow:
  - phase: round
    repeat: true
    do: |
      ben.friend picks:
        one: skip
    steps:
      - phase: turn
        each: me in players where king.ready
        do: |
          me picks:
            two: finish won for me
        end: |
          each p in players where false secretly chooses c in cells:
            me may choose any number of s in cards such that true:
              show s to players
endings: {won: {text: Won.}}
"""


def test_a_question_whose_player_is_forgotten_may_have_been_put_to_anybody():
    """Whose turn it was lies in a frame no more; a question of that turn is not asked of nobody to find out."""
    state = ruleforge.load(rules_file(LOST)).start(seed=1)
    for _ in range(3):
        for seat in (*state.players, None):
            assert state.reimagined(seat, random.Random(1)).view(seat) == state.view(seat)
        state.apply(state.choices[0])

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


UNSEEN = """\
game: {id: unseen, title: Unseen, version: "1.0", text: Unseen., players: 2}
kinds: {player: {things: [ann, ben]}, card: {things: [ace, king]}}
places: {deck: {holds: card, sees: false, starts: cards}}
flow: [{phase: turn, repeat: true, each: me in players, window: one}]
actions:
  wait: {during: turn, do: finish over}
  point:
    during: turn
    do: |
      me chooses c in cards:
        show ace to players
endings: {over: {text: Over.}}
"""


def test_what_comes_to_light_does_not_tell_what_was_chosen_unseen():
    """Whichever of two hidden cards was pointed at, others hear the same of it."""
    start = ruleforge.load(rules_file(UNSEEN)).start(seed=1)
    start.apply("point")
    told = set()
    for choice in start.choices:
        after = start.copy()
        after.apply(choice)
        told.add(start.tell(choice, after, "ben"))
    assert len(start.choices) == 2 and told == {"?"}

"""In the middle of what somebody does in secret, the worlds of others hang on what those were told, and on nothing else.

Each ruleset keeps parts of what was chosen where no view shows them. Lines of play that look and sound the same to a
seat must lead to the same worlds for the same random numbers.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator

import pytest

import ruleforge
from tests.redeals import redealt
from tests.unit.small_games import rules_file, small_game

GAME = """\
game: {{id: under-way, title: Under way, version: "1.0", text: Much begun., players: 2}}
kinds:
  player:
    things: [ann, ben]
    has: {{plan: {{type: 0..999, sees: viewer is self}}, gold: 0..9 = 5}}
  card: {{count: 6, has: {{marked: {{type: flag, sees: viewer is self.holder}}}}}}
places:
  deck: {{holds: card, ordered: true, sees: false}}
  hand: {{of: {{holder: player}}, holds: card, sees: viewer is holder}}
  pile: {{holds: card}}
windows:
  answer: {{text: Say something., window: one, takes: {{played: card}}}}
setup: |
  for c in cards: move c to deck
  for p in players:
    for c in first(x in deck): move c to p.hand
    for c in first(x in deck): move c to p.hand
flow:
  - {{phase: turn, each: me in players, window: one{secret}}}
  - {{phase: last, do: finish over}}
actions:
{actions}
  agree: {{during: answer, do: move played to pile}}
  shrug: {{during: answer, do: me.gold -= 1}}
endings: {{over: {{text: Over.}}}}
"""

IN_SECRET = {
    "parts": """\
  think: {during: turn, choose: {a: in 1..3, b: in 1..3, c: in 1..2}, do: me.plan = a * 100 + b * 10 + c}
  rest: {during: turn, choose: {a: in 1..2, b: in 1..2}, do: me.plan = a + b}""",
    "choices of an effect": """\
  think:
    during: turn
    do: |
      me chooses a in 1..3:
        me chooses b in 1..3:
          me chooses c in 1..2: me.plan = a * 100 + b * 10 + c""",
    "changes between": """\
  think:
    during: turn
    do: |
      me chooses a in 1..3:
        me.plan = a
        me chooses b in 1..3:
          me.plan = a * 10 + b
          me chooses c in 1..2: me.plan = a * 100 + b * 10 + c""",
    "a cost between": """\
  think:
    during: turn
    choose: {a: in 1..3}
    cost: me.gold -= 1
    do: |
      me chooses b in 1..3: me.plan = a * 10 + b""",
    "the other is asked": """\
  think:
    during: turn
    choose: {a: in 1..3}
    do: |
      opponent chooses b in 1..3: me.plan = a * 10 + b""",
}
OPENLY = {
    "a hidden card": """\
  play: {during: turn, choose: {c: in me.hand, k: in 1..2, m: in 1..2}, do: move c to pile}
  hide: {during: turn, choose: {c: in me.hand, k: in 1..2}, do: c.marked = true}""",
    "a set": """\
  swap:
    during: turn
    choose: {cs: up to 2 in me.hand, k: in 1..2}
    do: |
      for c in cs: move c to deck""",
    "a set in an effect": """\
  drop:
    during: turn
    do: |
      me.gold -= 1
      me chooses up to 2 cs in me.hand:
        opponent chooses k in 1..2:
          for c in cs: move c to deck""",
    "an answer to a hidden card": """\
  play:
    during: turn
    choose: {c: in me.hand}
    do: |
      me.gold -= 1
      opponent chooses k in 1..2:
        if k is 1: move c to pile
        if k is 2: c.marked = true""",
    "what the rules looked at": """\
  peek:
    during: turn
    do: |
      for c in first(x in deck):
        show c to me
        opponent chooses k in 1..2:
          if k is 1: move c to pile""",
    "a window about a hidden card": """\
  play:
    during: turn
    choose: {c: in me.hand}
    do: |
      offer answer(c) to opponent""",
}
GAMES = {
    **{name: GAME.format(secret=", sees: viewer is me", actions=text) for name, text in IN_SECRET.items()},
    **{name: GAME.format(secret="", actions=text) for name, text in OPENLY.items()},
}
DEPTH, WIDTH = 5, 20
Seat = str | None


def alike(game: ruleforge.Game, seat: Seat) -> Iterator[list[ruleforge.State]]:
    """Positions that look the same to a seat, at the end of lines of which it was told the same."""
    start = game.start(seed=1)
    number = 0 if seat is None else start.players.index(seat) + 1
    starts = [start, *(redealt(start, number, random.Random(n), alike=True) for n in range(2))]
    level: dict[tuple[object, ...], list[ruleforge.State]] = {(): starts}
    for _ in range(DEPTH):
        yield from (group for group in level.values() if len(group) > 1)
        states = [(log_of, state) for log_of, group in level.items() for state in group]
        below: dict[tuple[object, ...], dict[str, ruleforge.State]] = defaultdict(dict)
        for log_of, state in random.Random(3).sample(states, min(WIDTH, len(states))):
            for choice in state.choices:
                after = state.copy()
                events = [str(event) for event in after.apply(choice).seen_by(seat)]
                if after.choices:
                    told = (state.tell(choice, after, seat), *events, str(after.view(seat)))
                    below[(*log_of, *told)][after.digest] = after
        level = {log_of: list(found.values()) for log_of, found in below.items()}


def worlds(state: ruleforge.State, seat: Seat, many: int = 2) -> list[ruleforge.State]:
    return [state.sample_world(seat, random.Random(seed)) for seed in range(many)]


@pytest.mark.parametrize("name", GAMES)
def test_positions_that_look_the_same_have_the_same_worlds(name):
    game, compared = small_game(GAMES[name]), 0
    for seat in ("ann", "ben", None):
        for first, *others in alike(game, seat):
            found = worlds(first, seat)
            assert all(world.view(seat) == first.view(seat) for world in found)
            for other in others[:3]:
                assert worlds(other, seat) == found, (seat, first.decision)
                compared += 1
    assert compared > 5


def test_parts_chosen_in_secret_vary_and_ones_own_stay():
    state = small_game(GAMES["parts"]).start()
    state.apply("think 3 2")
    plans: dict[Seat, set[object]] = {"ann": set(), "ben": set(), None: set()}
    for seat, found in plans.items():
        for world in worlds(state, seat, 40):
            assert state.game.restore(world.save()) == world
            world.apply("1")
            found.add(world["ann.plan"])
    assert plans["ann"] == {321}
    assert plans["ben"] == plans[None] == {a * 100 + b * 10 + 1 for a in (1, 2, 3) for b in (1, 2, 3)}


def test_which_action_was_begun_varies_too():
    state = small_game(GAMES["parts"]).start()
    state.apply("rest 2")
    asked = {world["decision.kind"] for world in worlds(state, "ben", 20)}
    assert asked == {"think", "rest"}


def test_a_card_that_was_begun_with_lies_where_it_can_have_been_taken_from():
    state = small_game(GAMES["a hidden card"]).start()
    state.apply("play card_1")
    played = set[str]()
    for world in worlds(state, "ben", 30):
        hand = str(world["ann.hand"])
        world.apply("1")
        world.apply("1")
        (card,) = world.view(None)["places"]["pile"]
        assert card in hand
        played.add(card)
    assert len(played) > 2


# Questions that play never comes to stand in no frame: worlds are imagined all the same.

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
        assert state.sample_world(player, random.Random(1)).view(player) == state.view(player)
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
            assert state.sample_world(seat, random.Random(1)).view(seat) == state.view(seat)
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

"""Worlds vary what others keep to themselves about hidden things, and keep what everybody knows of them."""

from __future__ import annotations

import random

from tests.unit.small_games import small_game

GAME = """\
game: {id: marks, title: Marks, version: "1.0", text: Marking cards., players: 2}
kinds:
  player: {things: [ann, ben]}
  card:
    count: 6
    has:
      marked: {type: flag, sees: viewer is self.holder}
      owner: player
places:
  deck: {of: {deck_of: player}, holds: card, ordered: true, sees: false}
  hand: {of: {holder: player}, holds: card, sees: viewer is holder}
setup: |
  for c in cards:
    c.owner = ann if number(c) <= 3 else ben
    move c to c.owner.deck
  for p in players:
    for c in first(x in p.deck): move c to p.hand
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
  - {phase: last, do: finish over}
actions:
  mark: {during: turn, sees: viewer is me, choose: {c: in me.hand}, do: c.marked = true}
endings: {over: {text: Over.}}
"""


def test_a_private_mark_on_a_hidden_card_varies():
    state = small_game(GAME).start(seed=1)
    state.apply("mark card_1")
    rng = random.Random(2)
    marks = {any(w[f"card_{n}.marked"] for n in range(1, 7)) for w in _worlds(state, "ben", rng)}
    assert marks == {False, True}
    assert all(world["card_1.marked"] for world in _worlds(state, "ann", rng))


def test_hidden_cards_stay_with_those_who_are_known_to_own_them():
    state = small_game(GAME).start(seed=1)
    decks = {tuple(world["ann.deck"]) for world in _worlds(state, None, random.Random(2))}
    assert len(decks) > 1
    assert {card for deck in decks for card in deck} == {"card_1", "card_2", "card_3"}


def _worlds(state, seat, rng):
    return [state.reimagined(seat, rng) for _ in range(12)]

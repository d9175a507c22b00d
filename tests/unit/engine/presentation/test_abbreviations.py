"""Things called by their signs: in hands, choices and sentences, typed and drawn by their letters."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

import ruleforge
from ruleforge.frontends.console.screen import Screen
from ruleforge.play.narration import Narrator
from ruleforge.play.seats.choice_matcher import understood
from tests.unit.small_games import rules_file

RULES = """
game: {id: pairs, title: Pairs, version: "1", text: x, players: 2}
kinds:
  player: {things: [ann, ben]}
  suit: {things: [hearts, spades]}
  rank: {things: [two, king]}
  card: {product: {rank: ranks, suit: suits}}
places:
  hand: {of: {holder: player}, holds: card, sees: viewer is holder}
  table: {holds: card, max: 1}
setup: |
  for c in cards where c.suit is hearts: move c to ann.hand
  for c in cards where c.suit is spades: move c to ben.hand
events:
  put_down: {tells: "{p} plays {then table}, {c}.", takes: {p: player, c: card}, do: move c to table}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  play: {tells: "", during: turn, choose: {c: in me.hand}, do: "put_down(me, c)"}
  both: {during: turn, joined: true, choose: {some: exactly 2 in me.hand}, do: finish over for me}
endings: {over: {text: Over.}}
layout:
  kinds:
    card: {by_sign: true, by: [rank, suit], symbols: {two: "2", king: K, hearts: [♥, h], spades: [♠, s]}}
"""


@pytest.fixture
def state() -> ruleforge.State:
    return ruleforge.load(rules_file(RULES)).start(seed=1)


def test_choices_and_hands_are_called_by_signs(state):
    scene = state.scene("ann")
    assert [offer.words for offer in scene.asked.offers] == ["play 2♥", "play K♥", "both 2♥+K♥"]
    assert "hand: 2♥, K♥" in str(state)


@pytest.mark.parametrize("typed", ["kh", "play KH", "K♥", "king_hearts", "king hearts"])
def test_signs_letters_and_ids_are_understood(state, typed):
    offers = state.scene("ann").asked.offers
    assert [offer.text for offer in understood(typed, offers[:2])] == ["play king_hearts"]


def test_a_plain_terminal_shows_letters():
    screen = Screen(Console(file=io.StringIO()), True, {"10♥": "10h", "♥": "h"})
    assert screen.text("play 10♥ → ♥") == "play 10h -> h"


def test_what_came_to_lie_open_is_told_though_the_card_was_hidden(state):
    events = state.apply("play king_hearts")
    told = Narrator(state.game.info).step("ann", "play", events.seen_by("ben"))
    assert [str(sentence).strip() for sentence in told][:1] == ["Ann plays K♥, K♥."]

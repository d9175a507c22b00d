"""One text, one mind: reading a text stops where another decides, chance acts, or the reader learns something."""

from __future__ import annotations

import pytest

import ruleforge
from tests.property.lines import game_of
from tests.unit.small_games import small_game

DUEL = """\
game:
  id: duel
  title: Duel
  version: "1.0"
  text: Everything a text must not run past.
  players: 2
kinds:
  player:
    things: [ann, ben]
    has: {hits: 0..99, pledge: {type: 0..3, sees: viewer is self}}
  card:
    facts: {rank: 1..4}
    things: {one: {rank: 1}, two: {rank: 2}, three: {rank: 3}, four: {rank: 4}}
places:
  deck: {holds: card, ordered: true, sees: false, starts: cards}
  hand: {of: {holder: player}, holds: card, sees: viewer is holder}
setup: |
  shuffle deck
  for p in players:
    for c in first(x in deck): move c to p.hand
flow:
  - phase: turn
    repeat: true
    each: me in players
    window: one
actions:
  attack:
    text: Roll, then say how much of it hits.
    during: turn
    do: |
      let die = roll 1d6
      me chooses much in 1..die: opponent.hits += much
  wager:
    text: Roll, then a menu that depends on it.
    during: turn
    do: |
      let die = roll 1d6
      me picks:
        low if die < 3: me.hits += 1
        middle if 1 < die < 6: me.hits += 2
        high if die > 4: me.hits += 3
        quit: skip
  peek:
    text: Look at the top card, then name a number up to its rank.
    during: turn
    do: |
      for c in first(x in deck):
        show c to me
        me chooses much in 1..c.rank: me.hits += much
  draw:
    text: Draw, then lay a card down.
    during: turn
    do: |
      for c in first(x in deck): move c to me.hand
      me chooses c in me.hand: move c to deck
  challenge:
    text: The other shows a card or not.
    during: turn
    do: |
      opponent may choose c in opponent.hand: show c to players
  pledge:
    text: Both promise something.
    during: turn
    do: |
      each p in players secretly chooses much in 1..3: p.pledge = much
  give:
    text: Two parts of one action are one mind.
    during: turn
    choose: {whom: in players where whom is not me, much: in 1..3}
    do: whom.hits += much
  end_it: {during: turn, do: finish over}
endings: {over: {text: Over.}}
"""


def refusal(state: ruleforge.State, text: str) -> tuple[str, ...]:
    """The words a text is refused with; the state stays as it was."""
    before = state.digest
    with pytest.raises(ruleforge.IllegalChoice) as refused:
        state.apply(text)
    assert state.digest == before
    answers = tuple(map(str, refused.value.reasons))
    assert tuple(map(str, state.why_not(text))) == answers
    return answers


def refusals(text: str, seeds: int = 40, player: str = "ann") -> set[tuple[str, ...]]:
    """The words a text is refused with, in worlds that this player cannot tell apart."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for seed in range(seeds):
        state = small_game(DUEL).start(seed=seed)
        found.setdefault(str(state.view(player)), set()).add(refusal(state, text))
    return max(found.values(), key=len)


@pytest.mark.parametrize(
    "text", ["end_play end_play", "end_play discard gas", "end_play place_terraform gas slot_2"]
)
def test_a_text_does_not_end_the_rivals_turn_too(text):
    state = game_of("primordial-orbs").start(seed=3)
    for choice in ("choose_core land", "choose_core land"):
        state.apply(choice)
    refusal(state, text)


def test_why_not_tells_nothing_of_the_rivals_hand_or_the_next_draw():
    state = game_of("primordial-orbs").start(seed=3)
    for choice in ("choose_core land", "choose_core land"):
        state.apply(choice)
    kinds = ("gas", "ice", "lava", "water", "plant", "animal", "sentient", "meteor", "tornado", "disease")
    for text in ("end_play discard {}", "end_play place_terraform {} slot_2", "end_play play_impact {}"):
        answers = {str(state.why_not(text.format(kind))).replace(kind, "?") for kind in kinds}
        assert len(answers) == 1 and "()" not in answers, answers


def test_a_text_does_not_commit_the_others_sealed_choice():
    state = game_of("soul-gems").start(seed=3)
    state.apply("white")
    assert refusal(state, "f1 f5")
    refusal(small_game(DUEL).start(), "pledge 1 1")


@pytest.mark.parametrize(
    "text",
    [
        "attack zzz",
        "attack 1",
        "attack 6",
        "attack 1 zzz",
        "attack 7",
        "wager zzz",
        "wager high",
        "wager quit",
    ],
)
def test_a_text_stops_where_chance_acts(text):
    """A refusal is free of charge, so it must not depend on what the dice would show."""
    assert len(refusals(text)) == 1


@pytest.mark.parametrize("text", ["peek 1", "peek 4", "peek zzz", "draw one", "draw four", "draw zzz"])
def test_a_text_stops_where_the_reader_learns_something(text):
    assert len(refusals(text)) == 1


@pytest.mark.parametrize("text", ["challenge one", "challenge four", "challenge decline", "challenge zzz"])
def test_a_text_stops_where_the_decider_changes(text):
    assert len(refusals(text)) == 1


def test_the_steps_of_one_mind_are_still_one_text():
    state = small_game(DUEL).start()
    state.apply("give ben 2")
    assert state["ben.hits"] == 2


def test_another_seats_decision_is_refused():
    state = small_game(DUEL).start()
    with pytest.raises(ruleforge.IllegalChoice) as refused:
        state.apply("give ben 2", player="ben")
    assert refused.value.code == "RF804"
    with pytest.raises(ruleforge.IllegalChoice):
        state.apply(state.choices[0], player="ben")
    state.apply("give ben 2", player="ann")
    assert state["ben.hits"] == 2

"""Undo takes back no commitment after somebody's secret was shown."""

from __future__ import annotations

import pytest

import ruleforge
from ruleforge.play.replay import record
from ruleforge.play.session import Session
from tests.property.lines import game_of
from tests.unit.frontends.terminal import Terminal
from tests.unit.small_games import rules_file, small_game

BIDS = """\
game:
  id: bids
  title: Bids
  version: "1.0"
  text: Things come to light.
  players: 2
kinds:
  player: {things: [ann, ben], has: {bid: 0..3, hits: 0..99}}
  card: {things: [one, two, three]}
places:
  deck: {holds: card, ordered: true, sees: false, starts: cards}
  hand: {of: {holder: player}, holds: card, sees: viewer is holder}
flow:
  - phase: turn
    repeat: true
    each: me in players
    window: one
actions:
  bid:
    during: turn
    do: |
      each p in players secretly chooses much in 1..3: p.bid = much
  draw:
    during: turn
    do: |
      for c in first(x in deck): move c to me.hand
  peek:
    during: turn
    do: |
      for c in first(x in deck): show c to me
  roll_it:
    during: turn
    do: |
      let die = roll 1d6
      me.hits += die
  wait: {during: turn, do: skip}
  end_it: {during: turn, do: finish over}
endings: {over: {text: Over.}}
"""


def is_refused(session: Session, player: str | None = None) -> bool:
    """Whether taking back is refused, with everything left as it is."""
    digest, turns = session.state.digest, len(session.turns)
    try:
        done = session.undo() if player is None else session.undo_to(player)
    except ruleforge.IllegalChoice as refusal:
        assert refusal.code == "RF808"
        done = False
    if not done:
        assert (session.state.digest, len(session.turns)) == (digest, turns)
    return not done


@pytest.mark.parametrize(
    "texts",
    [("bid", "1", "3"), ("draw",), ("peek",), ("roll_it",), ("draw", "wait"), ("bid", "2", "2", "wait")],
)
def test_what_has_come_to_light_is_not_taken_back(texts):
    session = Session(small_game(BIDS).start(seed=2))
    for text in texts:
        session.apply(text)
    if texts[-1] == "wait":
        assert not is_refused(session)  # the last step alone has shown nothing
    assert is_refused(session)


def test_a_player_does_not_go_back_behind_the_others_secret():
    session = Session(small_game(BIDS).start(seed=2))
    for text in ("bid", "1", "3"):
        session.apply(text)
    assert is_refused(session, "ann")


def test_nothing_learned_is_taken_back_as_before():
    session = Session(small_game(BIDS).start(seed=2))
    session.apply("wait")
    before = session.state.digest
    session.apply("wait")
    assert not is_refused(session)
    assert session.state.digest == before


def test_all_seats_may_consent_and_an_analysis_takes_anything_back():
    session = Session(small_game(BIDS).start(seed=2))
    session.apply("draw")
    assert session.undo(consent=session.state.players)
    analysis = Session(small_game(BIDS).start(seed=2), analysis=True)
    analysis.apply("draw")
    assert analysis.undo()


def test_ones_own_sealed_choice_is_kept_once_both_are_open_in_soul_gems():
    session = Session(game_of("soul-gems").start(seed=3))
    for text in ("white", "f1", "f5"):
        session.apply(text)
    assert is_refused(session)
    assert is_refused(session, "ann")


def test_the_prompt_refuses_and_says_why():
    terminal = Terminal("play", rules_file(BIDS), "--seed", "2", "--seat", "ann=human", "--seat", "ben=human")
    try:
        for prompt, line in (
            ("Ann ▸", "bid"),
            ("Ann ▸", "1"),
            ("Ben, take the screen and press Enter", ""),
            ("Ben ▸", "3"),
            ("Ben ▸", "undo"),
        ):
            terminal.until(prompt)
            terminal.say(line)
        terminal.until("was revealed since; all players must agree")
        terminal.until("Ben ▸")
        terminal.say("analysis")
        terminal.until("every step can be undone")
        terminal.until("Ben ▸")
        terminal.say("undo")
        terminal.until("Ben: choose much secretly")
    finally:
        terminal.say("quit")
        terminal.leave()


def test_a_game_that_is_gone_on_with_shows_nothing_before_the_screen_is_taken(tmp_path):
    """Whoever types the command may be somebody else than the one who is asked."""
    session = Session(small_game(BIDS).start(seed=2))
    for text in ("draw", "wait"):
        session.apply(text)
    kept = tmp_path / "kept.record"
    kept.write_text(record(session, 2), encoding="utf-8")
    people = ("--seat", "ann=human", "--seat", "ben=human")
    terminal = Terminal("play", rules_file(BIDS), "--resume", kept, *people)
    try:
        shown = terminal.until("Ann, take the screen and press Enter")
        assert not any(card in shown for card in ("one", "two", "three"))
        terminal.say("")
        terminal.until("Ann ▸")
    finally:
        terminal.say("quit")
        terminal.leave()

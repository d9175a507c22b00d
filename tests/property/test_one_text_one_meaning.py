"""A text means one thing: for a state, a session, a seat, a prompt and a scenario, and in the answers it gives."""

from __future__ import annotations

import random
from itertools import product

import pytest

import ruleforge
from ruleforge.lang.source.yaml_reader import read_yaml
from ruleforge.play.seats.seat_plan import SeatPlan
from ruleforge.play.seats.text_table import TextTable
from ruleforge.play.session import Session
from ruleforge.support.diagnostics import Report
from ruleforge.tools.project_files.mentions import Unknown
from ruleforge.tools.project_files.scenario import Scenarios
from tests.property.lines import RULESETS, game_of
from tests.shelf import rules
from tests.thorough import most
from tests.unit.engine.test_default_answers import STALL
from tests.unit.small_games import rules_file, small_game

LEVY = """\
game:
  id: levy
  title: Levy
  version: "1.0"
  text: Everybody pays out of two purses.
  players: 2
kinds:
  player: {things: [ann, ben], has: {gold: 0..3, silver: 0..3}}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  levy:
    during: turn
    needs: not any(p in players where p.gold + p.silver < 2)
    do: |
      for p in players: pay 2 from p.gold or p.silver
  stop: {during: turn, do: finish over}
endings: {over: {text: Over.}}
"""
PURSES = """\
game:
  id: purses
  title: Purses
  version: "1.0"
  text: Purses that are told apart by a ware or an owner; then a rest of the turn.
  players: 2
kinds:
  ware: {things: [wood, clay]}
  player: {things: [ann, ben], has: {stock: 0..9 per ware = 3, gold: 0..9 = 3}}
flow:
  - phase: turn
    repeat: true
    each: me in players
    steps:
      - {phase: act, window: one}
      - phase: refill
        do: |
          me chooses w in wares usually clay: me.stock[w] = 3
actions:
  build:
    during: act
    do: pay 2 from me.stock[wood] or me.stock[clay]; pay 1 from me.gold or opponent.gold
  rest: {during: act, do: skip}
  stop: {during: act, do: finish over}
endings: {over: {text: Over.}}
"""


def unread(analysis: ruleforge.Analysis, texts: set[str]) -> list[str]:
    """The complaints of `validate` about a scenario with these texts."""
    report, steps = Report(), "".join(f"  - chance: {text!r}\n" for text in sorted(texts))
    file = read_yaml(f"scenario: texts\nsteps:\n{steps}", "texts.yaml", report)
    assert file is not None and analysis.checked is not None
    unknown = Unknown(report, lambda name: False)
    Scenarios(analysis.checked, unknown, report).look(file)
    unknown.tell()
    return [str(d) for d in report.diagnostics]


def readings(state: ruleforge.State, text: str) -> dict[str, str]:
    """The positions to which a text leads by each API, for the player who decides."""
    assert state.decision is not None
    player = state.decision.player
    own, session, seat = state.copy(), Session(state), Session(state)
    own.apply(text)
    session.apply(text)
    submission = seat.submit(text, player)
    assert not submission.refused, text
    found = {"state": own.digest, "session": session.state.digest, "seat": seat.state.digest}
    if player in state.players:
        table = TextTable(Session(state), SeatPlan(dict.fromkeys(state.players, "human"), 1, ask_all=True))
        assert table.answer(text, player) == (), text
        found["prompt"] = table.session.state.digest
    return found


def check_line(state: ruleforge.State, seed: int, decisions: int) -> set[str]:
    """Along a random line the text of a choice means that choice, and two texts in a row mean both."""
    rng, texts = random.Random(seed), set[str]()
    for _ in range(decisions):
        if not state.choices:
            break
        texts.update(choice.text for choice in state.choices)
        choice = rng.choice(state.choices)
        before, after = state.copy(), state.copy()
        try:
            after.apply(choice)
        except ruleforge.IllegalChoice:
            break
        assert set(readings(before, choice.text).values()) == {after.digest}, choice
        if after.choices:
            follower = rng.choice(after.choices)
            together = f"{choice} {follower}"
            if not before.why_not(together):
                assert before.read(together) == (choice, follower), together
        state = after
    return texts


@pytest.mark.parametrize("name", RULESETS)
def test_the_text_of_a_choice_is_that_choice_everywhere(name: str) -> None:
    game = game_of(name)
    texts = check_line(game.start(seed=5), 5, most(8, 80))
    assert not unread(rules(name), texts)


@pytest.mark.parametrize("text", [LEVY, PURSES], ids=["levy", "purses"])
def test_so_it_is_where_payments_are_split(text: str) -> None:
    game, found = small_game(text), set[str]()
    for seed in range(6):
        start = game.start()
        full = start.patched({"players.gold": 3} | ({"players.silver": 3} if text == LEVY else {}))
        found |= check_line(full, seed, 6)
    assert not unread(ruleforge.analyse(rules_file(text)), found)


@pytest.mark.parametrize(("gold", "silver", "other"), [*product(range(3), repeat=3)])
def test_an_answer_answers_the_question_it_names_or_is_refused(gold: int, silver: int, other: int) -> None:
    """Whatever the others could answer, nobody gives another amount than the text says."""
    if gold + silver < 2:
        return
    values = {"ann.gold": gold, "ann.silver": silver, "ben.gold": other, "ben.silver": 2 - other}
    start = small_game(LEVY).start().patched(values)
    for share, more in product(range(4), (None, *range(3))):
        text = f"levy gold {share}" + ("" if more is None else f" gold {more}")
        state = start.copy()
        if more is not None or not max(0, 2 - silver) <= share <= min(2, gold):
            assert start.why_not(text), text
        else:
            state.apply(text)
            assert state["ann.gold"] == gold - share, text


def test_a_usual_answer_ends_with_the_action() -> None:
    """The phase asks for a ware behind the action; a scenario gives the usual split and not that ware."""
    session = Session(small_game(PURSES).start())
    turns = session.apply_whole("build stock[wood] 1")
    assert [turn.choice.text for turn in turns] == ["build", "stock[wood] 1", "me.gold 0"]
    assert [choice.text for choice in session.state.choices] == ["wood", "clay"]
    assert len(Session(small_game(PURSES).start()).apply_whole("rest")) == 1


def test_a_seat_does_what_the_host_does_and_every_word_counts() -> None:
    """All texts of up to four words: what the host accepts, a seat does alike, and no word of it is lost."""
    start = small_game(STALL).start(seed=1).patched({"ann.gold": 1, "ann.silver": 2, "apple.owner": "ann"})
    openings, rest = (
        ("buy", "give", "bundle", "swap", "gamble"),
        ("gold", "0", "1", "corn", "apple", "bread", "ben"),
    )
    accepted = 0
    for length in range(4):
        for words in product(openings, *[rest] * length):
            text = " ".join(words)
            state = start.copy()
            if state.why_not(text):
                continue
            accepted += 1
            steps = state.read(text)
            state.apply(text)
            seat = Session(start)
            assert not seat.submit(text, "ann").refused and seat.state == state, text
            named = " ".join(step.text for step in steps).split()
            lost = [word for word in words if word not in named]
            assert lost in ([], ["gold", "1"]), text  # the only split there is
    assert accepted > 10

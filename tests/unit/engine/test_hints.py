"""Beside a choice stands what it costs and does, as far as the one who decides may know it."""

from __future__ import annotations

import pytest

from ruleforge.engine.presentation.styled_text import text_of
from ruleforge.frontends.console.page import group_lines
from ruleforge.play.seats.offer_groups import grouped
from ruleforge.project.resolver import diagnostics_of
from tests.unit.small_games import rules_file, small_game

GAME = """\
game: {id: market, title: Market, version: "1.0", text: Buy., players: 2}
kinds:
  player:
    things: [ann, ben]
    has:
      coins: {title: Coins, type: 0..99 = 10}
      favours: 0..99 = 4
      tired: flag
      secret: {type: 0..9 = 3, sees: viewer is self}
  stall:
    facts: {price: 0..9}
    has: {ware: good or none}
    things: {corner: {price: 2}, gate: {price: 5}}
  good:
    facts: {worth: 0..9}
    things: {ink: {worth: 3}, salt: {worth: 7}}
places:
  hand: {of: {holder: player}, holds: good, sees: viewer is holder}
setup: |
  corner.ware = ink
  move salt to ben.hand
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
events:
  bow: {takes: {p: player, low: 0..9}, do: "p.favours -= low"}
actions:
  buy: {during: turn, choose: {s: in stalls}, cost: pay s.price from me.coins or me.favours, do: skip HINT}
  beg: {during: turn, choose: {s: in stalls, times: in 1..3}, cost: me.favours -= times * s.price, do: skip}
  nap: {during: turn, cost: me.tired = true, do: skip}
  kneel: {during: turn, cost: "bow(me, 2)", do: skip}
  steal: {during: turn, choose: {g: in opponent.hand}, hint: "worth {g.worth}", do: skip}
  spy: {during: turn, hint: "[{opponent.secret}|unknown] coins", do: skip}
  stop: {during: turn, do: finish over}
endings: {over: {text: Over.}}
"""


def game(hint: str = "") -> str:
    return GAME.replace(" HINT", f', hint: "{hint}"' if hint else "")


def beside(state: object, seat: str = "ann") -> dict[str, str]:
    asked = state.scene(seat).asked  # type: ignore[attr-defined]
    return {offer.text: "".join(offer.hint) for offer in asked.offers}


def test_without_a_hint_the_price_is_said():
    found = beside(small_game(game()).start(seed=1))
    assert found["buy gate"] == "5 Coins or favours"
    assert found["nap"] == "tired"
    assert found["kneel"] == "bow 2"
    assert found["stop"] == ""


def test_a_price_is_said_as_soon_as_all_that_it_speaks_of_is_chosen():
    state = small_game(game()).start(seed=1)
    assert beside(state)["beg corner"] == ""
    state.apply("beg corner")
    assert beside(state) == {"1": "2 off favours", "2": "4 off favours"}


def test_what_the_conditions_make_sure_of_can_be_relied_on():
    needed = game("{s.ware.worth} worth").replace("in stalls}", "in stalls where s.ware is not none}", 1)
    assert beside(small_game(needed).start(seed=1))["buy corner"] == "3 worth"


def test_nothing_is_said_of_what_is_not_seen():
    state = small_game(game()).start(seed=1)
    found = beside(state)
    assert found["steal ben.hand[1]"] == ""
    assert found["spy"] == "unknown coins"


@pytest.mark.parametrize(
    ("hint", "code", "words"),
    [
        ("{q}", "RF501", "`q`"),
        ("{s.price ? a : b}", "RF502", ""),
        ("{s.price} [more", "RF404", "bracket"),
        ("{then s.price}", "RF404", "then"),
        ("{s.ware.worth}", "RF503", ""),
    ],
)
def test_mistakes_are_told_at_their_place(hint, code, words):
    found = diagnostics_of(rules_file(game(hint)))
    assert [d.code for d in found] == [code]
    assert words in found[0].message
    assert found[0].span.line == 27


def test_choices_of_a_group_say_from_what_to_what():
    scene = small_game(game()).start(seed=1).scene("ann")
    assert scene.asked is not None and scene.asked.offers is not None
    groups = grouped(scene.asked.offers, lambda found: len(found) <= 7)
    lines = [text_of(line) for line in group_lines(groups, 60)]
    assert lines[0].split() == ["a", "buy", "Corner,", "Gate", "2–5", "Coins", "or", "favours"]
    assert all(len(line) <= 60 for line in lines)

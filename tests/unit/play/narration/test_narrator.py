"""Events become sentences: alike moves in one, counters where they changed, nothing said twice, nothing hidden named."""

from __future__ import annotations

import pytest

from ruleforge.play.narration import Narrator
from ruleforge.play.session import Session
from tests.unit.small_games import small_game

CAMP = """\
game: {id: camp, title: Camp, version: "1.0", text: Beasts., players: 2}
kinds:
  player: {things: [ann, ben], has: {grain: 0..20 = 9, steps: 0..99}}
  mouse:
    plural: mice
    things: {grey: {copies: 3}, brown: {copies: 2}, white: {}, elder: {title: Elder}}
    has: {tired: flag}
  cell: {grid: {shape: square, columns: 2, rows: 2}}
places:
  wood: {holds: mouse, starts: mice}
  nest: {of: {holder: player}, holds: mouse, sees: viewer is holder}
  spot: {of: {c: cell}, holds: mouse}
events:
  wake:
    tells: "{m} wakes."
    takes: {m: mouse}
    do: move m to b2.spot
  swap:
    tells: "{m} stays, another one goes."
    takes: {m: mouse}
    do: |
      for other in first(x in mice where x is not m and x.holder is not none): move other to b2.spot
      move m to b2.spot
  dawn:
    tells: "A new day."
    do: "for p in players: p.grain -= 1"
rules:
  frost:
    text: Frost takes two grains from ann.
    after: dawn()
    do: ann.grain -= 2
  thaw:
    text: Thaw brings a grain to whoever has none.
    after: dawn()
    do: "for p in players where p.grain is 0: p.grain += 1"
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  gather: {during: turn, do: "for m in wood where m is not elder: move m to me.nest"}
  tire: {during: turn, do: "for m in wood: m.tired = true"}
  lead: {tells: "{me} leads {m} to {c}.", during: turn, choose: {m: in wood, c: in cells}, do: move m to c.spot}
  sleep:
    during: turn
    do: |
      me.grain -= 3
      me.steps += 1
      dawn()
  rouse: {during: turn, choose: {m: in me.nest}, do: wake(m)}
  change: {during: turn, choose: {m: in me.nest}, do: swap(m)}
  hoist: {tells: "{me} hoists {then m}.", during: turn, choose: {m: in me.nest}, do: move m to b2.spot}
  carry: {tells: "{me} carries {m} out.", during: turn, choose: {m: in me.nest}, do: move m to b2.spot}
  bury: {tells: "{me} buries {m}.", during: turn, choose: {m: in me.nest}, do: move m to ben.nest}
  stop: {during: turn, do: finish over}
endings: {over: {text: Over.}}
layout: {quiet: [player.steps]}
"""


def told(*texts: str, seat: str | None = "ann") -> list[str]:
    """What a seat is told of the last of some choices."""
    session = Session(small_game(CAMP).start())
    for text in texts:
        session.apply(text)
    turn, narrator = session.turns[-1], Narrator(session.state.game.info)
    return [
        str(s)
        for s in narrator.step(
            turn.player, turn.log_text_for(seat), turn.events.seen_by(seat), turn.prompt_for(seat)
        )
    ]


def test_moves_of_many_things_the_same_way_are_one_sentence():
    assert told("gather")[1:] == ["  Grey ×3, Brown ×2 and White: the wood → Ann's nest."]
    assert told("gather", seat="ben")[1:] == ["  Grey ×3, Brown ×2 and White: the wood → Ann's nest."]


def test_what_happened_alike_to_many_is_said_once():
    assert told("tire")[1:] == ["  Grey ×3, Brown ×2, White and Elder: tired."]


def test_a_move_that_the_action_tells_is_not_told_again():
    assert told("lead elder a1") == ["Ann leads Elder to a1."]


def test_counters_are_told_where_they_changed_and_quiet_ones_not_at_all():
    assert told("sleep") == [
        "Ann: sleep.",
        "  Ann: grain 9→6.",
        "  A new day.",
        "  Ann: grain 6→5.",
        "  Ben: grain 9→8.",
        "  Frost takes two grains from ann.",
        "  Ann: grain 5→3.",
    ]


def test_where_a_sentence_may_not_name_something_what_can_be_seen_is_told():
    assert told("gather", "tire", "rouse white", seat="ben")[-2:] == [
        "  White wakes.",  # it is the first thing that is seen to move there
        "  White: Ann's nest → b2.",
    ]
    assert told("gather", "tire", "rouse white")[-1:] == ["  White wakes."]


def test_what_comes_to_light_at_once_is_named_and_what_does_not_is_a_thing_of_its_kind():
    assert told("gather", "tire", "carry white", seat="ben") == ["Ann carries White out."]
    assert told("gather", "tire", "hoist white", seat="ben") == ["Ann hoists White."]
    assert told("gather", "tire", "bury white", seat=None)[0] == "Ann buries a mouse."
    assert told("gather", "tire", "change white", seat="ben")[1] == "  A mouse stays, another one goes."


SEALED = """\
game: {id: sealed, title: Sealed, version: "1.0", text: Bids., players: 2}
kinds:
  player:
    things: [ann, ben]
    has: {bid: 0..9, guess: {type: 0..9, sees: viewer is self}}
events:
  note: {tells: "{p} wrote down {x}.", takes: {p: player, x: 0..9}, do: p.guess = x}
  compare: {tells: "The bids are compared.", do: skip}
  reward: {tells: "A prize.", do: skip}
flow:
  - phase: bidding
    repeat: true
    do: |
      let bold = 0
      each p in players secretly chooses x in 1..3:
        note(p, x)
        if x is 3: bold += 1
      compare()
      if bold > 0: reward()
"""


@pytest.mark.parametrize(
    ("seat", "notes"), [("ann", ["Ann wrote down 1."]), ("ben", ["Ben wrote down 3."]), (None, [])]
)
def test_after_sealed_choices_all_is_named_again_but_what_hangs_on_them(seat, notes):
    """What is done with an answer is named to the one who gave it; the prize would tell that somebody was bold."""
    session = Session(small_game(SEALED).start())
    session.apply("1")
    session.apply("3")
    turn, narrator = session.turns[-1], Narrator(session.state.game.info)
    said = narrator.step(
        turn.player, turn.log_text_for(seat), turn.events.seen_by(seat), turn.prompt_for(seat)
    )
    texts = [s.text for s in said]
    assert "The bids are compared." in texts and "A prize." not in texts
    assert [text for text in texts if "wrote" in text] == notes


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Which cards go on the table?", "Ann: done."),
        ("choose eaten", "Ann: done (eaten)."),
        ("turn", "Ann: done (turn)."),
    ],
)
def test_who_closes_a_set_does_not_repeat_the_question(asked, told):
    narrator = Narrator(small_game(SEALED).info)
    assert [s.text for s in narrator.step("ann", "done", (), asked)] == [told]


HINTS = """\
game: {id: hints, title: Hints, version: "1.0", text: Hints., players: 2}
kinds:
  player: {things: [ann, ben]}
  egg: {facts: {size: 1..3}, things: {plover: {size: 1}, goose: {size: 2}, swan: {size: 3}}}
places:
  nest:
    of: {holder: player}
    holds: egg
    ordered: true
    sees: viewer is not holder
    starts: "{e in [plover, swan] where holder is ben}"
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  hint: {during: turn, do: "for e in opponent.nest: show e.size to opponent"}
  doubt: {during: turn, do: "for e in opponent.nest: show e.size > 1 to opponent"}
  stop: {during: turn, do: finish over}
endings: {over: {text: Over.}}
"""


@pytest.mark.parametrize(
    ("word", "lines"),
    [
        ("hint", ["An egg: Ben learns: size 1.", "An egg: Ben learns: size 3."]),
        ("doubt", ["An egg: Ben learns: size 1.", "An egg: Ben learns: size 2 or 3."]),
    ],
)
def test_each_hidden_thing_of_which_a_part_is_told_has_its_line(word, lines):
    session = Session(small_game(HINTS).start(seed=1))
    session.apply(word)
    (turn,) = session.turns
    narrator = Narrator(session.state.game.info)
    told = narrator.step(
        turn.player, turn.log_text_for("ben"), turn.events.seen_by("ben"), turn.prompt_for("ben")
    )
    assert [sentence.text for sentence in told][1:] == lines


TWO_KINDS = """\
game: {id: alike, title: Alike, version: "1.0", text: One name for two things., players: 2}
kinds:
  player: {things: [ann, ben]}
  piece: {product: {owner: players}, has: {hits: 0..9}}
  clue: {things: [rope, vial]}
  card: {product: {clue: clues}, called: "Card of {clue}"}
places:
  pack: {holds: card, starts: cards}
  hand: {of: {holder: player}, holds: card}
events:
  say: {tells: "{p} names {c}.", takes: {p: player, c: clue}, do: skip}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  name: {during: turn, choose: {c: in clues}, do: "say(me, c)"}
  guess: {during: turn, choose: {c: in clues}, do: skip}
  take: {during: turn, choose: {c: in pack}, do: move c to me.hand}
  stop: {during: turn, do: finish over}
endings:
  over: {text: It is over.}
"""


@pytest.mark.parametrize(
    "choice, said",
    [
        ("name rope", ["Ann: name Rope.", "Ann names Rope."]),
        ("guess vial", ["Ann: guess Vial."]),
        ("take vial", ["Ann: take Card of Vial.", "Card of Vial: the pack → Ann's hand."]),
    ],
)
def test_things_of_two_kinds_with_one_name_are_called_what_they_are(choice, said):
    state = small_game(TWO_KINDS).start(seed=1)
    events = state.apply(choice)
    told = Narrator(state.game.info).step("ann", choice, events.seen_by("ann"))
    assert [str(sentence).strip() for sentence in told] == said

"""What is told of steps that hang on hidden things: as much as the table shows before and after, and no more."""

from __future__ import annotations

import pytest

import ruleforge
from tests.unit.small_games import rules_file

TEXT = """\
game:
  id: steered
  title: Steered
  version: "1.0"
  text: Steered.
  players: 2
kinds:
  player:
    things: [ann, ben]
    has: {one: 0..9, two: 0..9, six: 0..9, lucky: {type: flag, sees: viewer is self or game.bared}}
  game: {has: {bared: flag}}
  card: {things: [ace, duo, hex, ten]}
places:
  box:
    of: {keeper: player}
    holds: card
    sees: viewer is keeper
    starts: "{c in cards where keeper is ann and (c is ace or c is duo)}"
  heap: {holds: card, ordered: true, sees: false}
  pile: {of: {piler: player}, holds: card, ordered: true, sees: false}
  row: {holds: card, starts: "{c in cards where c is hex or c is ten}"}
events:
  strike: {takes: {p: player}, open: true, do: p.one += 1}
  pat: {takes: {p: player}, open: true, do: p.one += 1}
  touch: {takes: {c: card}, open: true, do: skip}
  early:
    takes: {p: player}
    open: true
    do: |
      if p.lucky:
        p.one += 1
        return
      pat(p)
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  bare: {during: turn, do: game.bared = true}
  wait: {during: turn, do: finish over}
  act:
    during: turn
    do: |
      BODY
endings:
  over: {text: Over.}
"""


def log_of(body: str, seat: str = "ben", given: dict[str, bool] | None = None) -> list[tuple[str, ...]]:
    """What a seat hears of one action where ann is lucky, and where she is not."""
    game = ruleforge.load(rules_file(TEXT.replace("BODY", body.strip().replace("\n", "\n      "))))
    found = []
    for lucky in (True, False):
        state = game.start(seed=1).patched({"ann.lucky": lucky, **(given or {})})
        events = state.apply("act").seen_by(seat)
        if given is None:
            assert state.view("ben")["attributes"]["ann.one"] == 1
        found.append(tuple(f"{e} {e.span} {e.depth}" for e in events))
    return found


SAME = {
    "order": """
if me.lucky: me.one += 1
me.two += 1
if not me.lucky: me.one += 1""",
    "branches": """
if me.lucky: me.one += 1
else: me.one = me.one + 1""",
    "names": """
if me.lucky: strike(me)
else: pat(me)""",
    "a name or none": """
if me.lucky: strike(me)
else: me.one += 1""",
    "values on the way": """
if me.lucky: me.one = 5
else: me.one = 3
me.two += 1
me.one = 1""",
    "there and back": """
if me.lucky:
  me.two = 4
  me.two = 0
me.one = 1""",
    "how often": """
repeat 2 if me.lucky else 4:
  me.two += 1
  me.two -= 1
me.one = 1""",
    "an early end": "early(me)",
    "which loop": """
for p in players where p.lucky or p is me:
  p.six = 0
  me.one = 1""",
    "whose loop it is in the end": """
let q = ben
repeat 2 while q.lucky or q is ben:
  if q is ben: q = me
  else: me.lucky = false
  me.six = 0
me.lucky = false
me.one = 1""",
    "a payment on the way": """
me.six = 6
pay (4 if me.lucky else 2) from me.six
me.six = 0
me.one = 1""",
    "a thing handed over": """
let c = hex if me.lucky else ten
touch(c)
me.one = 1""",
    "which thing is moved": """
let c = hex if me.lucky else ten
move c to heap
move c to row
me.one = 1""",
    "which pile is shuffled": """
shuffle (me if me.lucky else opponent).pile
me.one = 1""",
    "a move on the way": """
let q = me if me.lucky else ben
move ace to q.box
move ace to heap
me.one = 1""",
}


@pytest.mark.parametrize("case", SAME)
def test_the_same_to_see_is_told_in_the_same_words(case):
    one, two = log_of(SAME[case])
    assert one == two
    assert any("player.one" in event for event in one)


def test_who_sees_all_is_told_everything_in_its_order():
    one, two = log_of(SAME["names"], "ann")
    assert any("event strike" in event for event in one) and any("event pat" in event for event in two)


def test_what_is_bared_hides_no_names():
    one, two = log_of(SAME["names"], given={"game.bared": True})
    assert any("event strike" in event for event in one) and any("event pat" in event for event in two)


def test_what_can_be_seen_is_told():
    one, two = log_of("if me.lucky: me.one = 2\nelse: me.one = 4", given={"game.bared": False})
    assert "new=2" in str(one) and "new=4" in str(two)


def test_open_steps_keep_their_order_and_names():
    body = "me.six = 1\nstrike(me)\nme.two = 1"
    one, two = log_of(body)
    assert one == two
    words = [event.split()[1] for event in one]
    assert words == ["act", "player.six", "strike", "player.one", "player.two"]


LOOP = "for c in box: move c to heap\nme.one = 1"


def test_the_order_in_which_hidden_things_go_is_not_told():
    """Which of the cards are whose is hidden; they go in the order of their kind."""
    told = []
    for mine in (["ace", "duo"], ["ace", "hex"], ["duo", "ten"]):
        text = TEXT.replace("BODY", LOOP.replace("\n", "\n      "))
        state = ruleforge.load(rules_file(text)).start(seed=1)
        rest = [card for card in ("ace", "duo", "hex", "ten") if card not in mine]
        state = state.patched({"ann.box": mine, "ben.box": rest})
        told.append([str(event) for event in state.apply("act").seen_by(None)])
    assert told[0] == told[1] == told[2]


def test_the_order_in_which_hidden_things_move_does_not_tell_which_they_are():
    """Cards gathered in the order of their kind: whose each of them was stands for its place in that order."""
    text = TEXT.replace("BODY", "for c in cards: move c to heap")
    state = ruleforge.load(rules_file(text)).start(seed=1)
    worlds = [
        state.patched({"ann.box": ["ace", "duo"], "ben.box": ["hex", "ten"], "heap": []}),
        state.patched({"ann.box": ["hex", "ten"], "ben.box": ["ace", "duo"], "heap": []}),
    ]
    told = [[f"{e} {e.span}" for e in world.apply("act").seen_by(None)] for world in worlds]
    assert told[0] == told[1]
    assert sum("from=ann.box to=heap" in event for event in told[0]) == 2


@pytest.mark.parametrize("deed", ["touch(c)", "show c to me", "c.marked = true"])
@pytest.mark.parametrize("source", ["me.box | opponent.box", "heap | opponent.box", "box"])
def test_the_order_of_several_piles_does_not_tell_which_things_lie_in_another(source: str, deed: str) -> None:
    """They are gone through in the order of their kind, and a seat sees one of the piles."""
    text = TEXT.replace("BODY", f"for c in {source}: {deed}")
    text = text.replace("card: {things", "card: {has: {marked: flag}, things")
    state = ruleforge.load(rules_file(text)).start(seed=1)
    worlds = [
        state.patched({"ann.box": [mine], "heap": [other], "ben.box": ["duo", "hex"], "row": []})
        for mine, other in (("ace", "ten"), ("ten", "ace"))
    ]
    told = [[f"{e} {e.span}" for e in world.apply("act").seen_by("ben")] for world in worlds]
    assert told[0] == told[1] != []


def test_the_order_of_a_pile_of_which_one_thing_was_shown_does_not_tell_the_others() -> None:
    text = TEXT.replace("BODY", "show duo to opponent\n      for c in me.box: touch(c)")
    state = ruleforge.load(rules_file(text)).start(seed=1)
    worlds = [
        state.patched({"ann.box": mine, "heap": [other], "ben.box": ["ten"], "row": []})
        for mine, other in ((["ace", "duo"], "hex"), (["duo", "hex"], "ace"))
    ]
    told = [[str(event) for event in world.apply("act").seen_by("ben")] for world in worlds]
    assert told[0] == told[1] and "show thing=duo to=[ben]" in told[0]


@pytest.mark.parametrize(
    "body", ["for c in first(x in me.box where x is ace): strike(me)", "if has_ace(me): strike(me)"]
)
def test_who_sees_the_place_a_thing_is_picked_from_learns_what_is_done(body: str) -> None:
    """Other hidden places have no part in it."""
    text = TEXT.replace(
        "flow:", "formulas:\n  has_ace: {takes: {p: player}, is: any(x in p.box where x is ace)}\nflow:", 1
    )
    game = ruleforge.load(rules_file(text.replace("BODY", body)))
    for seat, hears in (("ann", True), ("ben", False)):
        state = game.start(seed=1).patched({"ann.box": ["ace", "duo"], "heap": ["hex", "ten"]})
        events = state.apply("act").seen_by(seat)
        assert any(e.name == "event strike" for e in events) is hears


def test_a_thing_that_was_moved_meanwhile_is_not_known_by_where_it_lay() -> None:
    """The place it lay in is empty by now, and so everybody sees all that is in it."""
    body = "for x in heap:\n        move x to me.box\n        if x is ace: strike(me)\n        else: pat(me)"
    game = ruleforge.load(rules_file(TEXT.replace("BODY", body)))
    log_of = set()
    for lying in ("ace", "duo"):
        state = game.start(seed=1).patched({"heap": [lying], "ann.box": ["hex"], "ben.box": ["ten"]})
        log_of.add(tuple(map(str, state.apply("act").seen_by("ben"))))
    assert len(log_of) == 1


def test_a_question_that_was_not_asked_in_a_hidden_branch_names_nothing_until_it_is_asked() -> None:
    """Both worlds end with the same question, one of them before the branch is over."""
    text = TEXT.replace("endings:", "  reply: {during: answer, do: me.six += 1}\nendings:")
    text = text.replace("actions:", "windows:\n  answer: {text: Answer., window: maybe}\nactions:")
    asks = "offer answer() to opponent"
    body = f"if me.lucky: {asks}\n      touch(ace)\n      {asks}"
    state = ruleforge.load(rules_file(text.replace("BODY", body))).start(seed=1)
    worlds = [state.patched({"ann.lucky": lucky}) for lucky in (False, True)]
    first, second = [[str(event) for event in world.apply("act").seen_by("ben")] for world in worlds]
    assert first == second


def test_a_shuffle_does_not_tell_when_a_hidden_branch_changed_something() -> None:
    """The change comes before the shuffle in one world, and after it in the other."""
    body = "if me.lucky: me.one += 1\n      shuffle heap\n      if not me.lucky: me.one += 1"
    state = ruleforge.load(rules_file(TEXT.replace("BODY", body))).start(seed=1)
    worlds = [state.patched({"ann.lucky": lucky}) for lucky in (False, True)]
    first, second = [[str(event) for event in world.apply("act").seen_by("ben")] for world in worlds]
    assert first == second and any(event.startswith("shuffle") for event in first)

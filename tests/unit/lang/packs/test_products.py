"""Products: what they are made of, cells of boards included, what is refused, and what packs add."""

from __future__ import annotations

import pytest

import ruleforge
from ruleforge.project.resolver import analyse, diagnostics_of
from tests.unit.small_games import rules_file

HEAD = """
game:
  id: parts
  title: Parts
  version: "1.0"
  players: 2
kinds:
  player: {things: [ann, ben]}
  suit: {things: {clubs: {title: Clubs}, hearts: {title: Hearts}}}
  dot: {count: 2}
  twin: {things: {moon: {copies: 2}}}
  card: {product: %s, has: {owner: player or none}}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  take: {during: turn, choose: {c: in cards where c.owner is none}, do: c.owner = me}
  stop: {during: turn, do: finish over}
endings: {over: {text: Over.}}
"""


@pytest.mark.parametrize(
    ("parts", "names"),
    [
        ("{suit: suits, rank: 2..3}", ["clubs_2", "clubs_3", "hearts_2", "hearts_3"]),
        ("{rank: 2..3, suit: suits}", ["card_2_clubs", "card_2_hearts", "card_3_clubs", "card_3_hearts"]),
        ("{at: dots, low: suits}", ["dot_1_clubs", "dot_1_hearts", "dot_2_clubs", "dot_2_hearts"]),
        ("{pip: dots, low: suits}", ["dot_1_clubs", "dot_1_hearts", "dot_2_clubs", "dot_2_hearts"]),
    ],
)
def test_one_thing_for_each_combination(parts, names):
    state = ruleforge.load(rules_file(HEAD % parts)).start()
    assert [str(c).removeprefix("take ") for c in state.choices if c.action == "take"] == names


@pytest.mark.parametrize(
    "parts",
    [
        "{suit: suit}",
        "{suit: cards}",
        "{suit: twins}",
        "{rank: 3..2}",
        "{a_rank: 0..999, b_rank: 0..999}",
        "{rank: -2..2}",
        "{rank: 0..99999999999}",
    ],
)
def test_what_cannot_be_multiplied_is_refused(parts):
    found = diagnostics_of(rules_file(HEAD % parts))
    assert found[0].code == "RF307" and found[0].help
    assert [d.code for d in found if d.severity == "error"] == ["RF307"]


DECK = """
game: {id: deck, title: Deck, version: "1.0", players: 2}
kinds:
  player: {things: [ann, ben]}
  suit: {things: {clubs: {title: Clubs}, hearts: {title: Hearts}}}
  rank:
    facts: {cards: 0..3}
    things: {ace: {title: Ace, cards: 2}, king: {title: King, cards: 1}, knave: {cards: 0}}
  card: {product: {rank: ranks, suit: suits}, COPIES, CALLED, THINGS has: {owner: player or none}}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  take: {during: turn, choose: {c: in cards where c.owner is none}, do: c.owner = me}
  stop: {during: turn, do: finish over}
endings: {over: {text: Over.}}
"""


def deck(copies: str = "copies: rank.cards", called: str = "called: '{rank} of {suit}'", things: str = ""):
    text = DECK.replace("COPIES", copies).replace("CALLED", called).replace("THINGS", things)
    return rules_file(text)


def test_copies_as_a_part_says_and_titles_by_a_pattern():
    game = ruleforge.load(deck(things="things: {spare: {rank: king, suit: clubs}},"))
    names = [str(c).removeprefix("take ") for c in game.start().choices if c.action == "take"]
    aces = ["ace_clubs_1", "ace_clubs_2", "ace_hearts_1", "ace_hearts_2"]
    assert names == [*aces, "king_clubs", "king_hearts", "spare"]
    assert game.info.titles["card.king_hearts"] == "King of Hearts"


@pytest.mark.parametrize(
    "wrong",
    [
        {"copies": "copies: rank.price"},
        {"copies": "copies: colour.cards"},
        {"called": "called: '{rank} of {colour}'"},
    ],
)
def test_copies_and_titles_that_nothing_says_are_refused(wrong):
    found = diagnostics_of(deck(**wrong))
    assert [d.code for d in found] == ["RF307"] and found[0].help


def test_copies_need_a_product():
    text = DECK.replace(
        "product: {rank: ranks, suit: suits}, COPIES, CALLED, THINGS", "copies: 2, things: [a],"
    )
    assert "RF306" in {d.code for d in diagnostics_of(rules_file(text))}


SPREAD = {
    "a.yaml": "kinds: {card: {things: {newt: {price: 2}}}}",
    "game.yaml": """
game: {id: spread, title: Spread, version: "1.0", players: 2}
kinds:
  player: {things: [ann, ben]}
  card: {facts: {price: 0..9}, has: {owner: player or none}}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  take: {during: turn, choose: {c: in cards where c.owner is none}, do: c.owner = me}
  stop: {during: turn, do: finish over}
endings: {over: {text: Over.}}
""",
    "more/z.yaml": "kinds: {card: {things: {toad: {price: 3}, frog: {price: 1}}}}",
}


def spread(folder, **changed):
    for name, text in (SPREAD | changed).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_things_of_a_kind_in_several_files(tmp_path):
    game = ruleforge.load(spread(tmp_path))
    names = [str(c).removeprefix("take ") for c in game.start().choices if c.action == "take"]
    assert names == ["newt", "toad", "frog"]


@pytest.mark.parametrize(
    "again",
    ["{card: {things: {newt: {price: 1}}}}", "{card: {facts: {age: 0..9}}}", "{player: {things: [cid]}}"],
)
def test_a_kind_is_said_once_and_so_is_a_thing(tmp_path, again):
    found = diagnostics_of(spread(tmp_path, **{"b.yaml": f"kinds: {again}"}))
    assert "RF302" in {d.code for d in found}


# A product made of the things that a board draws: one tile for each cell, space or sector.

GAME = """\
game: {{id: tiles, title: Tiles, version: "1.0", text: Tiles., players: 2}}
kinds:
  player: {{things: [ann, ben]}}
  cell: {{{board}}}
  tile: {{product: {{cell: cells}}}}
flow:
  - {{phase: turn, do: finish over}}
endings: {{over: {{text: It is over.}}}}
"""


@pytest.mark.parametrize(
    "board",
    [
        "grid: {shape: square, columns: 3, rows: 2}",
        "grid: {shape: hex, columns: 3, rows: 3, without: [a1, c3]}",
        "grid: {shape: square, columns: 2, rows: 2, levels: 2}",
        "rings: [2, 3]",
        "track: {yard: 3, shed: {length: 2, from: yard_3}}",
        "graph: {links: {aber: [bree, cold]}}",
    ],
)
def test_there_is_one_for_each_thing_of_the_board(board):
    analysis = analyse(rules_file(GAME.format(board=board)))
    assert analysis.checked is not None and not analysis.diagnostics
    kinds = analysis.checked.kinds
    assert kinds["tile"].things == kinds["cell"].things != ()


@pytest.mark.parametrize(
    "board",
    [
        "grid: {shape: hex, columns: 3, rows: 3, without: column + row > 4}",
        "grid: {shape: square, columns: 999, rows: 999}",
    ],
)
def test_what_is_not_said_outright_or_is_too_much_is_refused(board):
    found = analyse(rules_file(GAME.format(board=board))).diagnostics
    assert "RF307" in [problem.code for problem in found]

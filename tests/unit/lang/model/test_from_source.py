"""SourceTree -> Ruleset."""

import pytest

from ruleforge.lang.model import ruleset as m
from ruleforge.lang.model.from_source import ruleset_from_source
from ruleforge.lang.source import read_yaml
from ruleforge.lang.source.error_nodes import ErrorNodes
from ruleforge.lang.source.tree import SourceTree
from ruleforge.support.diagnostics import Diagnostic, Report

HEAD = "game: {id: marsh, title: Marsh, version: '1', players: 2}\n"


def read(*texts: str, head: str = HEAD) -> tuple[m.Ruleset | None, list[Diagnostic]]:
    report = Report()
    files = [read_yaml(text, f"f{number}.yaml", report) for number, text in enumerate((head, *texts))]
    tree = SourceTree("marsh", tuple(f for f in files if f is not None))
    return ruleset_from_source(tree, report), list(report)


def good(*texts: str, head: str = HEAD) -> m.Ruleset:
    ruleset, diagnostics = read(*texts, head=head)
    assert diagnostics == []
    assert ruleset is not None
    return ruleset


def only(*texts: str, head: str = HEAD):
    (d,) = read(*texts, head=head)[1]
    return d


def test_head():
    ruleset = good(
        head="game:\n  id: marsh\n  title: Marsh\n  version: '2.1'\n  text: Wet.\n  players: 2..4\n"
        "  limits: {stack: 500}\n  cites: [M-1]\n"
    )
    assert (ruleset.id, ruleset.title, ruleset.version, ruleset.text) == ("marsh", "Marsh", "2.1", "Wet.")
    assert ruleset.players == (2, 4)
    assert ruleset.limits == (("stack", 500),)
    assert ruleset.cites == ("M-1",)
    assert ruleset.files == ("f0.yaml",)


def test_numbers_and_flags_become_texts_with_places():
    ruleset = good(
        "numbers:\n  a: 3\n  b: {value: -1, text: Less.}\nflow:\n  - {phase: turn, repeat: true}\n"
    )
    a, b = ruleset.numbers
    assert a.value is not None and b.value is not None
    assert (a.value.text, b.value.text, b.text) == ("3", "-1", "Less.")
    assert str(a.value.span_at(1, 1, 1, 2)) == "f1.yaml:2:6"
    repeat = ruleset.flow[0].repeat
    assert repeat is not None
    assert repeat.text == "true"


def test_kinds():
    ruleset = good(
        """
kinds:
  player: {things: [red, blue], has: {chips: 0..9 = 1}}
  fish:
    plural: fishes
    facts: {rank: {type: 1..3, text: How big.}, ways: set of direction}
    things:
      pike: {rank: 1, ways: [north, east], copies: 2, title: Pike}
      eel:
        rank: 2
        ways:
          - south
          - west
  cell:
    grid: {shape: square, columns: 3, rows: 2, without: [a1]}
    lines: {three: 3}
    has: {mark: {type: player or none, sees: viewer is red, resets: turn, capped: true}}
  column: {count: 7}
  game: {has: {round: 0..9}}
"""
    )
    player, fish, cell, column, game = ruleset.kinds
    assert [thing.id for thing in player.things] == ["red", "blue"]
    assert [k.plural for k in ruleset.kinds] == ["players", "fishes", "cells", "columns", "games"]
    pike, eel = fish.things
    assert (pike.copies, pike.title, eel.copies) == (2, "Pike", 1)
    assert [(name, value.text) for name, value in pike.facts] == [("rank", "1"), ("ways", "[north, east]")]
    ways = dict(eel.facts)["ways"]
    assert ways.text == "[south, west]"
    assert str(ways.span_at(1, 9, 1, 13)) == "f1.yaml:13:13"  # `west` in its own line
    assert [(f.id, f.type.text if f.type else None, f.text) for f in fish.facts] == [
        ("rank", "1..3", "How big."),
        ("ways", "set of direction", None),
    ]
    assert cell.grid is not None
    assert (cell.grid.shape, cell.grid.columns, cell.grid.rows) == ("square", 3, 2)
    assert [w.text for w in cell.grid.without] == ["a1"]
    assert cell.lines[0][:2] == ("three", 3)
    (mark,) = cell.has
    assert mark.type and mark.sees
    assert (mark.type.text, mark.sees.text, mark.resets, mark.capped) == (
        "player or none",
        "viewer is red",
        "turn",
        True,
    )
    assert column.count == 7
    assert game.has[0].id == "round"


def test_definitions():
    ruleset = good(
        """
options:
  short: {type: flag, default: false}
  mode: {values: [calm, wild], default: calm}
places:
  hand: {of: {holder: player}, holds: card, max: 5, ordered: true, sees: viewer is holder, starts: cards}
formulas:
  twice: {takes: {x: 0..9}, is: x * 2}
events:
  go: {takes: {who: player}, needs: [a > 1, b], do: skip}
actions:
  hop: {during: [turn, rest], choose: {c: in cells, d: in cells}, needs: a, joined: true, do: go(me)}
endings: {over: {text: It is over.}, full: }
setup: |
  go(red)
scores: p.chips
flow:
  - phase: round
    each: me in players
    steps:
      - {phase: turn, window: one, stuck: skip, when: a, end: skip}
"""
    )
    short, mode = ruleset.options
    assert short.range and short.default
    assert (short.range.text, short.default.text, mode.values) == ("flag", "false", ("calm", "wild"))
    (hand,) = ruleset.places
    assert hand.ordered
    assert [(n, t.text) for n, t in hand.of] == [("holder", "player")]
    (twice,) = ruleset.formulas
    assert twice.value
    assert twice.value.text == "x * 2"
    assert [n.text for n in ruleset.events[0].needs] == ["a > 1", "b"]
    (hop,) = ruleset.actions
    assert [p.text for p in hop.during] == ["turn", "rest"]
    assert [n for n, _ in hop.choose] == ["c", "d"]
    assert [n.text for n in hop.needs] == ["a"]
    assert hop.joined
    assert [(e.id, e.text) for e in ruleset.endings] == [("over", "It is over."), ("full", None)]
    assert ruleset.setup and ruleset.scores
    assert [text.text for text in ruleset.setup] == ["go(red)\n"]
    (turn,) = ruleset.flow[0].steps
    assert (turn.id, turn.window) == ("turn", "one")


def test_sections_of_several_files_are_joined():
    ruleset = good("numbers: {a: 1}\n", "numbers: {b: 2}\n")
    assert [n.id for n in ruleset.numbers] == ["a", "b"]


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("numbers: {a: 1}\n", "\nnumbers: {a: 1}\n", "the number `a` is declared twice"),
        ("setup: skip\n", "\nsetup: skip\n", "the section `setup` is declared twice"),
        ("flow: [{phase: a}]\n", "\nflow: [{phase: b}]\n", "the section `flow` is declared twice"),
    ],
)
def test_the_same_name_twice_shows_both_places(first, second, message):
    d = only(first, second)
    assert (d.code, d.message) == ("RF302", message)
    assert (d.span.file, d.span.line) == ("f2.yaml", 2)
    assert (d.notes[0][1].file, d.notes[0][1].line) == ("f1.yaml", 1)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("kinds: {fish: {things: [eel, eel]}}\n", "RF302"),
        ("numbers: {where: 1}\n", "RF303"),
        ("kinds: {fish: {things: [if]}}\n", "RF303"),
        ("formulas: {f: {takes: {then: player}, is: 1}}\n", "RF303"),
        ("flow: [{phase: until}]\n", "RF303"),
        ("formulas: {count: {is: 1}}\n", "RF303"),
        ("kinds: {flag: {count: 2}}\n", "RF303"),
        ("kinds: {fish: {things: [eel], count: 3}}\n", "RF304"),
        ("options: {o: {type: flag, values: [a], default: a}}\n", "RF304"),
        ("options: {o: {default: a}}\n", "RF306"),
        ("kinds: {fish: {plural: fishes}}\n", "RF306"),
        ("kinds: {fish: {count: 3, lines: {row: 3}}}\n", "RF306"),
        ("setup: >\n  skip\n  skip\n", "RF119"),
        ("events: {e: {do: 'skip\n  skip'}}\n", "RF119"),
    ],
)
def test_diagnostics(text, code):
    assert only(text).code == code


def test_a_folded_text_for_people_is_fine():
    good("events:\n  e:\n    do: skip\n    text: >\n      Long\n      words.\n")


def test_players_the_wrong_way_round():
    d = only(head=HEAD.replace("players: 2", "players: 4..2"))
    assert (d.code, d.help) == ("RF305", "write `2..4`")


def test_a_tree_with_holes_gives_what_is_left():
    report = Report()
    file = read_yaml(HEAD, "f.yaml", report)
    assert file is not None
    ruleset = ruleset_from_source(SourceTree("marsh", (file,), ErrorNodes(frozenset({"frog"}))), report)
    assert ruleset.error_nodes.may_hold("frogs") and not ruleset.error_nodes.may_hold("toads")


@pytest.mark.parametrize(
    "text",
    ["kinds: 3\n", "kinds: [a]\n", "kinds: {fish: 3}\n", "flow: {a: 1}\n", "flow: [3]\n",
     "actions: {go: [1]}\n", "kinds: {fish: {things: 3, has: 4, grid: 5, lines: [6]}}\n",
     "setup: {a: 1}\n", "numbers: {a: [1]}\n", "options: {a: 1}\n", "places: {a: {of: 3, ordered: [1]}}\n",
     "flow: [{phase: [1], steps: 3}]\n"],
)  # fmt: skip
def test_wrong_shapes_never_raise(text):
    ruleset, _ = read(text)
    assert ruleset is not None

"""Shape complaints: place, code, words, and one slip giving one complaint."""

import pytest

from ruleforge.lang.schema import validate_file
from ruleforge.lang.source import read_yaml
from ruleforge.support.diagnostics import Report


def diagnostics(text: str, kind="ruleset"):
    report = Report()
    file = read_yaml(text, "f.yaml", report)
    assert file is not None
    validate_file(file, kind, report)
    return list(report)


def only(text: str, kind="ruleset"):
    (d,) = diagnostics(text, kind)
    return d


@pytest.mark.parametrize(
    ("text", "code", "place", "message", "help"),
    [
        ("actoins: {}\n", "RF201", (1, 1), "unknown key `actoins`", "did you mean `actions`?"),
        (
            "actions:\n  go:\n    during: turn\n    tekst: hm\n",
            "RF201",
            (4, 5),
            "unknown key `tekst` in `go`",
            "did you mean `text`?",
        ),
        (
            "numbers: 3\n",
            "RF202",
            (1, 10),
            "`numbers` must be a mapping of keys to values, not a whole number",
            None,
        ),
        (
            "formulas:\n  f: {is: 1, text: 12}\n",
            "RF202",
            (2, 20),
            "`text` must be a text, not a whole number",
            'put it in quotes: `"12"`',
        ),
        (
            "kinds:\n  cell: {count: '3'}\n",
            "RF202",
            (2, 17),
            "`count` must be a whole number, not a text",
            None,
        ),
        (
            "actions:\n  go:\n    during: turn\n    needs:\n      - a: b\n",
            "RF202",
            (5, 9),
            "item 1 of `needs` must be a text, a whole number or true or false, "
            "not a mapping of keys to values",
            "a text that contains `: ` must be in quotes, or under `|` on lines of its own",
        ),
        ("formulas: {f: {text: x}}\n", "RF203", (1, 15), "`f` lacks the key `is`", "`is`: its value"),
        (
            "flow: [{phase: turn, window: mayby}]\n",
            "RF204",
            (1, 30),
            "`window` cannot be `mayby`",
            "did you mean `maybe`?",
        ),
        ("numbers: {Hand Size: 3}\n", "RF205", (1, 11), "`Hand Size` is not a valid name", None),
        ("kinds: {cell: {things: [A1]}}\n", "RF205", (1, 25), "`A1` is not a valid name", None),
        ("kinds: {cell: {count: 0}}\n", "RF206", (1, 23), "`count` is 0, but must be at least 1", None),
        ("actions:\n", "RF207", (1, 9), "no value is given for `actions`", None),
        (
            "events:\n  go:\n    do:\n",
            "RF207",
            (3, 8),
            "no value is given for `do`",
            "write a text, or delete it",
        ),
        ("flow: []\n", "RF207", (1, 7), "`flow` is empty", "give at least one, or delete it"),
        ("kinds: {p: {has: {x: [1]}}}\n", "RF202", (1, 22), None, None),
    ],
)
def test_one_slip_one_diagnostic(text, code, place, message, help):
    d = only(text)
    assert (d.code, (d.span.line, d.span.column)) == (code, place)
    if message:
        assert d.message == message
    if help:
        assert d.help == help


def test_all_slips_of_a_file_in_one_run():
    text = "numbers: 3\nactions:\n  go: {durin: x}\nkinds:\n  cell: {count: 0, plurl: cells}\n"
    assert [(d.code, d.span.line) for d in diagnostics(text)] == [
        ("RF202", 1),
        ("RF201", 3),
        ("RF206", 5),
        ("RF201", 5),
    ]


def test_a_misspelt_key_is_not_missing_as_well():
    assert only("formulas: {f: {iss: 1}}\n").code == "RF201"


def test_inside_an_alternative_the_meant_one_speaks():
    d = only("kinds:\n  player:\n    has:\n      chips: {type: 0..9, seez: true}\n")
    assert (d.code, d.help) == ("RF201", "did you mean `sees`?")


def test_a_text_cut_by_braces_is_recognised_by_its_rest():
    d = only("formulas: {f: {is: 1, rest of it}}\n")
    assert d.code == "RF201"
    assert "YAML cuts texts in braces at commas" in (d.help or "")


def test_what_reading_reported_is_not_repeated():
    assert only("kinds: {cell: {count: 010}}\n").code == "RF114"
    assert only("kinds: {cell: {count: 1.5}}\n").code == "RF115"
    assert only("actions: {go: {during: turn, on: 1}}\n").code == "RF113"


SCENARIO = """
scenario: The first line wins
cites: [AB-1]
players: 2
options: {short: true}
seed: 1
start: {a1.mark: x, deck: [ace, king], game.round: 3, b1.mark: none}
dice: [3, ace]
steps:
  - x: place a1
  - {chance: 3}
  - expect: {a1.mark: x, decision.player: o, choices: 8}
  - refuse: {player: o, choice: place a1, code: RF801, why: taken}
  - sees: {player: x, o.hand: hidden, a1.mark: x}
  - outcome: {reason: line, winners: [x], scores: {x: 1, o: -1}}
"""


def test_a_full_scenario():
    assert diagnostics(SCENARIO, "scenario") == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("scenario: x\nsteps:\n  - {x: place a1, o: place a2}\n", "RF208"),
        ("scenario: x\nsteps:\n  - refuse: {player: o, chioce: x}\n", "RF201"),
        ("scenario: x\nsteps:\n  - sees: {a1.mark: x}\n", "RF203"),
        ("scenario: x\nsteps:\n  - outcome: {reason: line, winners: x}\n", "RF202"),
        ("scenario: x\nsteps: []\n", "RF207"),
        ("scenaro: x\nsteps: [{x: go}]\n", "RF201"),
    ],
)
def test_scenario_slips(text, code):
    assert only(text, "scenario").code == code


def test_rulebooks():
    good = "game: marsh\nclauses: [{id: M-1, kind: setup, rule: Mix.}]\nrulings: [{id: R-1, about: [M-1]}]\n"
    assert diagnostics(good, "rulebook") == []
    assert only("game: marsh\nclauses: [{idd: M-1}]\n", "rulebook").code == "RF201"

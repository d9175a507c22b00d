"""The names of a ruleset: where each is declared, who refers to it, what is in scope at a place."""

from __future__ import annotations

from pathlib import Path

from ruleforge.lang.checker.names import Declared, Names
from ruleforge.support.diagnostics import Span
from tests.unit.lang.checker.checking import checked_at, checked_game

RULES = """\
game: {id: t, title: T, version: "1", text: T., players: 2}
options:
  long: {text: Long., type: flag, default: false}
numbers: {most: 9}
kinds:
  player: {things: [ann, ben], has: {chips: 0..most = 1}}
  card: {facts: {worth: 0..9}, things: {ace: {worth: 1}, two: {worth: 2, keywords: [bold]}}}
places:
  hand: {of: {holder: player}, holds: card}
keywords:
  bold: {text: Bold., kind: card}
formulas:
  rich: {takes: {p: player}, is: p.chips > 3 and option.long}
events:
  settle:
    takes: {who: player}
    do: |
      let much = count(c in who.hand where c.worth > 1 and not c has bold)
      if rich(who): who.chips = most
      move ace to ann.hand
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  act: {during: turn, do: "settle(me); finish over"}
endings:
  over: {text: Over.}
"""


def names(folder: Path) -> tuple[Names, str]:
    file = folder / "t.yaml"
    file.write_text(RULES, "utf-8")
    return checked_at(file).names, str(file)


def words_at(spans: tuple[Span, ...]) -> list[str]:
    lines = RULES.splitlines()
    return [lines[s.line - 1][s.column - 1 : s.end_column - 1] for s in spans]


def one(found: Names, name: str) -> Declared:
    (declared,) = found.named(name)
    return declared


def test_every_name_says_what_it_is_and_where_it_comes_from(tmp_path: Path):
    found, file = names(tmp_path)
    what = {d.name: (d.what, d.of) for d in found.declared}
    assert what["chips"] == ("attribute", "player") and what["worth"] == ("fact", "card")
    assert what["ace"] == ("thing", "card") and what["bold"] == ("keyword", "")
    assert what["long"] == ("option", "") and what["most"] == ("number", "")
    assert what["turn"] == ("phase", "") and what["act"] == ("action", "")
    assert all(d.origin == "t" and d.span.file == file for d in found.declared)


def test_who_refers_to_what(tmp_path: Path):
    found, _ = names(tmp_path)
    for name, used in {
        "chips": 2,
        "worth": 1,
        "ace": 1,
        "ann": 1,
        "bold": 2,
        "long": 1,
        "most": 2,
        "rich": 1,
        "settle": 1,
        "hand": 2,
        "turn": 1,
    }.items():
        spans = found.references[one(found, name)]
        assert words_at(spans) == [name] * used
    assert len(found.references[one(found, "over")]) == 1


def test_what_is_at_a_place_and_in_scope_there(tmp_path: Path):
    found, file = names(tmp_path)
    line = RULES.splitlines().index("      if rich(who): who.chips = most") + 1
    assert found.at(file, line, 11) == one(found, "rich")
    assert found.at(file, line, 27) == one(found, "chips")
    assert sorted(found.in_scope(file, line, 11)) == ["much", "who"]
    assert sorted(found.in_scope(file, line - 1, 50)) == ["c", "who"]
    assert dict(found.in_scope(file, 1, 1)) == {}


def test_every_formula_and_event_of_a_real_game_is_referred_to():
    found = checked_game("splicers").names
    unused = [d for d in found.declared if d.what in ("formula", "event") and not found.references[d]]
    assert len(unused) < 8, unused  # those that are open to additions

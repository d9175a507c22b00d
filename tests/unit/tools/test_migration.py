"""`ruleforge migrate`: files of an older version in the present one, with comments and layout."""

import json
from pathlib import Path

import pytest

import ruleforge
from tests.unit.frontends.commands import Command

DRAFT = """# A draft from before there were versions.
game:
  id: draft
  title: Draft
  version: "1.0"   # as it was shown at the fair
  players: 2

kinds:
  player: {things: [ann, ben], has: {stock: 0..9 per good = 3}}
  good: {things: [wood, clay]}
  card: {facts: {cost: 0..9}, things: {axe: {cost: 1}, bow: {cost: 2}, cup: {cost: 7}}}
places:
  hand: {of: {p: player}, holds: card, sees: viewer is p, starts: "{c in cards where c is axe and p is ann}"}
flow:
  - phase: turn   # one each
    each: me in players
    window: one
    repeat: true
  - phase: late
    each: me in players
    window: maybe   # a reaction
  - phase: last
    each: me in players
    window: one
actions:
  build:
    during: turn
    choose: {g: in goods}
    cost: pay 2 from me.stock[g]
    do: skip
  mark:
    during: turn
    choose: {some: exactly 2 in cards}
    do: skip
  rest: {during: turn, do: leave turn}
  react: {during: late, choose: {c: "in me.hand where c.cost > 3"}, do: skip}
  stop: {during: last, do: finish over}
endings: {over: {text: It is over.}}
"""
ANSWERS = """scenario: what was answered before there were versions
steps:
  # a set that is full closes by itself
  - ann: mark axe
  - ann: bow
  - ann: done
  - ben: rest
  # a question more
  - ann: stop   # at once
  - outcome: {reason: over}
"""
MIGRATED = ANSWERS.replace("  - ann: done\n", "").replace("  - ann: stop", "  - ann: done\n  - ann: stop")


@pytest.fixture
def ruleforge_command(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    folder = tmp_path / "draft"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "game.yaml").write_text(DRAFT)
    (folder / "scenarios" / "answers.yaml").write_text(ANSWERS)
    return folder


def test_a_draft_gains_its_version_behind_the_version_of_the_game(draft, ruleforge_command):
    shown = ruleforge_command("migrate", draft, "--check")
    assert shown.code == 1 and "+  language: 1" in shown.out
    assert (draft / "game.yaml").read_text() == DRAFT
    assert ruleforge_command("migrate", draft).code == 0
    line = '  version: "1.0"   # as it was shown at the fair\n'
    assert (draft / "game.yaml").read_text() == DRAFT.replace(line, line + "  language: 1\n")
    for words in ((), ("--check",), ("--as-before",)):
        again = ruleforge_command("migrate", draft, *words)
        assert (again.code, again.out) == (0, "nothing to change\n")


def test_questions_that_are_asked_in_any_case_are_named_or_opened(draft, ruleforge_command):
    told = ruleforge_command("migrate", draft, "--check", "--json")
    assert [asked["line"] for asked in json.loads(told.out)["asked_in_any_case"]] == [19]
    assert ruleforge.load(draft).start().decision is not None
    ruleforge_command("migrate", draft, "--as-before")
    text = (draft / "game.yaml").read_text()
    assert "    window: maybe   # a reaction\n    openly: true\n" in text
    assert ruleforge.analyse(draft).complete


def test_answers_are_rewritten_if_the_scenario_holds_afterwards(draft, ruleforge_command):
    assert ruleforge_command("test", draft).code == 1
    ruleforge_command("migrate", draft)
    assert (draft / "scenarios" / "answers.yaml").read_text() == MIGRATED
    assert ruleforge_command("test", draft).code == 0


def test_a_scenario_that_is_wrong_otherwise_stays(draft, ruleforge_command):
    wrong = ANSWERS.replace("reason: over", "reason: out")
    (draft / "scenarios" / "answers.yaml").write_text(wrong)
    ruleforge_command("migrate", draft)
    assert (draft / "scenarios" / "answers.yaml").read_text() == wrong


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('game: {id: a, version: "1.0", title: A}', 'game: {id: a, version: "1.0", language: 1, title: A}'),
        ("game: {id: a}", "game: {id: a, language: 1}"),
        (
            "game:\r\n  id: a  # b\r\n  title: A\r\n",
            "game:\r\n  id: a  # b\r\n  language: 1\r\n  title: A\r\n",
        ),
        ("game:\n  id: a", "game:\n  id: a\n  language: 1"),
        ("game:\n  id: a\n  language: 1\n", "game:\n  id: a\n  language: 1\n"),
    ],
)
def test_layout_and_line_ends_stay(tmp_path, ruleforge_command, old, new):
    file = tmp_path / "game.yaml"
    file.write_bytes(old.encode())
    ruleforge_command("migrate", file)
    assert file.read_bytes() == new.encode()

"""Coverage finds clauses without a rule or a scenario."""

from __future__ import annotations

import json

import pytest

from tests.unit.small_games import FAIR

RULEBOOK = """\
game: fair
clauses:
  - {id: F-1, rule: It is a fair., kind: info}
  - {id: F-2, rule: Players pay., kind: action}
  - {id: F-3, rule: Tickets are drawn., kind: action}
  - {id: F-4, rule: Stalls are bought., kind: action}
  - {id: F-5, rule: It rains., kind: effect}
rulings:
  - {id: F-R1, question: Really?, ruling: Yes.}
"""


@pytest.fixture
def fair(tmp_path):
    (tmp_path / "game.yaml").write_text(FAIR, encoding="utf-8")
    (tmp_path / "rulebook.yaml").write_text(RULEBOOK, encoding="utf-8")
    (tmp_path / "scenarios").mkdir()
    for clause in ("F-2", "F-3"):
        text = f"scenario: shows {clause}\ncites: [{clause}]\nsteps:\n  - ann: draw\n"
        (tmp_path / "scenarios" / f"{clause}.yaml").write_text(text, encoding="utf-8")
    return tmp_path


def test_missing_are_clauses_without_rule_or_scenario(ruleforge_command, fair):
    done = ruleforge_command("coverage", fair, "--json")
    data = json.loads(done.out)
    assert done.code == 1
    assert data["missing"] == ["F-4", "F-5", "F-R1"]
    second = data["clauses"][1]
    assert second["rules"][0]["rule"] == "actions.give"
    assert second["scenarios"][0]["scenario"] == "shows F-2"


def test_a_cited_clause_must_exist(ruleforge_command, fair):
    text = "scenario: shows more\ncites: [F-9]\nsteps:\n  - ann: draw\n"
    (fair / "scenarios" / "more.yaml").write_text(text, encoding="utf-8")
    data = json.loads(ruleforge_command("coverage", fair, "--json").out)
    assert data["unknown"][0]["clause"] == "F-9"


def test_the_table_marks_what_is_missing(ruleforge_command, fair):
    out = ruleforge_command("coverage", fair).out
    assert "3 of 6 clauses are covered" in out


def test_a_covered_rulebook_is_fine(ruleforge_command):
    done = ruleforge_command("coverage", "tic-tac-toe", "--json")
    assert done.code == 0
    assert json.loads(done.out)["missing"] == []


def test_without_a_rulebook_there_is_a_diagnostic(ruleforge_command, tmp_path):
    (tmp_path / "game.yaml").write_text(FAIR, encoding="utf-8")
    done = ruleforge_command("coverage", tmp_path)
    assert done.code == 1
    assert "rulebook.yaml" in done.err


def test_what_packs_may_do_needs_a_rule_but_no_scenario(ruleforge_command, fair):
    book = RULEBOOK.replace(
        "rulings:",
        """\
  - {id: F-6, rule: Nobody changes the price., kind: lock}
  - {id: F-7, rule: Packs may add stalls., kind: permission}
rulings:
  - {id: F-R2, about: [F-6, F-7], ruling: Never.}""",
    )
    (fair / "rulebook.yaml").write_text(book, encoding="utf-8")
    contract = "locked: '1.0'\npoints:\n  - {id: stalls, define: [stall], cites: [F-6, F-R2]}\n"
    (fair / "contract.yaml").write_text(contract, encoding="utf-8")
    data = json.loads(ruleforge_command("coverage", fair, "--json").out)
    assert data["missing"] == ["F-4", "F-5", "F-7", "F-R1"]
    ruleforge_command("lock", fair)
    assert ruleforge_command("validate", fair).code == 0

"""`validate` reads the whole folder, hides nothing, and makes one complaint of one mistake."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from ruleforge.frontends.cli.main import main

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of a small complete game with rulebook, scenarios and a contract."""
    home = tmp_path / "nim"
    shutil.copytree(ROOT / "examples" / "nim", home)
    return home


def diagnostics(folder: Path) -> list[dict[str, object]]:
    """What `ruleforge validate` says, as data."""
    done = CliRunner().invoke(main, ["validate", str(folder), "--format", "json"], catch_exceptions=False)
    found: list[dict[str, object]] = json.loads(done.stdout)
    return found


def about(found: list[dict[str, object]], file: str) -> list[dict[str, object]]:
    return [one for one in found if file in json.dumps(one)]


def scenario(folder: Path, body: str) -> list[dict[str, object]]:
    (folder / "scenarios" / "made_up.yaml").write_text(f"scenario: made up\n{body}", encoding="utf-8")
    return about(diagnostics(folder), "made_up.yaml")


def test_the_folder_as_it_is_is_fine(folder):
    assert diagnostics(folder) == []


SCENARIOS = {
    "an unknown seat": "cites: [NIM-1]\nsteps:\n  - anna: take one 1\n",
    "an unknown path": "cites: [NIM-1]\nsteps:\n  - expect: {one.lefft: 1}\n",
    "an unknown thing in a path": "cites: [NIM-1]\nstart: {six.left: 1}\nsteps:\n  - ann: take one 1\n",
    "an unknown thing in a choice": "cites: [NIM-1]\nsteps:\n  - ann: take six 1\n",
    "an unknown word of a choice": "cites: [NIM-1]\nsteps:\n  - ann: tke one 1\n",
    "an unknown key": "cites: [NIM-1]\nsteps:\n  - expects: {one.left: 1}\n",
    "an unknown clause": "cites: [NIM-99]\nsteps:\n  - ann: take one 1\n",
    "an unknown option": "cites: [NIM-1]\noptions: {misery: true}\nsteps:\n  - ann: take one 1\n",
    "a value out of range": "cites: [NIM-1]\nstart: {one.left: 99}\nsteps:\n  - ann: take one 1\n",
    "a value of another type": "cites: [NIM-1]\nsteps:\n  - expect: {one.left: ann}\n",
    "an unknown seat that looks": "cites: [NIM-1]\nsteps:\n  - sees: {player: anna, one.left: 1}\n",
    "an unknown seat that tries": "cites: [NIM-1]\nsteps:\n  - refuse: {player: anna, choice: take one 9}\n",
    "an unknown ending": "cites: [NIM-1]\nsteps:\n  - outcome: {reason: bored}\n",
    "an unknown winner": "cites: [NIM-1]\nsteps:\n  - outcome: {winners: [anna]}\n",
    "a code there is not": "cites: [NIM-1]\nsteps:\n  - refuse: {choice: done, code: RF999}\n",
    "too many players": "cites: [NIM-1]\nplayers: 5\nsteps:\n  - ann: take one 1\n",
}


@pytest.mark.parametrize("what", sorted(SCENARIOS))
def test_a_scenario_is_read(folder, what):
    assert len(scenario(folder, SCENARIOS[what])) == 1


def test_a_card_nobody_knows_in_a_scenario_of_splicers(tmp_path):
    home = tmp_path / "splicers"
    shutil.copytree(ROOT / "rulesets" / "splicers", home)
    file = home / "scenarios" / "requirements" / "met_or_refused.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("meadow_hare", "meadow_hair"), encoding="utf-8")
    found = about(diagnostics(home), "met_or_refused.yaml")
    assert found and all("meadow_hair" in json.dumps(one) for one in found)


def test_an_unknown_clause_in_the_rules(folder):
    file = folder / "game.yaml"
    text = file.read_text(encoding="utf-8")
    assert "cites: [NIM-" in text
    file.write_text(text.replace("cites: [NIM-", "cites: [NIM-77", 1), encoding="utf-8")
    assert [one for one in diagnostics(folder) if "NIM-77" in json.dumps(one)]


CONTRACTS = {
    "gibberish": "zork: 1\n",
    "not a mapping": "- a\n- b\n",
    "an unknown name": 'locked: "1.0"\nguards:\n  - {of: [heep], say: heaps are fixed}\n',
    "an unknown clause": 'locked: "1.0"\notherwise: [NIM-99]\n',
    "an unknown formula": 'locked: "1.0"\npoints:\n  - {id: a, modify: [nothing_there]}\n',
    "another version": 'locked: "77.0"\n',
    "broken YAML": "locked: [\n",
}

CONTRACT_CODES = {
    "gibberish": "RF201 RF203",
    "not a mapping": "RF122",
    "an unknown name": "RF344",
    "an unknown clause": "RF343",
    "an unknown formula": "RF344",
    "another version": "RF345",
    "broken YAML": "RF108",
}


@pytest.mark.parametrize("what", sorted(CONTRACTS))
def test_a_contract_is_read(folder, what):
    (folder / "contract.yaml").write_text(CONTRACTS[what], encoding="utf-8")
    found = about(diagnostics(folder), "contract.yaml")
    assert [one["code"] for one in found] == CONTRACT_CODES[what].split()


RULEBOOKS = {
    "gibberish": ("game: nim", "gaem: nim"),
    "a clause twice": ("id: NIM-2", "id: NIM-1"),
    "another game": ("game: nim", "game: chess"),
    "broken YAML": ("clauses:", "clauses: ["),
}


@pytest.mark.parametrize("what", sorted(RULEBOOKS))
def test_the_rulebook_is_read(folder, what):
    file = folder / "rulebook.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace(*RULEBOOKS[what], 1), encoding="utf-8")
    assert about(diagnostics(folder), "rulebook.yaml")


def test_a_mistake_in_one_file_hides_nothing_in_another(folder):
    (folder / "broken.yaml").write_text("numbers: {a: [\n", encoding="utf-8")
    (folder / "shapeless.yaml").write_text("kinds: {coin: {thingies: [a]}}\n", encoding="utf-8")
    (folder / "wrong.yaml").write_text("formulas: {f: {is: heaps.lefft}}\n", encoding="utf-8")
    (folder / "scenarios" / "made_up.yaml").write_text("scenario: x\nstepz: []\n", encoding="utf-8")
    found = diagnostics(folder)
    for file in ("broken.yaml", "shapeless.yaml", "wrong.yaml", "made_up.yaml"):
        assert about(found, file), file


def test_a_kind_declared_twice_is_one_diagnostic(tmp_path):
    home = tmp_path / "splicers"
    shutil.copytree(ROOT / "rulesets" / "splicers", home)
    (home / "again.yaml").write_text("kinds:\n  biom: {things: [other]}\n", encoding="utf-8")
    assert len(diagnostics(home)) == 1


def test_a_kind_renamed_is_one_diagnostic_for_each_name_that_is_missing(tmp_path):
    """Rename the kind where it is declared: every use says so once, nothing follows from it."""
    home = tmp_path / "splicers"
    shutil.copytree(ROOT / "rulesets" / "splicers", home)
    file = home / "kinds.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("\n  biom:\n", "\n  biome:\n"), encoding="utf-8")
    found = diagnostics(home)
    assert found and len(found) <= 3, len(found)


def test_an_attribute_renamed_is_no_flood(folder):
    file = folder / "game.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("left:", "rest:", 1), encoding="utf-8")
    rules = [one for one in diagnostics(folder) if "game.yaml" in json.dumps(one)]
    assert 0 < len(rules) <= text.count(".left")

"""What lies beside the rules: the names a scenario may use are those of play; packs; unsaved text."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import ruleforge
from ruleforge.compiler.program import program_from_checked
from ruleforge.engine.choice import wordings
from ruleforge.engine.paths import SPECIAL, Paths
from ruleforge.lang.checker.typed import Checked
from ruleforge.project.resolver import analyse
from ruleforge.tools.project_files import paths
from ruleforge.tools.project_files.scenario_names import ChoiceWords, Member, ScenarioNames
from ruleforge.tools.project_files.side_files import SideFiles, look_beside

ROOT = Path(__file__).resolve().parents[4]
GAMES = ("kuhn-poker", "hex", "primordial-orbs", "splicers", "soul-gems")


def checked(name: str) -> Checked:
    rules = analyse(name).checked
    assert rules is not None
    return rules


@pytest.mark.parametrize("name", GAMES)
def test_every_path_of_play_is_known(name):
    rules = checked(name)
    program = program_from_checked(
        rules, rules.players[0], {o.name: o.default for o in rules.options.values()}
    )
    known = ScenarioNames(rules, rules.players[0], ChoiceWords(rules))
    found = [path.path for path in Paths(program).everything]
    assert [path for path in found if not isinstance(paths.find(known, path), Member)] == []
    assert all(paths.find(known, path) is None for path in SPECIAL)


@pytest.mark.parametrize("name", GAMES)
def test_every_word_of_a_choice_is_known(name):
    rules = checked(name)
    known = ScenarioNames(rules, rules.players[0], ChoiceWords(rules))
    options = {o.name: o.default for o in rules.options.values()}
    program = program_from_checked(rules, rules.players[0], options, chance=True)
    phrases = [phrase for wording in wordings(program) if wording for phrase in wording.phrases]
    words = {word.partition("#")[0] for phrase in phrases for word in phrase.word.split()}
    assert words - known.spoken.words == set()


@pytest.mark.parametrize(
    ("path", "word"),
    [("one.lefft", "lefft"), ("six.left", "six"), ("heap.six.left", "six"), ("heep.one.left", "heep")],
)
def test_the_first_word_that_names_nothing_is_told(path, word):
    rules = checked("nim")
    found = paths.find(ScenarioNames(rules, 2, ChoiceWords(rules)), path)
    assert isinstance(found, paths.Wrong) and found.word == word


@pytest.fixture
def orbs(tmp_path: Path) -> Path:
    home = tmp_path / "primordial-orbs"
    shutil.copytree(ROOT / "rulesets" / "primordial-orbs", home)
    return home


def of_pack(home: Path, name: str, text: str) -> SideFiles:
    pack = home / "expansions" / "rooted-life"
    file = pack / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, "utf-8")
    return look_beside(analyse(pack))


def test_a_pack_has_scenarios_of_its_own(orbs):
    text = "scenario: made up\ncites: [PO-1-z]\nsteps:\n  - expect: {orb.nothing.turned: true}\n"
    found = of_pack(orbs, "scenarios/made_up.yaml", text).diagnostics
    mine = [d.code for d in found if d.span.file.endswith("made_up.yaml")]
    assert sorted(mine) == ["RF343", "RF830"]


def test_a_pack_cites_its_own_clauses_and_those_of_the_game(orbs):
    of_pack(orbs, "rulebook.yaml", "game: rooted-life\nclauses:\n  - {id: RL-1, rule: Roots hold.}\n")
    text = "scenario: made up\ncites: [RL-1, PO-R34]\nsteps:\n  - expect: {decision.player: none}\n"
    found = of_pack(orbs, "scenarios/made_up.yaml", text).diagnostics
    assert [d for d in found if d.span.file.endswith("made_up.yaml")] == []


def test_unsaved_text_is_looked_at_and_what_did_not_change_is_kept(tmp_path):
    home = tmp_path / "nim"
    shutil.copytree(ROOT / "examples" / "nim", home)
    before = look_beside(analyse(home))
    name = before.folders[0].scenarios[0].path
    unsaved = {f"scenarios/{Path(name).name}": "scenario: x\nsteps:\n  - zoe: take one 1\n"}
    after = look_beside(ruleforge.analyse(home, overlay=unsaved), before)
    assert [d.code for d in after.diagnostics] == ["RF850"]
    assert after.folders[0].rulebook is before.folders[0].rulebook
    assert after.folders[0].scenarios[1] is before.folders[0].scenarios[1]


def test_the_list_of_changes_that_nobody_notices_is_looked_at(tmp_path):
    home = tmp_path / "nim"
    shutil.copytree(ROOT / "examples" / "nim", home)
    (home / "mutants.yaml").write_text("equivalent:\n  - {file: game.yaml, befor: x}\n", "utf-8")
    found = {(d.code, d.span.line) for d in look_beside(analyse(home)).diagnostics}
    assert ("RF201", 2) in found and {line for _, line in found} == {2}


def test_a_listed_change_names_a_line_of_a_rule_file_as_it_is(orbs):
    listed = orbs / "mutants.yaml"
    assert [d for d in look_beside(analyse(orbs)).diagnostics if d.code == "RF724"] == []
    listed.write_text(listed.read_text("utf-8").replace("clamp: 0..20", "clamp: 0..21"), "utf-8")
    (changed,) = look_beside(analyse(orbs)).diagnostics
    assert changed.code == "RF724" and changed.severity == "warning"
    listed.write_text(listed.read_text("utf-8").replace("file: formulas.yaml", "file: formula.yaml"), "utf-8")
    assert {d.code for d in look_beside(analyse(orbs)).diagnostics} == {"RF724"}

"""The commands `lock` and `new`, run as a person would."""

import pytest
from click.testing import CliRunner

from ruleforge.contracts.contract_reader import contract_of
from ruleforge.frontends.cli.main import main
from ruleforge.support.resources import shipped_games

MARSH = """
game: {id: marsh, title: Marsh, version: "1.2", players: 2}
numbers: {most: 3}
kinds:
  player: {things: [ann, ben], has: {coins: 0..9 = most}}
  card: {facts: {cost: 0..9}, things: {newt: {cost: 1}, frog: {cost: 2}}}
flow:
  - {phase: turn, each: me in players, window: one}
  - {phase: last, do: finish over}
actions:
  take:
    during: turn
    choose: {c: in cards where c.cost <= me.coins}
    do: me.coins -= c.cost
endings: {over: {text: It is over.}}
"""


def run(*words):
    return CliRunner().invoke(main, words)


def marsh(tmp_path):
    folder = tmp_path / "marsh"
    folder.mkdir()
    (folder / "game.yaml").write_text(MARSH)
    return folder


def test_a_core_is_locked_and_compared(tmp_path):
    folder = marsh(tmp_path)
    assert run("lock", str(folder), "--check").exit_code == 1
    assert "locked version 1.2" in run("lock", str(folder)).output
    assert "matches its lock file" in run("lock", str(folder), "--check").output
    (folder / "game.yaml").write_text(MARSH.replace("most: 3", "most: 4"))
    changed = run("lock", str(folder), "--check")
    assert (changed.exit_code, "changed numbers.most" in changed.output) == (1, True)
    assert run("lock", str(folder)).exit_code == 1, "a new version is needed first"
    assert "RF341" in run("validate", str(folder)).output
    (folder / "game.yaml").write_text(MARSH.replace("most: 3", "most: 4").replace('"1.2"', '"1.3"'))
    assert run("lock", str(folder)).exit_code == 0


def test_a_new_pack_validates_and_tests_at_once(tmp_path):
    core = marsh(tmp_path)
    made = run("new", "expansion", "night-garden", "--for", str(core), "--into", str(core / "expansions"))
    assert made.exit_code == 0, made.output
    assert "fine" in run("validate", str(core / "expansions" / "night-garden")).output
    assert "1 passed" in run("test", str(core / "expansions" / "night-garden")).output


@pytest.mark.parametrize("game", [name for name, core in shipped_games().items() if contract_of(core)])
def test_a_new_pack_keeps_the_contract_of_its_game(tmp_path, game):
    made = run("new", "expansion", "night-garden", "--for", game, "--into", str(tmp_path))
    assert made.exit_code == 0, made.output
    folder = str(tmp_path / "night-garden")
    assert "accepted" in run("check-expansion", folder).output
    assert "fine" in run("validate", folder).output
    assert "1 passed" in run("test", folder).output
    assert "1 of 1 clauses are covered" in run("coverage", folder).output  # by a rule that does something
    assert run("fmt", "--check", folder).exit_code == 0
    assert "kinds:" in (tmp_path / "night-garden" / "rules.yaml").read_text()


def test_a_new_game_validates_tests_and_is_covered_at_once(tmp_path):
    made = run("new", "game", "quiet-harbour", "--into", str(tmp_path))
    assert made.exit_code == 0, made.output
    folder = str(tmp_path / "quiet-harbour")
    assert "fine" in run("validate", folder).output
    assert "2 passed" in run("test", folder).output
    assert "5 of 5 clauses are covered" in run("coverage", folder).output
    assert run("fmt", "--check", folder).exit_code == 0
    written = "".join(file.read_text() for file in (tmp_path / "quiet-harbour").rglob("*.*"))
    assert "Quiet Harbour" in written and "QH-1" in written
    assert "My Game" not in written and "my-game" not in written
    assert run("new", "game", "Bad Name", "--into", str(tmp_path)).exit_code == 2


def test_a_new_pack_of_an_own_game_lies_where_it_is_found(tmp_path):
    core = marsh(tmp_path)
    made = run("new", "expansion", "night-garden", "--for", str(core))
    assert made.exit_code == 0, made.output
    assert "1 passed" in run("test", str(core / "expansions" / "night-garden")).output


def test_a_new_pack_elsewhere_is_used_as_it_is_told(tmp_path):
    core = marsh(tmp_path)
    made = run("new", "expansion", "night-garden", "--for", str(core), "--into", str(tmp_path))
    for line in made.output.partition("next:")[2].strip().splitlines():
        assert run(*line.split()[1:], *(["--help"] if "play" in line else [])).exit_code == 0, line
    assert "ruleforge validate" in made.output and "ruleforge test" not in made.output


def test_a_game_with_a_warning_can_have_a_pack(tmp_path):
    core = marsh(tmp_path)
    (core / "odd.yaml").write_text("formulas:\n  odd: {takes: {p: player}, is: 1}\n")
    assert "RF7" in run("validate", str(core)).output
    made = run("new", "expansion", "night-garden", "--for", str(core))
    assert made.exit_code == 0, made.output


def test_a_folder_that_is_there_is_left_alone(tmp_path):
    core = marsh(tmp_path)
    (tmp_path / "mine").mkdir()
    refused = run("new", "expansion", "mine", "--for", str(core), "--into", str(tmp_path))
    assert (refused.exit_code, list((tmp_path / "mine").iterdir())) == (2, [])


def test_a_planted_link_is_not_written_through(tmp_path):
    core = marsh(tmp_path)
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (core / "core.lock").symlink_to(victim)
    run("lock", str(core))
    assert victim.read_text() == "precious"


CONTRACT = """\
locked: "1.2"
guards:
  - {of: [flow], say: the flow stays}
points:
  - {id: frogs, define: [card]}
"""
CHANGES_OF_CONTRACT = {
    "a wider point": CONTRACT.replace("[card]", "[card, any]"),
    "a guard less": CONTRACT.replace("  - {of: [flow], say: the flow stays}\n", "").replace("guards:\n", ""),
    "open": CONTRACT + "default: open\n",
    "no contract": None,
}


@pytest.mark.parametrize("what", CHANGES_OF_CONTRACT)
def test_a_lock_covers_the_contract(tmp_path, what):
    folder = marsh(tmp_path)
    (folder / "contract.yaml").write_text(CONTRACT)
    assert run("lock", str(folder)).exit_code == 0
    assert run("validate", str(folder)).exit_code == 0
    text = CHANGES_OF_CONTRACT[what]
    if text is None:
        (folder / "contract.yaml").unlink()
    else:
        (folder / "contract.yaml").write_text(text)
    refused = run("lock", str(folder), "--check")
    assert refused.exit_code == 1 and " contract" in refused.output
    told = run("validate", str(folder))
    assert told.exit_code == 1 and "RF341" in told.output


def test_words_of_a_contract_may_change(tmp_path):
    folder = marsh(tmp_path)
    (folder / "contract.yaml").write_text(CONTRACT)
    assert run("lock", str(folder)).exit_code == 0
    (folder / "contract.yaml").write_text("# for people\n" + CONTRACT.replace("the flow stays", "leave it"))
    assert run("lock", str(folder), "--check").exit_code == 0


def test_a_core_that_is_locked_has_a_lock_file(tmp_path):
    folder = marsh(tmp_path)
    (folder / "contract.yaml").write_text(CONTRACT)
    missing = run("validate", str(folder))
    assert missing.exit_code == 1 and "RF349" in missing.output
    assert run("lock", str(folder)).exit_code == 0
    assert run("validate", str(folder)).exit_code == 0
    (folder / "core.lock").unlink()
    assert run("validate", str(folder)).exit_code == 1


def test_a_version_that_was_never_published_is_locked_anew(tmp_path):
    folder = marsh(tmp_path)
    assert run("lock", str(folder)).exit_code == 0
    (folder / "more.yaml").write_text("numbers: {reeds: 7}\n")
    refused = run("lock", str(folder))
    assert refused.exit_code == 1 and "new version" in refused.output
    assert run("lock", str(folder), "--replace").exit_code == 0
    assert run("lock", str(folder), "--check").exit_code == 0
    assert run("lock", str(folder), "--check", "--replace").exit_code == 2


def test_a_locked_core_with_a_mistake_is_told_the_mistake_alone(tmp_path):
    folder = marsh(tmp_path)
    run("lock", str(folder))
    (folder / "more.yaml").write_text("numbers: {reeds: reds}\n")
    found = run("validate", str(folder))
    assert "RF501" in found.output and "RF341" not in found.output

"""`ruleforge test`: what a failure tells, which scenarios are run, and how expectations are rewritten."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

from ruleforge.frontends.cli.file_watcher import changes
from tests.unit.frontends.commands import Command
from tests.unit.tools.small_game import PACK


def replace(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def test_a_failure_tells_what_was_found_how_and_by_which_rule(race: Path, ruleforge_command: Command) -> None:
    replace(race / "race.yaml", "game.total += more", "game.total += more + 1")
    done = ruleforge_command("test", race, "-k", "counts")
    assert done.code == 1
    assert "expected: 2" in done.out and "found:    3" in done.out
    assert "Ann: add 2." in done.out and "Total 0→3." in done.out
    assert "race.yaml:36:9 (event count_up)" in done.out


def test_what_a_seat_is_told_of_a_secret_question_is_not_what_is_asked(
    race: Path, ruleforge_command: Command
) -> None:
    replace(race / "race.yaml", "    window: one\n", "    window: one\n    sees: viewer is me\n")
    for seat, kind in (("ann", "turn"), ("ben", "hidden")):
        looks = f"player: {seat}, decision.player: ann, decision.kind: {kind}, outcome.reason: none"
        text = f"scenario: seen\nsteps:\n  - sees: {{{looks}}}\n"
        (race / "scenarios" / "seen.yaml").write_text(text, "utf-8")
        assert ruleforge_command("test", race, "-k", "seen").code == 0, seat
    (race / "scenarios" / "seen.yaml").write_text(text.replace("hidden", "turn"), "utf-8")
    failed = ruleforge_command("test", race, "-k", "seen")
    assert failed.code == 1 and "`ben` sees `decision.kind` as hidden, not as turn" in failed.out


def test_the_story_of_a_long_game_is_cut(race: Path, ruleforge_command: Command) -> None:
    steps = "".join(f"  - {'ann' if n % 2 == 0 else 'ben'}: add 1\n" for n in range(9))
    (race / "scenarios" / "long.yaml").write_text(
        f"scenario: long\nsteps:\n{steps}  - expect: {{game.total: 1}}\n", "utf-8"
    )
    done = ruleforge_command("test", race, "-k", "long")
    assert "sentences before)" in done.out and "Total 8→9." in done.out and "Total 0→1." not in done.out


def test_what_was_found_is_there_for_programs(race: Path, ruleforge_command: Command) -> None:
    replace(race / "race.yaml", "finish said_ten for me", "finish said_ten")
    data = json.loads(ruleforge_command("test", race, "--json").out)
    failed = next(one for one in data["scenarios"] if not one["ok"])
    assert failed["expected"] == "[ann]" and failed["found"] == "[]"
    assert failed["rule"].endswith("race.yaml:26:28 (action add)") and failed["story"]


def test_a_scenario_is_chosen_by_words_of_its_title_or_file(race: Path, ruleforge_command: Command) -> None:
    assert "1 passed" in ruleforge_command("test", race, "-k", "COUNTS").out
    assert "1 passed" in ruleforge_command("test", race, "-k", "last.yaml").out
    assert "2 passed" in ruleforge_command("test", race, "-k", "last", "-k", "first").out
    nothing = ruleforge_command("test", race, "-k", "chess")
    assert nothing.code == 1 and "no scenario has `chess`" in nothing.out


def test_several_processes_give_the_same(race: Path, ruleforge_command: Command) -> None:
    replace(race / "race.yaml", "game.total += more", "game.total += more + 1")
    alone, both = (json.loads(ruleforge_command("test", race, "--json", "--jobs", j).out) for j in (1, 2))
    for result in (*alone["scenarios"], *both["scenarios"]):
        del result["seconds"]
    assert alone == both and alone["failed"] == 2


def test_junit(race: Path, tmp_path: Path, ruleforge_command: Command) -> None:
    replace(race / "race.yaml", "game.total += more", "game.total += more + 1")
    ruleforge_command("test", race, "--junit", tmp_path / "out.xml")
    suite = ElementTree.parse(tmp_path / "out.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "2", "0")
    case = next(case for case in suite if case.get("name") == "adding counts")
    assert case.get("classname") == "race"
    assert "expected: 2" in (case[0].text or "")


def test_junit_tells_of_rules_that_cannot_be_read(
    race: Path, tmp_path: Path, ruleforge_command: Command
) -> None:
    replace(race / "race.yaml", "game.total += more", "game.totl += more")
    assert ruleforge_command("test", race, "--junit", tmp_path / "out.xml").code == 1
    suite = ElementTree.parse(tmp_path / "out.xml").getroot()[0]
    assert suite.get("errors") == "1"


# --- rewriting ---


def test_an_update_is_shown_and_not_written_unasked(race: Path, ruleforge_command: Command) -> None:
    replace(race / "race.yaml", "game.total += more", "game.total += more + 1")
    file = race / "scenarios" / "first.yaml"
    before = file.read_text("utf-8")
    done = ruleforge_command("test", race, "-k", "counts", "--update")
    assert "-      game.total: 2  # so many" in done.out and "+      game.total: 3  # so many" in done.out
    assert "--yes writes it" in done.out
    assert file.read_text("utf-8") == before and done.code == 1


def test_an_update_rewrites_expectations_alone(race: Path, ruleforge_command: Command) -> None:
    replace(race / "race.yaml", "game.total += more", "game.total += more + 1")
    file = race / "scenarios" / "first.yaml"
    before = file.read_text("utf-8")
    done = ruleforge_command("test", race, "-k", "counts", "--update", "--yes")
    assert done.code == 0, "what was written holds"
    assert file.read_text("utf-8") == before.replace("game.total: 2", "game.total: 3")


def test_an_update_reaches_every_expectation_of_every_sort(race: Path, ruleforge_command: Command) -> None:
    file = race / "scenarios" / "all.yaml"
    file.write_text(
        "scenario: all\n# kept\nstart: {game.total: 8}\nsteps:\n  - expect: {choices: [rest, add 1], "
        "game.total: 1, decision.player: none}  # kept\n  - sees: {player: ben, game.total: 4}\n  - ann: add 2\n"
        "  - outcome:\n      winners:\n        - ben\n      reason: other\n",
        "utf-8",
    )
    done = ruleforge_command("test", file, "--update", "--yes")
    assert done.code == 0, done.out
    now = file.read_text("utf-8")
    assert "choices: [add 1, add 2, rest], game.total: 8, decision.player: ann}  # kept" in now
    assert "game.total: 8}\n  - ann" in now and "winners: [ann]\n      reason: said_ten\n" in now


def test_a_value_with_comments_inside_is_left_to_a_person(race: Path, ruleforge_command: Command) -> None:
    file = race / "scenarios" / "first.yaml"
    file.write_text(
        "scenario: x\nsteps:\n  - expect:\n      choices:\n        - rest  # why\n        - add 1\n", "utf-8"
    )
    before = file.read_text("utf-8")
    done = ruleforge_command("test", file, "--update", "--yes")
    assert "rewrite it by hand" in done.out and file.read_text("utf-8") == before and done.code == 1


def test_what_is_no_expectation_is_not_rewritten(race: Path, ruleforge_command: Command) -> None:
    replace(race / "scenarios" / "first.yaml", "ann: add 2", "ann: add 3")
    before = (race / "scenarios" / "first.yaml").read_text("utf-8")
    assert ruleforge_command("test", race, "--update", "--yes").code == 1
    assert (race / "scenarios" / "first.yaml").read_text("utf-8") == before


def test_what_an_update_shows_does_not_stand_among_what_is_printed_for_programs(
    race: Path, ruleforge_command: Command
) -> None:
    replace(race / "scenarios" / "first.yaml", "game.total: 2", "game.total: 3")
    done = ruleforge_command("test", race, "--update", "--json")
    assert json.loads(done.out)["failed"] == 1
    assert "+      game.total: 2" in done.err and "1 file would change; --yes writes it" in done.err


# --- watching ---


def test_what_is_watched_is_told_to_people(race: Path, ruleforge_command: Command) -> None:
    done = ruleforge_command("test", race, "--watch", "--json")
    assert done.code == 2 and done.out == "" and "leave out `--json`" in done.err


def test_a_file_that_is_gone_is_not_told_as_saved(tmp_path: Path) -> None:
    one, two = tmp_path / "one.yaml", tmp_path / "two.yaml"
    assert list(changes({one: (1, 1), two: (1, 1)}, {two: (2, 1)})) == [f"{two} saved", f"{one} gone"]


def test_watching_runs_again_when_a_file_is_saved(race: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("w") as out:
        command = [sys.executable, "-m", "ruleforge.frontends.cli.main", "test", str(race), "-q", "--watch"]
        process = subprocess.Popen(command, stdout=out, env={**os.environ, "PYTHONUNBUFFERED": "1"})
        try:
            _wait(log, "2 passed", process)
            replace(race / "race.yaml", "game.total += more", "game.total += more + 1")
            _wait(log, "2 failed", process)
            assert "race.yaml saved" in log.read_text()
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 0


def _wait(log: Path, words: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        if words in log.read_text():
            return
        assert process.poll() is None
        time.sleep(0.1)
    raise AssertionError(log.read_text())


def test_a_question_of_the_game_is_left_to_the_scenario_though_a_pack_is_at_the_table(
    ruleforge_command: Command,
) -> None:
    """Asked with nothing to choose, to hide what there is: the game does so whatever packs are there."""
    scenario = "rulesets/splicers/scenarios/splicing/found_nothing_in_a_deck.yaml"
    done = ruleforge_command("test", scenario, "--with", "symbiosis")
    assert done.code == 0, done.err + done.out


# --- packs that scenarios do not speak of ---


def _with_lighter(race: Path) -> None:
    """A pack that changes what one scenario asks for, and one that fails whatever is at the table."""
    (race / "expansions" / "lighter").mkdir(parents=True)
    (race / "expansions" / "lighter" / "pack.yaml").write_text(PACK, "utf-8")
    (race / "scenarios" / "rest.yaml").write_text(
        "scenario: no rest before three\nsteps:\n  - ann: add 2\n  - expect: {bonus(): 3}\n", "utf-8"
    )


def test_what_a_pack_changes_is_no_failure_and_is_told(race: Path, ruleforge_command: Command) -> None:
    _with_lighter(race)
    done = ruleforge_command("test", race, "--with", "lighter")
    assert done.code == 0, done.out
    assert "changed by lighter  no rest before three" in done.out and "`bonus()` is 1, not 3" in done.out
    assert "2 passed, 1 changed by lighter (they pass without)" in done.out
    assert ruleforge_command("test", race, "--with", "lighter", "--strict").code == 1
    data = json.loads(ruleforge_command("test", race, "--with", "lighter", "--json").out)
    assert (data["passed"], data["changed"], data["failed"]) == (2, 1, 0)
    assert [s.get("changed_by") for s in data["scenarios"]] == [None, None, ["lighter"]]


def test_what_fails_without_the_pack_fails(race: Path, ruleforge_command: Command) -> None:
    _with_lighter(race)
    replace(race / "scenarios" / "rest.yaml", "bonus(): 3", "bonus(): 2")
    done = ruleforge_command("test", race, "--with", "lighter")
    assert done.code == 1 and "FAIL  no rest before three" in done.out and "1 failed" in done.out


def test_an_update_leaves_what_holds_without_the_pack(race: Path, ruleforge_command: Command) -> None:
    _with_lighter(race)
    before = (race / "scenarios" / "rest.yaml").read_text("utf-8")
    assert ruleforge_command("test", race, "--with", "lighter", "--update", "--yes").code == 0
    assert (race / "scenarios" / "rest.yaml").read_text("utf-8") == before


def _with_packs(race: Path, said: str) -> None:
    """A pack that a scenario names itself, and what the pack `lighter` says of it."""
    _with_lighter(race)
    (race / "expansions" / "company").mkdir()
    company = PACK.replace("lighter", "company").partition("rules:")[0]
    (race / "expansions" / "company" / "pack.yaml").write_text(company, "utf-8")
    replace(race / "expansions" / "lighter" / "pack.yaml", "text: Less.,", f"text: Less., {said},")
    text = (race / "scenarios" / "first.yaml").read_text("utf-8")
    (race / "scenarios" / "in_company.yaml").write_text(f"with: [company]\n{text}", "utf-8")


def test_packs_that_keep_the_packs_of_a_scenario_out_leave_it_out(
    race: Path, tmp_path: Path, ruleforge_command: Command
) -> None:
    _with_packs(race, "excludes: [company]")
    done = ruleforge_command("test", race, "--with", "lighter", "--strict", "-k", "company")
    assert done.code == 0, done.out
    assert "left out  " in done.out and "`lighter` cannot be used together with `company`" in done.out
    assert "0 passed, 1 left out (their packs do not fit lighter)" in done.out
    junit = tmp_path / "out.xml"
    data = json.loads(ruleforge_command("test", race, "--with", "lighter", "--json", "--junit", junit).out)
    assert (data["passed"], data["changed"], data["left_out"], data["failed"]) == (2, 1, 1, 0)
    assert {"lighter"} == {name for s in data["scenarios"] for name in s.get("left_out_by", ())}
    assert ElementTree.parse(junit).getroot()[0].attrib["skipped"] == "2"
    assert (
        "3 passed" in ruleforge_command("test", race, "-q", "-k", "first", "-k", "last", "-k", "company").out
    )


def test_a_scenario_whose_own_packs_do_not_go_together_fails(race: Path, ruleforge_command: Command) -> None:
    _with_packs(race, "excludes: [company]")
    replace(race / "scenarios" / "in_company.yaml", "with: [company]", "with: [company, lighter]")
    for packs in ((), ("--with", "lighter")):
        done = ruleforge_command("test", race, "-k", "company", *packs)
        assert done.code == 1 and "1 failed" in done.out, done.out

"""`validate --fix`, its forms for programs, and `--watch`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ruleforge.support.diagnostics.codes import CODES
from ruleforge.support.resources import shipped_games

GAME = shipped_games()["nim"] / "game.yaml"
MISTAKES = (("players: 2", "players: two"), ("h.left is 0", "h.left == 0"), ("during: turn", "during: trun"))


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    text = GAME.read_text("utf-8")
    for old, new in MISTAKES:
        assert old in text
        text = text.replace(old, new, 1)
    file = tmp_path / "wrong game.yaml"
    file.write_text(text.replace("cites: [NIM-1]", "cites: [NIM-1] # a comment stays"), "utf-8")
    return file


def test_fix_repairs_what_it_can_and_says_so(ruleforge_command, wrong: Path):
    done = ruleforge_command("validate", wrong, "--fix")
    assert done.code == 0 and "fine" in done.out
    assert done.err.count("fixed /") == 3 and "3 mistakes fixed in 1 file\n" in done.err
    assert wrong.read_text("utf-8").replace(" # a comment stays", "") == GAME.read_text("utf-8")
    again = ruleforge_command("validate", wrong, "--fix")
    assert again.code == 0 and again.err == ""


def test_fix_leaves_what_takes_an_author_and_keeps_line_ends(ruleforge_command, wrong: Path):
    text = wrong.read_text("utf-8").replace("pile.left -= matches", "pile.left + matches").replace("==", "is")
    wrong.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    done = ruleforge_command("validate", wrong, "--fix", "--format", "json")
    assert done.code == 1
    assert [d["code"] for d in json.loads(done.out)] == ["RF408"]
    assert "2 mistakes fixed in 1 file; 1 error left" in done.err
    after = wrong.read_bytes()
    assert after.startswith(b"\xef\xbb\xbf") and after.count(b"\r\n") == after.count(b"\n")
    assert b"players: 2\r\n" in after


def test_fix_writes_nothing_that_is_not_better(ruleforge_command, tmp_path: Path):
    file = tmp_path / "game.yaml"
    text = GAME.read_text("utf-8").replace("finish took_last for opponent", "finish last_mach for opponent")
    file.write_text(text.replace("  last_match:", "  last_mach_ever:"), "utf-8")
    before = file.read_text("utf-8")
    done = ruleforge_command("validate", file, "--fix")
    wrong = ruleforge_command("validate", file)
    assert done.code == wrong.code
    assert file.read_text("utf-8") == before or "fixed" in done.err


def test_fix_in_scenarios_and_packs(ruleforge_command, tmp_path: Path):
    import shutil

    folder = tmp_path / "splicers"
    shutil.copytree(shipped_games()["splicers"], folder)
    pack = folder / "expansions" / "symbiosis" / "cards.yaml"
    right = pack.read_text("utf-8")
    pack.write_text(right.replace("[symbiosis, roams]", "[symbiosys, roams]"), "utf-8")
    scenario = folder / "expansions" / "symbiosis" / "scenarios" / "new.yaml"
    scenario.write_text("scenario: new\nstart: {p1.hand: [reef_anemona]}\nsteps: [p1: done]\n", "utf-8")
    done = ruleforge_command("validate", folder / "expansions" / "symbiosis", "--fix")
    assert done.code == 0, done.out
    assert pack.read_text("utf-8") == right and "reef_anemone]" in scenario.read_text("utf-8")


def test_forms_for_programs(ruleforge_command, wrong: Path):
    (first, *_) = json.loads(ruleforge_command("validate", wrong, "--format", "json").out)
    assert first["fix"][0]["text"] == "2" and first["fix"][0]["column"] == first["column"]
    lines = ruleforge_command("validate", wrong, "--format", "github").out.splitlines()
    assert len(lines) == 3
    assert (
        lines[0].startswith("::error file=")
        and ",title=RF205::`players` cannot be `two`%0Ahelp: " in lines[0]
    )
    assert ruleforge_command("validate", "nim", "--format", "github").out.strip() == ""


def test_sarif_has_the_parts_that_its_standard_asks_for(ruleforge_command, wrong: Path):
    log = json.loads(ruleforge_command("validate", wrong, "--format", "sarif").out)
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert run["columnKind"] == "unicodeCodePoints"
    for result in run["results"]:
        assert result["ruleId"] in rules <= set(CODES)
        assert result["level"] in ("error", "warning") and result["message"]["text"]
        (location,) = result["locations"]
        place = location["physicalLocation"]
        assert " " not in place["artifactLocation"]["uri"]
        assert all(number >= 1 for number in place["region"].values())
        for fix in result["fixes"]:
            assert fix["description"]["text"]
            for change in fix["artifactChanges"]:
                assert change["artifactLocation"] and change["replacements"]
                assert all(
                    r["deletedRegion"] and "text" in r["insertedContent"] for r in change["replacements"]
                )


def test_watch_changes_nothing(ruleforge_command, wrong: Path):
    done = ruleforge_command("validate", wrong, "--watch", "--fix")
    assert done.code == 2 and "--watch" in done.err


CALL = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); {}"
WATCH = CALL.format("from ruleforge.frontends.cli.main import run; sys.exit(run(sys.argv[1:]))")


def until(file: Path, words: str) -> None:
    end = time.monotonic() + 60
    while words not in file.read_text("utf-8"):
        assert time.monotonic() < end, file.read_text("utf-8")
        time.sleep(0.05)


def test_watch_tells_anew_and_ends_with_control_c(tmp_path: Path):
    file, out = tmp_path / "game.yaml", tmp_path / "out"
    file.write_text(GAME.read_text("utf-8"), "utf-8")
    with out.open("w") as stream:
        command = [sys.executable, "-c", WATCH, "validate", str(file), "--watch"]
        watching = subprocess.Popen(command, stdout=stream, stderr=subprocess.STDOUT)
        try:
            until(out, "waiting")
            file.write_text(file.read_text("utf-8").replace("during: turn", "during: trun"), "utf-8")
            until(out, "RF501")
            watching.send_signal(signal.SIGINT)
            assert watching.wait(60) == 0
        finally:
            watching.kill()
    assert "Traceback" not in out.read_text("utf-8")

"""The first minutes: players get no tools of developers, and what the README says next works as written."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.documents import ROOT, blocks_of

MAKE = shutil.which("make")


def planned(goal: str) -> str:
    """What `make` would run in a fresh clone."""
    assert MAKE is not None
    command = [MAKE, "--dry-run", goal, "VENV=no/such/folder"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(MAKE is None, reason="there is no make here")
def test_players_get_no_tools_of_developers() -> None:
    assert "--editable ." in planned("play") and "[dev]" not in planned("play")
    assert "[dev]" in planned("test") and "pytest" in planned("test")


def test_the_command_is_found_by_the_time_the_readme_uses_it() -> None:
    blocks = [block.text.splitlines() for block in blocks_of(ROOT / "README.md") if block.language == "sh"]
    assert len(blocks) == 2, "one block installs, one is for a clone"
    for lines in blocks:
        words = [line.partition(" ")[0] for line in lines]
        finds = min(n for n, line in enumerate(lines) if line.startswith(("pip install", ". .venv")))
        assert finds < words.index("ruleforge"), "the shell does not know `ruleforge` yet"


def test_the_first_screen_of_the_readme_says_shows_and_installs() -> None:
    first = (ROOT / "README.md").read_text("utf-8").splitlines()[:24]
    assert first[2].startswith("RuleForge ")
    assert any(line.startswith("![") for line in first)
    assert any(line.startswith("pip install") for line in first)

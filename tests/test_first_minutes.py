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
    blocks = [b for b in blocks_of(ROOT / "README.md") if b.language in ("sh", "console")]
    lines = [line.removeprefix("$ ") for block in blocks for line in block.text.splitlines()]
    first = {word: n for n, line in reversed([*enumerate(lines)]) if (word := line.partition(" ")[0])}
    assert lines[0].startswith("make play")
    assert first["."] < first["ruleforge"], "the shell does not know `ruleforge` yet"

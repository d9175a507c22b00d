"""The environment sets ceilings for every command; no file does, and a mistake in it lets nothing through."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ruleforge.support.ceilings import Ceilings, ceilings_from


def test_names_and_numbers_in_any_layout() -> None:
    assert ceilings_from(" row=5_000,work=7\n chain=3 ") == Ceilings(row=5_000, work=7, chain=3)
    assert ceilings_from("") == Ceilings()


@pytest.mark.parametrize(
    "text", ["rows=1", "row", "row=", "row=0", "row=-1", "row=1e9", "row=" + "9" * 5000, "=1", "row=١"]
)
def test_anything_else_is_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"\Ath(e|ere is no) ceiling `") as refused:
        ceilings_from(text)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("command", ["validate", "play", "dump"])
def test_commands_keep_to_it(command: str) -> None:
    said = _run("values=20", command, "nim")
    assert said.returncode == 1 and "RF124" in said.stdout + said.stderr
    assert "Traceback" not in said.stderr


@pytest.mark.parametrize("command", ["validate", "test", "simulate"])
def test_nothing_is_loaded_with_a_mistake_in_it(command: str) -> None:
    said = _run("valuse=20", command, "nim")
    assert said.returncode == 1 and "RF847" in said.stdout + said.stderr
    assert "Traceback" not in said.stderr


def _run(ceilings: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ruleforge.frontends.cli.main", *arguments],
        env={**os.environ, "RULEFORGE_CEILINGS": ceilings},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

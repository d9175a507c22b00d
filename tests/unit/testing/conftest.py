"""The small game, and the commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.frontends.commands import Command
from tests.unit.testing.small import small_ruleset


@pytest.fixture
def ruleforge_command(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.fixture
def race(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEFORGE_CACHE", str(tmp_path / "cache"))
    return small_ruleset(tmp_path)

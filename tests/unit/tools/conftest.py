"""The small game."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.tools.small_game import small_ruleset


@pytest.fixture
def race(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEFORGE_CACHE", str(tmp_path / "cache"))
    return small_ruleset(tmp_path)

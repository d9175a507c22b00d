"""The commands, ready to be run."""

from __future__ import annotations

import pytest

from tests.unit.frontends.commands import Command


@pytest.fixture
def ruleforge_command(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)

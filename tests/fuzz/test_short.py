"""The short form of the search: a few rulesets with a fixed seed; `make fuzz` is the long one."""

from __future__ import annotations

import time

import pytest

from tests.fuzz.hunt import Tally, search, strategies

RULESETS = 60
SECONDS = 20.0


def test_what_is_called_fine_runs(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RULEFORGE_CACHE", "")
    tally = Tally()
    end = time.process_time() + SECONDS
    found = search(
        tally, 20, lambda: tally.tried < RULESETS and time.process_time() < end, strategies(large=False)
    )
    for key in found:
        finding, files = tally.findings[key]
        pytest.fail(f"{finding.words}\n" + "\n".join(files.values()))
    assert tally.fine >= tally.tried // 4
    assert tally.decisions > 10 * tally.fine

"""The short form of the search: a few rulesets with a fixed seed; `make fuzz` is the long one."""

from __future__ import annotations

import time

import pytest

from tests.fuzz.hunt import Tally, at_the_doors, for_veiled, search, strategies

RULESETS = 60
SECONDS = 12.0
SENT = 120
AT_THE_DOORS = 10.0
VEILED = 20


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


def test_what_strangers_send_is_taken_or_refused_in_words(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RULEFORGE_CACHE", "")
    tally = Tally()
    end = time.process_time() + AT_THE_DOORS
    for key in at_the_doors(tally, 20, lambda: tally.sent < SENT and time.process_time() < end):
        pytest.fail(tally.findings[key][0].words)
    assert tally.sent > 10


def test_rulesets_made_of_secrets_keep_them(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RULEFORGE_CACHE", "")
    tally = Tally()
    end = time.process_time() + AT_THE_DOORS
    for key in for_veiled(tally, 20, lambda: tally.veiled < VEILED and time.process_time() < end):
        pytest.fail(tally.findings[key][0].words)
    assert tally.veiled > 10

"""The short form of the search, with fixed seeds and numbers, so that no machine is too slow for it.

`make fuzz` is the long one.
"""

from __future__ import annotations

import pytest

from tests.fuzz.hunt import Tally, at_the_interfaces, for_secret_rulesets, search, strategies
from tests.thorough import most

RULESETS = most(60, 200)
SENT = most(20, 300)
VEILED = most(15, 200)


def test_what_is_called_fine_runs(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RULEFORGE_CACHE", "")
    tally = Tally()
    for key in search(tally, 20, lambda: tally.tried < RULESETS, strategies(large=False)):
        finding, files = tally.findings[key]
        pytest.fail(f"{finding.words}\n" + "\n".join(files.values()))
    assert tally.fine >= tally.tried // 4
    assert tally.decisions > 10 * tally.fine


def test_untrusted_input_is_taken_or_refused_in_words(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RULEFORGE_CACHE", "")
    tally = Tally()
    found = at_the_interfaces(tally, 20, lambda: tally.sent < SENT)
    assert [tally.findings[key][0].words for key in found] == []
    assert tally.sent == SENT


def test_rulesets_made_of_secrets_keep_them(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RULEFORGE_CACHE", "")
    tally = Tally()
    found = for_secret_rulesets(tally, 20, lambda: tally.veiled < VEILED)
    assert [tally.findings[key][0].words for key in found] == []
    assert tally.veiled == VEILED

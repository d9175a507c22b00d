"""What authors say about names reaches the players."""

from __future__ import annotations

import ruleforge


def test_words_about_things_actions_and_attributes():
    words = ruleforge.load("primordial-orbs").info.words
    assert any(entry.what == "core" and entry.text.startswith("Strength:") for entry in words["land"])
    assert words["meteor"][0].what == "type" and words["meteor"][0].text.startswith("Removes")
    (end_play,) = words["end_play"]
    assert end_play.what == "action"
    assert end_play.text == "End your play; the planets are checked and the turn is over."
    assert [(entry.what, entry.text) for entry in words["strikes"]] == [("of player", "Instability Strikes.")]
    assert words["slot"] == words["slots"]
    assert "vulnerability" in words and "ladder" not in words  # only formulas that are shown


def test_words_about_phases_and_what_is_printed_on_things():
    words = ruleforge.load("soul-gems").info.words
    assert [entry.title for entry in words["main_one"] if entry.what == "phase"] == ["Main Phase 1"]
    assert "value" in next(entry for entry in words["queen"] if entry.what == "form").facts

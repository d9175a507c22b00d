"""What authors say about names reaches the players."""

from __future__ import annotations

import ruleforge


def test_words_about_things_actions_and_attributes():
    words = ruleforge.load("primordial-orbs").info.words
    assert any(sentence.startswith("core land: Strength:") for sentence in words["land"])
    assert words["meteor"][0].startswith("type meteor: Removes")
    assert words["end_play"] == (
        "action end_play: End your play; the planets are checked and the turn is over.",
    )
    assert words["strikes"] == ("player strikes: Instability Strikes.",)
    assert words["slot"] == words["slots"]
    assert "vulnerability" in words and "ladder" not in words  # only formulas that are shown

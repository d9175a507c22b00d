"""Outcomes are shared between games that end alike, so nobody may change them."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from ruleforge.engine.outcome import Outcome, Scores

SCORES = Scores({"ann": 1, "ben": -1})


def test_scores_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        SCORES["ann"] = 2
    with pytest.raises(TypeError):
        SCORES.update(ann=2)
    assert SCORES == {"ann": 1, "ben": -1}


def test_scores_are_copied_kept_and_shown_like_a_dict() -> None:
    outcome = Outcome("line", ("ann",), SCORES)
    assert copy.deepcopy(outcome) == pickle.loads(pickle.dumps(outcome)) == outcome
    assert json.loads(json.dumps(outcome.scores)) == SCORES

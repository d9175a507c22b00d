"""Policies in seats, with a stand-in for the library that reads ONNX."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import ruleforge
from ruleforge import rl
from ruleforge.play.agents import is_agent, make_agent
from ruleforge.rl import policy_agent


class Graph:
    """Prefers the action with the greatest number; counts how often it is asked."""

    asked = 0
    size = 0  # of what it takes; 0: as it comes
    gives = 0

    def __init__(self, path: str, providers: list[str]) -> None:
        if path == "none.onnx":
            raise RuntimeError("no such file")

    def get_inputs(self) -> list[Any]:
        return [SimpleNamespace(name="observation", shape=["games", Graph.size])]

    def run(self, _: None, given: dict[str, Any]) -> list[Any]:
        Graph.asked += 1
        assert given["observation"].dtype == np.float32
        return [np.arange(Graph.gives, dtype=np.float32)[None]]


@pytest.fixture(autouse=True)
def onnxruntime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", SimpleNamespace(InferenceSession=Graph))
    monkeypatch.setattr(policy_agent, "find_spec", lambda name: name)
    Graph.asked = 0


def seated(game: str) -> tuple[ruleforge.State, rl.Space]:
    space = rl.space(game)
    Graph.size, Graph.gives = space.size, space.actions.count
    return ruleforge.load(game).start(seed=1), space


def test_the_best_legal_action_is_taken() -> None:
    state, _ = seated("connect-four")
    assert is_agent("policy:p.onnx", outside=True) and not is_agent("policy:p.onnx")
    assert make_agent("policy:p.onnx", 1, outside=True).choose(state).text == "drop g"


def test_a_choice_of_several_actions_is_completed() -> None:
    state, _ = seated("chess")
    choice = make_agent("policy:p.onnx", 1, outside=True).choose(state)
    assert choice in state.choices and Graph.asked > 1


@pytest.mark.parametrize(
    ("file", "size", "gives", "why"),
    [
        ("p.onnx", 5, 7, "takes 5 numbers"),
        ("p.onnx", 0, 5, "gives 5 numbers"),
        ("none.onnx", 0, 7, "no such file"),
    ],
)
def test_a_policy_that_does_not_fit_is_refused(file: str, size: int, gives: int, why: str) -> None:
    state, space = seated("connect-four")
    Graph.size, Graph.gives = size or space.size, gives
    with pytest.raises(ruleforge.PlayError, match=why):
        make_agent(f"policy:{file}", 1, outside=True).choose(state)

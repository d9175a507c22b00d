"""Agents answer in time also where machine code cannot be run: the searching one searches in Python."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

GAMES = ("orbit-simulator", "primordial-orbs", "primordial-soup", "soul-gems", "splicers")
BUDGET, SLACK = 0.2, 0.4  # seconds of its own; a single simulation may begin at the end of the budget
CHOICES = 3

SCRIPT = """
import json, sys, time
sys.modules["wasmtime"] = None  # as if it were not installed
import ruleforge
from ruleforge.engine.search import can_search
from ruleforge.play.agents import make_agent

state = ruleforge.load(sys.argv[1]).start(seed=1)
agent, spent = make_agent(f"mcts:{sys.argv[2]}s", 1), []
while state.decision is not None and len(spent) < int(sys.argv[3]):
    start, several = time.process_time(), len(state.choices) > 1
    choice = agent.choose(state)
    spent += [time.process_time() - start] if several else []
    state.apply(choice)
print(json.dumps({"native": can_search(state), "spent": spent, "simulated": agent.simulated}))
"""


@pytest.mark.parametrize("name", GAMES)
def test_the_searching_agent_answers_in_time(name: str) -> None:
    command = [sys.executable, "-c", SCRIPT, name, str(BUDGET), str(CHOICES)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert not found["native"]
    assert len(found["spent"]) == CHOICES
    assert found["simulated"] >= 1
    assert max(found["spent"]) < BUDGET + SLACK

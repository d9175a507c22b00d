"""States cross process borders: saved here, restored and played on there, the same digests come out."""

from __future__ import annotations

import json
import random
import subprocess
import sys

import pytest

from tests.property.lines import RULESETS, game_of

PLAY_ON = """
import json, sys, ruleforge
task = json.load(sys.stdin)
game = ruleforge.load(task["rules"])
for saved, choice in task["positions"]:
    state = game.restore(saved)
    found = [state.digest, [str(c) for c in state.choices]]
    state.apply(choice)
    print(json.dumps([*found, state.digest]))
"""


@pytest.mark.parametrize("name", RULESETS)
def test_a_state_goes_on_in_a_new_process(name: str) -> None:
    rng = random.Random(name)
    state = game_of(name).start(seed=11)
    positions, expected = [], []
    for _ in range(30):
        if not state.choices:
            break
        choice = rng.choice(state.choices)
        before = [state.digest, [str(c) for c in state.choices]]
        positions.append((state.save(), str(choice)))
        state.apply(choice)
        expected.append([*before, state.digest])
    task = json.dumps({"rules": name, "positions": positions})
    done = subprocess.run(
        [sys.executable, "-c", PLAY_ON], input=task, capture_output=True, text=True, timeout=120, check=True
    )
    assert [json.loads(line) for line in done.stdout.splitlines()] == expected

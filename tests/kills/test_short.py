"""A few of the kills that `make kills` makes by the hundred."""

from __future__ import annotations

import subprocess
import sys


def test_programs_that_are_ended_by_force_lose_nothing():
    command = [sys.executable, "-m", "tests.kills", "--kills", "12", "--seed", "3", "--games", "tic-tac-toe"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("0 faults\n")

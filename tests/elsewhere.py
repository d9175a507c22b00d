"""A process that knows nothing of this one: saved positions and a choice in each -> what comes of them there."""

from __future__ import annotations

import json
import subprocess
import sys
from types import TracebackType

_PLAY_ON = """
import json, sys, ruleforge
for line in sys.stdin:
    task = json.loads(line)
    game, found = ruleforge.load(task["rules"]), []
    for saved, choice in task["positions"]:
        state = game.restore(saved)
        before = [state.digest, [str(c) for c in state.choices]]
        state.apply(choice)
        found.append([*before, state.digest])
    print(json.dumps(found), flush=True)
"""


class Elsewhere:
    """Started once and given one game after the other: what it loads it has never seen."""

    def __enter__(self) -> Elsewhere:
        command = [sys.executable, "-c", _PLAY_ON]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.__exit__(kind, error, trace)

    def played(self, rules: str, positions: list[tuple[str, str]]) -> list[object]:
        """Of each position the digest, the choices, and the digest after the choice."""
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps({"rules": rules, "positions": positions}), file=self._process.stdin, flush=True)
        found: list[object] = json.loads(self._process.stdout.readline())
        return found

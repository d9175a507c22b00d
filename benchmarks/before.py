"""The agent `mcts` of an older checkout, run on its own modules: a line with seconds in, a line with its rate out.

    PYTHONPATH=CHECKOUT python -P benchmarks/before.py CHECKOUT/rulesets/splicers '{}' 4

It knows only what has been in RuleForge for long. Before the search had a clock or a cut it played every game to its
end, so it is stopped from outside, and what it had done by then counts; some games never ended, and some rows broke it.
"""

from __future__ import annotations

import itertools
import json
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import ruleforge
from ruleforge.play.agents.mcts import MctsAgent

ENDLESS = 10**9


class Late(BaseException):
    """The time is over."""


class Counted(MctsAgent):
    """Keeps the root of its tree, which knows how many simulations came to an end."""

    root: Any = None

    def _simulate(self, root: Any, state: Any) -> None:
        self.root = root
        super()._simulate(root, state)


def positions(path: str, options: dict[str, Any]) -> Iterator[Any]:
    """As those of `searching.py`."""
    game, rng = ruleforge.load(path), Random(1)
    state = game.start(seed=1, options=options)
    while True:
        for _ in range(7):
            if state.outcome is not None:
                state = game.start(seed=rng.randrange(999), options=options)
            state.apply(rng.choice(state.choices))
        if len(state.choices) > 1:
            yield state.copy()


def rate(state: Any, seconds: float) -> float:
    """Simulations a second of work; where a world that it imagined broke it, of the work until then."""
    agent = Counted(1, simulations=ENDLESS)
    begin = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    with suppress(Late, Exception):
        agent.choose(state)
    signal.setitimer(signal.ITIMER_PROF, 0)
    spent = time.process_time() - begin
    return (agent.root.visits if agent.root else 0) / spent


def _late(*_: object) -> None:
    raise Late


def main() -> None:
    path, options, count = sys.argv[1:]
    signal.signal(signal.SIGPROF, _late)
    states = list(itertools.islice(positions(path, json.loads(options)), int(count)))
    for state in (states[0], *states):  # the first is asked for twice: before it nothing is compiled
        seconds = float(sys.stdin.readline())
        print(rate(state, seconds), flush=True)


if __name__ == "__main__":
    main()

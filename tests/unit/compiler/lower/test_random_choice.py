"""Drawing a choice without listing: a code passes the test exactly if it is on the list, so all are equally likely."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import ruleforge
from ruleforge.backends.reference import Interpreter
from ruleforge.compiler import ir
from ruleforge.support.resources import shipped_games
from tests.inside import variant_of, vector_of
from tests.shelf import game as shelved

TRAY = """\
game: {id: tray, title: Tray, version: "1", text: Marbles on a tray., players: 2}
kinds:
  player: {things: [ann, ben], has: {marbles: 0..9 = 5}}
  hole: {count: 8, has: {filled: 0..3, whose: player or none}}
  game: {has: {turns: 0..40}}
flow:
  - phase: turn
    repeat: true
    each: me in players
    window: WINDOW
    holds: sum(h.filled for h in holes) <= 9
    end: |
      game.turns += 1
      if game.turns >= 40: finish late
actions:
  drop:
    during: turn
    joined: true
    choose:
      h: in holes where h.whose is not opponent
      amount: in 1..min(3 - h.filled, me.marbles)
    do: |
      h.filled += amount
      h.whose = me
      me.marbles -= amount
  lift:
    during: turn
    choose: {h: in holes where h.whose is me, other: in holes where other.whose is opponent}
    needs: other.filled <= h.filled
    do: |
      me.marbles += h.filled - other.filled
      h.filled = other.filled
  follow:
    during: turn
    choose: {h: in first(x in holes where x.whose is opponent)}
    do: h.filled = 0
  wait: {during: turn, do: skip}
endings: {late: {text: It is late.}}
"""


@pytest.fixture(params=["one", "maybe"])
def tray(request: pytest.FixtureRequest, tmp_path: Path) -> ruleforge.Game:
    (tmp_path / "tray.yaml").write_text(TRAY.replace("WINDOW", request.param), "utf-8")
    return ruleforge.load(tmp_path / "tray.yaml", backend="reference")


def fitting(state: ruleforge.State) -> tuple[list[int], list[int]] | None:
    """The codes that the sampler of the waiting site lets pass, and those on the list; None: it draws otherwise."""
    runtime = variant_of(state).runtime
    assert isinstance(runtime, Interpreter)
    run = runtime.run(list(vector_of(state)))
    site, arguments = run.site_arguments()
    sampler = site.sampler
    if sampler is None or sampler.code != ir.Local(sampler.names[0]):
        return None
    (draw,) = sampler.draws
    assert isinstance(draw, ir.DrawRange)
    passed = []
    for code in range(draw.low, draw.high + 1):
        run.locals = {**arguments, sampler.names[0]: code}
        if run.value(sampler.test):
            passed.append(code)
    return passed, sorted(variant_of(state).runtime.codes(vector_of(state)))


def line(state: ruleforge.State, steps: int, seed: int) -> Iterator[ruleforge.State]:
    rng = random.Random(seed)
    for _ in range(steps):
        if not state.choices:
            return
        yield state
        state.apply(rng.choice(state.choices))


def test_what_passes_is_what_is_listed(tray: ruleforge.Game) -> None:
    seen = 0
    for seed in range(4):
        for state in line(tray.start(), 60, seed):
            both = fitting(state)
            if both is not None:
                seen += 1
                assert both[0] == both[1]
    assert seen > 100


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_in_shipped_games_too(name: str) -> None:
    steps = 3 if name == "quoridor" else 12  # every wall is tried by the interpreter
    for state in line(shelved(name, backend="reference").start(seed=4), steps, 4):
        both = fitting(state)
        assert both is None or both[0] == both[1]

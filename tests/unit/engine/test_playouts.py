"""Many random games from a state, as one result."""

from __future__ import annotations

import signal
import time

import pytest

import ruleforge


@pytest.mark.parametrize("name", ["nim", "kuhn-poker", "tic-tac-toe"])
def test_the_result_is_the_same_on_every_backend(name: str) -> None:
    results = []
    for backend in ("python", "native", "reference"):
        game = ruleforge.load(name, backend=backend)
        results.append(game.playouts(game.start(seed=2), games=60, seed=7))
    assert results[0] == results[1] == results[2]


def test_a_result_adds_up() -> None:
    game = ruleforge.load("tic-tac-toe", backend="native")
    state = game.start()
    result = game.playouts(state, games=500, seed=1)
    assert result.games == result.finished == sum(result.endings.values()) == 500
    assert sum(result.winners.values()) + result.draws == 500
    assert result.scores["cross"] == result.winners["cross"] - result.winners["nought"]
    assert set(result.lengths) <= set(range(5, 10))
    assert result.decisions == sum(length * games for length, games in result.lengths.items())
    assert state == game.start(), "the state stays as it is"
    with pytest.raises(TypeError):
        result.endings["line"] = 0  # type: ignore[index]


def test_games_can_be_cut_short_and_begin_anywhere() -> None:
    game = ruleforge.load("tic-tac-toe", backend="native")
    state = game.start()
    assert game.playouts(state, games=10, most=3).cut == 10
    while state.choices:
        state.apply(state.choices[0])
    over = game.playouts(state, games=10)
    assert (over.lengths, over.cut) == ({0: 10}, 0)
    assert over.endings == {state.outcome.reason: 10}  # type: ignore[union-attr]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that interrupts")
def test_a_long_run_can_be_interrupted() -> None:
    game = ruleforge.load("connect-four", backend="native")
    state = game.start()
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    began = time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2, 2.0)  # again: where garbage is collected, one may be lost
        with pytest.raises(KeyboardInterrupt):
            game.playouts(state, games=10**9)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - began < 20, "slices are short; a busy machine stretches them"
    assert game.playouts(state, games=5).games == 5

"""What playouts measure: the same in machine code as counted from the events that the others record."""

from __future__ import annotations

from collections import Counter

import pytest

import ruleforge
from ruleforge.engine.playouts import Plan
from tests.differential.test_native import RULESETS
from tests.shelf import game as shelved


def everything(game: ruleforge.Game) -> tuple[str, ...]:
    """Every event, action and rule, and some values."""
    program = game.variant(game.compiled.setup()).program
    notes = {note.name for note in program.notes if note.name.split()[0] in ("event", "action", "rule")}
    formulas = [f"{f.name}()" for f in program.formulas if not f.kinds]
    return (*sorted(notes)[:40], *formulas, "active", "count(p in players) * 2")


@pytest.mark.parametrize("rules", RULESETS)
def test_measures_agree(rules: str) -> None:
    asked = everything(shelved(rules))
    python, native = (shelved(rules, backend=backend) for backend in ("python", "native"))
    found = _together(python, asked)
    assert found == _together(native, asked)
    assert found[1] == _together(native, ())[1], "measuring changes nothing"


def _together(
    game: ruleforge.Game, asked: tuple[str, ...]
) -> tuple[dict[str, Counter[object]], Counter[int]]:
    """By text how often each value came, and the lengths of the games."""
    measured: dict[str, Counter[object]] = {text: Counter() for text in asked}
    lengths: Counter[int] = Counter()
    for part in game.simulated(Plan(5, 0, 3, 80), measure=asked):
        lengths.update(part.lengths)
        for text in asked:
            measured[text].update(part.measured[text])
    return measured, lengths


def test_what_is_counted() -> None:
    """Against a count by hand, of games that are played step by step."""
    game = ruleforge.load("connect-four", backend="native")
    result = game.playouts(
        game.start(), games=50, seed=1, measure=["drop", "count(x in cells where x.disc is red)"]
    )
    assert dict(result.measured["drop"]) == dict(result.lengths)
    discs = result.measured["count(x in cells where x.disc is red)"]
    assert sum(discs.values()) == 50
    assert sum(n * games for n, games in discs.items() if isinstance(n, int)) == sum(
        (n + 1) // 2 * games for n, games in result.lengths.items()
    )


def test_from_a_position_in_the_midst() -> None:
    """Rows of a game fit the program that measures it, word for word."""
    for name in ("splicers", "primordial-soup"):
        game = shelved(name)
        state = game.start(seed=4)
        for _ in range(9):
            state.apply(state.choices[-1])
        measured = game.playouts(state, games=3, seed=2, most=100, measure=["active"])
        assert measured.lengths == game.playouts(state, games=3, seed=2, most=100).lengths


def test_what_cannot_be_measured() -> None:
    game = ruleforge.load("connect-four")
    state = game.start()
    with pytest.raises(ruleforge.PathError) as refused:
        game.playouts(state, games=1, measure=["cells"])
    assert refused.value.code == "RF848"
    with pytest.raises(ruleforge.PathError):
        game.playouts(state, games=1, measure=["nothing_of_this_name"])

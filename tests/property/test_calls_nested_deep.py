"""However deep definitions call one another: rules that are called fine run on every backend, others are refused."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

import ruleforge
from ruleforge.backends import native
from tests.unit.small_games import rules_file

BACKENDS = ("python", "reference") if native.missing() else ("python", "native", "reference")
GAME = """\
game: {id: deep, title: Deep, version: "1.0", text: Deep., players: 2}
kinds:
  player: {things: [ann, ben]}
  game: {has: {total: 0..99}}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  act: {during: turn, do: "EFFECT"}
"""
NESTED = "(" * 45 + "@" + " + 1)" * 45


def section(name: str, count: int, first: str, other: str) -> str:
    lines = [first, *(other.replace("@", str(n)).replace("#", str(n - 1)) for n in range(1, count))]
    return f"{name}:\n" + "".join(f"  {line}\n" for line in lines)


def formulas(count: int) -> tuple[str, str]:
    return section(
        "formulas", count, "f0: {is: game.total}", "f@: {is: f#() + 1}"
    ), f"game.total = f{count - 1}() % 9"


def formulas_of_conditions(count: int) -> tuple[str, str]:
    text = section("formulas", count, "f0: {is: game.total}", "f@: {is: (f#() if game.total > 1 else 2) % 9}")
    return text, f"game.total = f{count - 1}() % 9"


def below_a_deep_text(count: int) -> tuple[str, str]:
    text = section("formulas", count, "f0: {is: game.total}", "f@: {is: f#() + 1}")
    return text, f"game.total = {NESTED.replace('@', f'f{count - 1}()')} % 9"


def events(count: int) -> tuple[str, str]:
    return section("events", count, "e0: {do: game.total = 1}", "e@: {do: e#()}"), f"e{count - 1}()"


def conditions(count: int) -> tuple[str, str]:
    text = section("events", count, "e0: {do: game.total = 1}", "e@: {do: 'if game.total < 7: e#()'}")
    return text, f"e{count - 1}()"


def needs(count: int) -> tuple[str, str]:
    text = section("events", count, "e0: {do: game.total = 1}", "e@: {needs: can(e#()), do: game.total = 1}")
    return text, f"if can(e{count - 1}()): game.total = 2"


def replacements(count: int) -> tuple[str, str]:
    text = section("events", count, "e0: {do: game.total = 1}", "e@: {do: game.total = 2}")
    return text + section(
        "rules", count, "r0: {after: e0(), do: skip}", "r@: {instead of: e@(), do: e#()}"
    ), f"e{count - 1}()"


def modifiers(count: int) -> tuple[str, str]:
    text = section("formulas", count, "f0: {is: 1, open: true}", "f@: {is: 1, open: true, clamp: 0..9}")
    return text + section(
        "rules", count, "r0: {modify: f0(), add: 0}", "r@: {modify: f@(), add: f#()}"
    ), f"game.total = f{count - 1}() % 9"


SHAPES = (
    formulas, formulas_of_conditions, below_a_deep_text, events, conditions, needs, replacements, modifiers,
)  # fmt: skip


def text_of(shape: Callable[[int], tuple[str, str]], count: int) -> str:
    more, effect = shape(count)
    return GAME.replace("EFFECT", effect) + more


def codes(text: str) -> set[str]:
    return {d.code for d in ruleforge.analyse(rules_file(text)).diagnostics if d.severity == "error"}


def deepest(shape: Callable[[int], tuple[str, str]]) -> int:
    """The largest chain that is called fine."""
    fine, refused = 2, 200
    while refused - fine > 1:
        middle = (fine + refused) // 2
        fine, refused = (middle, refused) if not codes(text_of(shape, middle)) else (fine, middle)
    return fine


def played(text: str, backend: str) -> list[object]:
    state = ruleforge.load(rules_file(text), backend=backend).start(seed=1)
    for _ in range(2):
        state.apply(state.choices[0])
    return [state["game.total"], state.why_not("act"), state.evaluate("game.total + 1")]


def played_below(frames: int, text: str, backend: str) -> list[object]:
    """Played where the caller has already gone down so many frames."""
    return played_below(frames - 1, text, backend) if frames else played(text, backend)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_calls_that_are_called_fine_run_everywhere(shape):
    assert sys.getrecursionlimit() <= 1000
    count = deepest(shape)
    assert count >= 20
    text = text_of(shape, count)
    first = played(text, BACKENDS[0])
    for backend in BACKENDS:
        assert played_below(50, text, backend) == first
    assert codes(text_of(shape, count + 1)) == codes(text_of(shape, 2000)) == {"RF409"}


@pytest.mark.parametrize("shape", [formulas, events])
def test_callers_may_stand_before_what_they_call(shape):
    head, *definitions = shape(2000)[0].splitlines()
    text = "\n".join([head, *reversed(definitions)])
    assert codes(GAME.replace("EFFECT", shape(2000)[1]) + text + "\n") == {"RF409"}

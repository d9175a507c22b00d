"""Paths that a backend may keep are those that a search gives: over cells and across edges, from anywhere."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import ruleforge
from ruleforge.compiler import ir
from ruleforge.compiler.visit import found_in, statements
from tests.inside import variant_of

SQUARE = "grid: {shape: square, columns: 3, rows: 3"
BOARDS = {  # how it is made, and a goal of one cell and of two
    "squares": (f"{SQUARE}}}", "a1", "c3, b3"),
    "orthogonal": (f"{SQUARE}, neighbours: orthogonal}}", "a1", "c3, b3"),
    "diagonal": (f"{SQUARE}, neighbours: diagonal}}", "a1", "c3, b3"),
    "hexagons": ("grid: {shape: hex, columns: 3, rows: 3}", "a1", "c3, b3"),
    "levels": ("grid: {shape: square, columns: 2, rows: 2, levels: 2}", "a1_1", "b2_2, a2_2"),
    "rings": ("rings: [2, 4]", "r1s0", "r2s3, r2s2"),
    "links": (
        "graph: {links: {ash: [bay, elm], bay: [elm, fir], elm: [fir], fir: [oak], oak: [yew]}}",
        "ash",
        "oak, yew",
    ),
    "one way": (
        "graph: {links: {ash: [bay, elm], bay: [fir], elm: [bay], fir: [ash, oak], oak: [yew]}, one_way: true}",
        "ash",
        "oak, yew",
    ),
    "track": ("track: {yard: {length: 5, loop: true}, shed: {length: 2, from: yard_2}}", "yard_1", "shed_2"),
}
QUESTIONS = {
    "over": "x in cells where x.disc is p",
    "open": "x in cells across w in walls where not w.built",
    "shut": "x in cells across w in walls where w.built",
    "own": "x in cells across w in walls where w.owner is p",
}
GAME = """\
game: {id: paths, title: Paths, version: "1.0", text: Ways., players: 2}
kinds:
  player:
    facts: {goal: set of cell}
    things: {ann: {goal: [ONE]}, ben: {goal: [TWO]}}
  cell: {BOARD, has: {disc: player or none}}
  wall: {edges: cell, has: {built: flag, owner: player or none}}
formulas:
FORMULAS
flow:
  - {phase: turn, repeat: true, each: me in players, window: one, stuck: finish over}
actions:
  put: {during: turn, choose: {c: in cells where c.disc is not me}, do: c.disc = me}
  lift: {during: turn, choose: {c: in cells where c.disc is not none}, do: c.disc = none}
  take: {during: turn, choose: {w: in walls where w.owner is not me}, do: w.owner = me; w.built = not w.built}
endings: {over: {text: It is over.}}
"""


def game(board: str, tmp_path: Path, backend: str) -> ruleforge.Game:
    """Each question twice: once in a form that can be kept, once with a condition that is always true."""
    made, one, two = BOARDS[board]
    formulas = []
    for name, path in QUESTIONS.items():
        ever = f" and number({'w' if 'across' in path else 'x'}) < 99"
        for form, more in ((name, ""), (f"{name}_walked", ever)):
            asked = f"linked([c], p.goal, {path}{more})"
            formulas.append(f'  {form}: {{takes: {{c: cell, p: player}}, is: "{asked}"}}')
    text = GAME.replace("ONE", one).replace("TWO", two).replace("BOARD", made)
    file = tmp_path / "paths.yaml"
    file.write_text(text.replace("FORMULAS", "\n".join(formulas)), "utf-8")
    return ruleforge.load(file, backend=backend)


def kept(playing: ruleforge.State) -> int:
    """How many questions are ones that a backend may keep."""
    functions = variant_of(playing).program.functions.values()
    wanted = frozenset((ir.Connected,))
    return sum(any(found_in(s, wanted) for s in statements(f.body)) for f in functions)


@pytest.mark.parametrize("backend", ["reference", "python", "native"])
@pytest.mark.parametrize("board", BOARDS)
def test_kept_ways_are_those_that_are_walked(board: str, backend: str, tmp_path: Path) -> None:
    state = game(board, tmp_path, backend).start(seed=1)
    rng, answers = random.Random(7), set()
    cells = [path.split(".")[0] for path in state.paths() if path.endswith(".disc")]
    for _ in range(10):
        for _ in range(4):
            state.apply(rng.choice(state.choices))
        for question in QUESTIONS:
            for asked in (f"({c}, {p})" for c in cells for p in ("ann", "ben")):
                answer = state[question + asked]
                assert answer == state[f"{question}_walked{asked}"], f"{question}{asked}"
                answers.add((question, answer))
    assert {answer for question, answer in answers if question != "over"} == {True, False}


@pytest.mark.parametrize("board", BOARDS)
def test_what_can_be_kept_is_not_walked(board: str, tmp_path: Path) -> None:
    """Across edges, where all of them can be crossed both ways."""
    state = game(board, tmp_path, "reference").start(seed=1)
    assert kept(state) == (1 if board == "one way" else len(QUESTIONS))

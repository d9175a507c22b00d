"""What does not ask for an order is walked as it comes, and once: `any` stops at the first cell, sets have all words."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import ruleforge
from ruleforge.compiler import ir
from ruleforge.compiler.visit import statements

PATCHES = """
game: {id: patches, title: Patches, version: "1", players: 2}
kinds:
  player: {things: [ann, ben], has: {points: 0..99}}
  cell:
    grid: {shape: square, columns: 7, rows: 7, neighbours: orthogonal}
    has: {owner: player or none, marked: flag}
  game: {has: {turns: 0..60, kept: set of cell}}
positions:
  board: {text: Who owns what., of: [cell.owner], keeps: 9}
formulas:
  patch: {takes: {c: cell}, is: "reached([c], x in cells where x.owner is c.owner)"}
  touches: {takes: {c: cell}, is: any(x in patch(c) where any(f in neighbours(x) where f.owner is none))}
  all_old: {takes: {c: cell}, is: all(x.marked for x in patch(c))}
  size: {takes: {c: cell}, is: count(x in patch(c))}
flow:
  - phase: turn
    repeat: true
    each: me in players
    window: one
    end: |
      game.turns += 1
      if game.turns is 48: finish done
actions:
  take:
    during: turn
    choose: {c: in cells where c.owner is none}
    do: |
      c.owner = me
      let own = {x in patch(c) where not x.marked}
      for x in own: x.marked = true
      game.kept = patch(c) - own
      if repeats(board) < 2: remember board
      if game.turns % 7 is 6: forget board
endings: {done: {text: All is taken.}}
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "patches.yaml"
    path.write_text(PATCHES)
    return path


def test_all_words_of_a_set_come_from_one_walk(rules: Path) -> None:
    game = ruleforge.load(rules)
    program = game.compiled.program(game.compiled.setup())
    assert [name for name in program.functions if name.startswith("packed")] == []
    (take,) = (f for name, f in program.functions.items() if name == "action take")
    assert sum(isinstance(s, ir.While) for s in statements(take.body)) == 2  # one for each set that is made


def test_any_looks_at_a_cell_before_it_goes_on_from_it(rules: Path) -> None:
    game = ruleforge.load(rules)
    functions = game.compiled.program(game.compiled.setup()).functions
    walks = [s for f in functions.values() if f.name.startswith("any") for s in statements(f.body)]
    (walk,) = (s for s in walks if isinstance(s, ir.While))
    kinds = [type(s) for s in walk.body]
    assert kinds.index(ir.If) < kinds.index(ir.Each)


@pytest.mark.parametrize("backend", ["python", "native"])
def test_what_comes_out_is_what_comes_out_of_plain_walks(rules: Path, backend: str) -> None:
    fast, plain = ruleforge.load(rules, backend=backend), ruleforge.load(rules, backend="reference")
    rng = random.Random(1)
    ours, theirs = fast.start(), plain.start()
    while ours.outcome is None:
        cell = rng.choice(ours.choices).arguments[0]
        ours.apply(f"take {cell}")
        theirs.apply(f"take {cell}")
        assert ours.save() == theirs.save()
        patch = _patch(theirs, cell)
        assert ours[f"size({cell})"] == len(patch)
        free = [n for x in patch for n in _near(theirs, x) if theirs[f"{n}.owner"] is None]
        assert ours[f"touches({cell})"] == bool(free)
        assert ours[f"all_old({cell})"] is True


def _patch(state: ruleforge.State, cell: str) -> set[str]:
    """The same by Python."""
    found = [cell]
    for here in found:  # which grows meanwhile
        own = state[f"{cell}.owner"]
        found += [n for n in _near(state, here) if n not in found and state[f"{n}.owner"] == own]
    return set(found)


def _near(state: ruleforge.State, cell: str) -> list[str]:
    near = state.evaluate(f"neighbours({cell})")
    assert isinstance(near, list)
    return [str(name) for name in near]

"""Sets: each is walked once and in any order if none is asked for, and every backend finds the same members."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import ruleforge
from ruleforge.compiler import ir
from ruleforge.compiler.visit import statements
from tests.inside import variant_of
from tests.unit.small_games import rules_file

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


# What lies in any of several sets: gathered by walking each of them once, the same things on every backend.

BOARD = """
game: {id: rays, title: Rays, version: "1.0", players: 2}
kinds:
  player: {things: [ann, ben], has: {ways: set of direction}}
  cell: {grid: {shape: square, columns: 6, rows: 6}, has: {stone: flag}}
  token: {pool: 4, has: {at: cell}}
formulas:
  run: {takes: {c: cell, d: direction}, is: "{x in ray(c, d) until x.stone}"}
  seen: {takes: {c: cell}, is: "{run(c, d) for d in ann.ways where d is not west}"}
  asked:
    takes: {c: cell}
    is: "{x in cells where any(d in ann.ways where d is not west and x in run(c, d) and number(x) > 0)}"
  round_about: {takes: {c: cell}, is: "{step(c, d) for d in directions}"}
setup: ann.ways = [north, east, southwest, west]
flow:
  - {phase: turn, repeat: true, each: me in players, window: one, stuck: finish over}
actions:
  put: {during: turn, choose: {c: in cells where not c.stone}, do: "c.stone = true; let t = new token(at = c)"}
  look: {during: turn, choose: {c: "in {t.at for t in tokens}", x: in seen(c)}, do: finish over}
endings: {over: {text: Over.}}
"""


@pytest.mark.parametrize("backend", ["reference", "python", "native"])
def test_gathered_and_asked_for_one_by_one_are_the_same(backend):
    state = ruleforge.load(rules_file(BOARD), backend=backend).start(seed=1)
    for stone in ("b2", "d4", "c3", "e1"):
        for cell in ("a1", "c3", "f6", "d4"):
            assert state.evaluate(f"seen({cell})") == state.evaluate(f"asked({cell})")
        assert state.evaluate("round_about(a1)") == ["b1", "a2", "b2"]
        looks = [c.text for c in state.choices if c.action == "look"]
        assert bool(looks) is (stone != "b2")
        state.apply(f"put {stone}")
    assert [c.text for c in state.choices if c.action == "look"] == [
        "look e1", "look b2", "look c3", "look d4",
    ]  # fmt: skip


def test_a_set_is_walked_once_and_not_asked_of_every_thing():
    state = ruleforge.load(rules_file(BOARD), backend="reference").start(seed=1)
    functions = variant_of(state).program.functions
    names = [name for name in functions if name.startswith("choices of turn")]
    assert names and all("gathered" in repr(functions[name].body) for name in names)


# A union of rays: each cell once, whether or not the compiler can tell that the rays never meet.

GAME = """\
game: {id: rays, title: Rays, version: "1.0", text: Looking., players: 2}
kinds:
  player:
    things: [ann, ben]
  cell:
    grid: {shape: square, columns: 8, rows: 8, leaps: {diag: [1, 1], hop: [2, 2]}}
formulas:
  look: {takes: {c: cell, way: direction}, is: "{x in ray(c, way)}"}
  cross: {takes: {c: cell, wide: flag}, is: "look(c, north) | (look(c, east) if wide else [])"}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  apart: {during: turn, choose: {x: "in cross(a1, true)"}, do: finish over}
  joined: {during: turn, choose: {x: "in look(a1, northeast) | look(a1, diag)"}, do: finish over}
  partly: {during: turn, choose: {x: "in look(a1, diag) | look(a1, hop)"}, do: finish over}
  elsewhere: {during: turn, choose: {x: "in look(a1, north) | look(h4, west)"}, do: finish over}
endings: {over: {text: It is over.}}
"""


@pytest.mark.parametrize("backend", ["python", "reference"])
def test_no_cell_is_offered_twice(tmp_path, backend):
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    state = ruleforge.load(tmp_path, backend=backend).start(seed=1)
    texts = [choice.text for choice in state.choices]
    assert len(set(texts)) == len(texts)
    counts = {word: sum(text.startswith(word) for text in texts) for word in ("apart", "joined", "partly")}
    assert counts == {"apart": 14, "joined": 7, "partly": 7}
    assert sum(text.startswith("elsewhere") for text in texts) == 7 + 7 - 1


# A set that a formula names by `let` is worked out once, however often it is asked about.

RULES = """
game: {id: hands, title: Hands, version: "1", text: x, players: 2}
kinds:
  player: {things: [ann, ben]}
  card: {product: {pip: 1..40}}
places:
  deck: {holds: card, starts: cards}
  hand: {of: {holder: player}, holds: card}
setup: |
  for c in deck: move c to ann.hand
formulas:
  worth:
    takes: {p: player}
    let:
      mine: "{c in p.hand where c.pip % 2 is 0}"
      high: "{c in mine where count(d in mine where d.pip > c.pip) < 3}"
      top: "{c in high where count(d in high where d.pip > c.pip) < 2}"
    is: count(c in top) + sum(c.pip for c in high where count(d in top where d.pip >= c.pip) > 0)
    sees: true
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  ask: {during: turn, do: "if worth(me) >= 0: finish over for me"}
endings: {over: {text: It is over.}}
"""


@pytest.mark.parametrize("backend", ["python", "reference", "native"])
def test_nested_sets_are_worked_out_once(backend):
    """In place of each use they would take some millions of steps."""
    game = ruleforge.load(rules_file(RULES), backend=backend, ceilings=ruleforge.Ceilings(work=60_000))
    state = game.start(seed=1)
    assert state["worth(ann)"] == 2 + 40 + 38 + 36
    state.apply("ask")
    assert state.outcome is not None


# Sets that follow from things and facts alone are worked out beforehand; they are what they would be otherwise.

SETS = (
    "[step($, north), step($, east), step($, north)]",
    "[step($, south), $, step($, northeast), step($, south)]",
    "[step($, north), step($, south), step($, west) if $.row > 2 else none]",
)


@pytest.fixture(scope="module")
def state() -> ruleforge.State:
    return ruleforge.load("breakthrough").start()


@pytest.mark.parametrize("written", SETS)
def test_members_are_the_same_for_a_variable_and_for_each_thing(state: ruleforge.State, written: str) -> None:
    for cell in ("a1", "h8", "d4", "a5"):
        fixed, open_ = written.replace("$", cell), written.replace("$", "x")
        members = state.evaluate(f"{{m in {fixed}}}")
        assert members == state.evaluate(
            f"{{m in cells where any(x in cells where x is {cell} and m in {open_})}}"
        )
        counted = f"sum(count(m in {open_}) for x in cells where x is {cell})"
        assert state.evaluate(counted) == len(members)  # type: ignore[arg-type]


def test_nothing_is_sorted_in_play() -> None:
    """The leaps of a knight are a relation: lists that are sorted have arrays of keys."""
    program = ruleforge.load("chess").compiled
    functions = program.program(program.setup()).functions
    attack = next(f for name, f in functions.items() if name.startswith("any_") and "enemy" in f.parameters)
    assert not any(isinstance(s, ir.NewArray) for s in statements(attack.body))

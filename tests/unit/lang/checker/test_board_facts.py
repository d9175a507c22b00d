"""What is said of some things that a board makes: by name, whatever the board; the others have what the fact says."""

from __future__ import annotations

import pytest

import ruleforge
from ruleforge import RulesetError

GAME = """
game: {id: printed, title: Printed, version: "1", players: 2}
kinds:
  player: {things: [ann, ben]}
  soil: {things: [meadow, bog, hill]}
  cell: {grid: {shape: square, columns: 2, rows: 2}}
  board:
    BOARD
    facts: {soil: SOIL, depth: 0..9, price: 0..9 per soil}
    things:
      LAST: {soil: hill, depth: 3, price: {bog: 2}, title: The last}
      FIRST: {soil: bog, rules: {wake: {after: start of turn, do: game.woken += 1}}}
  game: {has: {woken: 0..99}}
formulas:
  soil_of: {takes: {b: board}, is: b.soil}
  depth_of: {takes: {b: board}, is: b.depth}
  price_of: {takes: {b: board, s: soil}, is: "b.price[s]"}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  wait: {during: turn, do: skip}
  stop: {during: turn, do: finish over}
endings: {over: {text: It is over.}}
"""

BOARDS = {
    "grid: {shape: hex, columns: 2, rows: 3}": ("a1", "b3", "b1"),
    "rings: [2, 4]": ("r1s0", "r2s3", "r2s0"),
    "graph: {links: {aber: [bree, cold], cold: [dale]}}": ("aber", "dale", "cold"),
    "track: {yard: {length: 3, loop: true}, shed: {length: 2, from: yard_3}}": ("yard_1", "shed_2", "yard_2"),
    "edges: cell": ("a1_b1", "a2_b2", "a1_a2"),
    "corners: cell": ("a1_southeast", "b2_northeast", "a1_northwest"),
}


def written(tmp_path, board: str, soil: str = "soil = meadow", last: str = "") -> str:
    first, end, _ = BOARDS[board]
    text = GAME.replace("BOARD", board).replace("SOIL", soil)
    path = tmp_path / "printed.yaml"
    path.write_text(text.replace("FIRST", first).replace("LAST", last or end))
    return str(path)


@pytest.mark.parametrize("backend", ["python", "reference", "native"])
@pytest.mark.parametrize("board", BOARDS)
def test_what_is_printed_is_found_by_name(tmp_path, board: str, backend: str) -> None:
    first, last, other = BOARDS[board]
    state = ruleforge.load(written(tmp_path, board), backend=backend).start(seed=1)
    assert [state[f"soil_of(board.{name})"] for name in (first, last, other)] == ["bog", "hill", "meadow"]
    assert [state[f"depth_of(board.{name})"] for name in (first, last, other)] == [0, 3, 0]
    assert [state[f"price_of(board.{last}, {soil})"] for soil in ("meadow", "bog")] == [0, 2]
    assert state["game.woken"] == 1  # the rule that is printed on the first
    assert "The last" in state.game.info.titles.values()


@pytest.mark.parametrize("board", BOARDS)
def test_a_name_that_the_board_does_not_make_is_told(tmp_path, board: str) -> None:
    with pytest.raises(RulesetError) as caught:
        ruleforge.load(written(tmp_path, board, last="zzz"))
    assert [found.message for found in caught.value.diagnostics] == ["unknown thing `zzz` of `board`"]


@pytest.mark.parametrize("board", BOARDS)
def test_a_fact_that_is_never_none_is_given_to_all(tmp_path, board: str) -> None:
    with pytest.raises(RulesetError) as caught:
        ruleforge.load(written(tmp_path, board, soil="soil"))
    each = [f"`{name}` lacks the fact `soil`" for name in ("bree", "cold")]  # towns have a line of their own
    told = each if "graph" in board else ["some boards lack the fact `soil`, which must have a value"]
    assert [found.message for found in caught.value.diagnostics] == told


@pytest.mark.parametrize("made", ["count: 3", "pool: 3", "grid: {shape: square, columns: 2, rows: 2}"])
def test_nor_is_it_none_of_things_that_nothing_is_said_of(tmp_path, made: str) -> None:
    text = "\n".join(
        line for line in GAME.splitlines() if line.strip()[:5] not in ("thing", "LAST:", "FIRST")
    )
    path = tmp_path / "printed.yaml"
    path.write_text(text.replace("BOARD", made).replace("SOIL", "soil"))
    with pytest.raises(RulesetError) as caught:
        ruleforge.load(str(path))
    assert {found.code for found in caught.value.diagnostics} == {"RF501"}


def test_nothing_on_a_board_has_copies(tmp_path) -> None:
    path = written(tmp_path, "rings: [2, 4]")
    with open(path) as file:
        text = file.read().replace("depth: 3,", "depth: 3, copies: 2,")
    with open(path, "w") as file:
        file.write(text)
    with pytest.raises(RulesetError) as caught:
        ruleforge.load(path)
    assert [found.code for found in caught.value.diagnostics] == ["RF304"]

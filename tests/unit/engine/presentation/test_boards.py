"""Boards as people see them: levels side by side, tracks in rows, edges and corners where they lie."""

from __future__ import annotations

import pytest

import ruleforge
from ruleforge.engine.presentation.boards import picture
from tests.shelf import game as shelved
from tests.test_mechanics import game_of
from tests.unit.small_games import small_game


def lines(state: ruleforge.State) -> list[str]:
    return [line.rstrip() for line in str(state).splitlines()]


def test_levels_stand_side_by_side():
    state = shelved("qubic").start(seed=1)
    state.apply("put b3_2")
    assert lines(state)[:6] == [
        "level 1      level 2      level 3      level 4      ○ White",
        "4 · · · ·    4 · · · ·    4 · · · ·    4 · · · ·    ● Black",
        "3 · · · ·    3 · ○ · ·    3 · · · ·    3 · · · ·",
        "2 · · · ·    2 · · · ·    2 · · · ·    2 · · · ·",
        "1 · · · ·    1 · · · ·    1 · · · ·    1 · · · ·",
        "  a b c d      a b c d      a b c d      a b c d",
    ]


def test_lines_are_drawn_between_dots():
    state = shelved("dots-and-boxes").start(seed=1)
    for choice in ("draw a1_north", "draw a1_b1", "draw d4_south"):
        state.apply(choice)
    drawn = [line[:12].rstrip() for line in lines(state)]
    assert drawn[:3] == ["  ·─· · · ·", "1   │", "  · · · · ·"]
    assert drawn[7:10] == ["4", "  · · · ·─·", "   a b c d"]


def test_stretches_of_a_track_are_rows():
    drawn = lines(shelved("ludo").start(seed=1))
    assert drawn[0].startswith("ring         1 · · ·")
    assert drawn[1] == "south house  1 · · · ·"


def test_what_stands_around_hexagons_is_drawn_around_them():
    state = (
        game_of("borders").start(seed=1).patched({"camp.a1_south.owner": "una", "road.a1_b1.layer": "vik"})
    )
    drawn = "\n".join(lines(state))
    assert "U" in drawn.partition("field")[2].partition("street")[0]
    assert "V" in drawn.partition("field")[2].partition("street")[0]


STANDING = """
game: {id: herd, title: Herd, version: "1", players: 2}
kinds:
  player: {things: [ann, ben], has: {hut: cell = b2}}
  cell: {grid: {shape: square, columns: 3, rows: 3}}
  sheep: {things: [dolly, molly], has: {spot: cell or none}}
  dog: {things: [rex], has: {spot: cell = a1, home: cell = c3}}
  game: {has: {aim: cell = c1}}
setup: dolly.spot = a3
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  lead: {during: turn, choose: {s: in sheeps, c: in cells}, do: s.spot = c}
LAYOUT
"""


@pytest.mark.parametrize(
    ("layout", "there"),
    [
        ("", {"a3": ["dolly"], "b2": ["ann", "ben"]}),
        ("layout: {small: [player.hut]}", {"a3": ["dolly"]}),
    ],
    ids=["plain", "small"],
)
def test_things_stand_on_the_cell_that_their_one_attribute_names(layout: str, there: dict[str, list[str]]):
    """A kind with two such attributes does not say which of them is where it stands; the game stands nowhere."""
    state = small_game(STANDING.replace("LAYOUT", layout)).start(seed=1)
    (board,) = state.scene(None).boards
    found = {cell.id: [token.id for token in cell.tokens] for cell in board.cells.values() if cell.tokens}
    assert found == there


NETWORK = """\
game: {id: net, title: Net, version: "1.0", text: A net., players: 2}
kinds:
  player: {things: [ann, ben], has: {coins: 0..9}}
  town: {graph: {links: {aber: [bree, cold], cold: [dale]}}}
  man: {things: [scout], plural: men}
places:
  spot: {of: {town: town}, holds: man, starts: "{m in men where town is bree}"}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  go: {during: turn, choose: {t: in towns}, do: move scout to t.spot}
  stop: {during: turn, do: finish over}
endings: {over: {text: It is over.}}
"""


def test_a_small_network_shows_what_is_joined():
    (board,) = small_game(NETWORK).start(seed=1).scene("ann").boards
    drawn = " ".join(mark.text for line in picture(board, True, 80) for mark in line)
    assert "aber  (cold bree)" in drawn and "dale  (cold)" in drawn and "bree   sc  (aber)" in drawn, drawn

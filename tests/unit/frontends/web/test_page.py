"""Pages of seats: well formed for every game, complete, harmless, and drawn where they belong."""

from __future__ import annotations

import math
import random
from xml.etree import ElementTree

import pytest

import ruleforge
from ruleforge.engine.presentation.scene import Scene
from ruleforge.frontends.web.board_plan import Links, placed, plans
from ruleforge.frontends.web.elements import Html, tag
from ruleforge.frontends.web.page import Page, PageContent, page_of
from ruleforge.support.resources import shipped_games
from tests.shelf import game as shelved


def parsed(page: Page) -> ElementTree.Element:
    """As XML, which forgives nothing; parts of a page have no elements without an end."""
    return ElementTree.fromstring(f"<page>{''.join(page.parts.values())}</page>")


def along(name: str, steps: int) -> list[ruleforge.State]:
    """Two positions of a random game: the first, and one further on."""
    state = shelved(name, (), "python").start(seed=3)
    found, rng = [state.copy()], random.Random(3)
    for _ in range(steps):
        if state.outcome is None:
            state.apply(rng.choice(state.choices))
    return [*found, state]


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_the_page_of_every_seat_has_all_choices_and_all_that_lies_on_the_table(name):
    for state in along(name, 25):
        for seat in (*state.players, None):
            scene = state.scene(seat)
            root = parsed(page_of(PageContent(scene, (), {})))
            offers = scene.asked.offers if scene.asked is not None else None
            buttons = [e.get("data-text") for e in root.iter("button") if e.get("data-number")]
            assert sorted(filter(None, buttons)) == sorted(offer.text for offer in offers or ())
            shown = {e.get("data-about") for e in root.iter() if e.get("data-about")}
            lying = {
                token.id for board in scene.boards for cell in board.all for token in cell.tokens if token.id
            }
            boards = {cell.id for board in scene.boards for cell in board.all if cell.id}
            assert boards | (lying if not _counted(scene) else set()) <= shown


def _counted(scene: Scene) -> bool:
    """Whether so much stands on one cell that it is counted."""
    return any(len(cell.tokens) > 9 for board in scene.boards for cell in board.all)


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_everything_is_drawn_inside_of_its_frame_and_nothing_on_something_else(name):
    for board in along(name, 0)[0].scene(None).boards:
        drawn = 0
        for _, plan in plans(board):
            x, y, width, height = plan.frame
            middles = [shape.middle for shape in plan.shapes]
            assert all(x <= a <= x + width and y <= b <= y + height for a, b in middles)
            assert all(x <= a <= x + width and y <= b <= y + height for (a, b), _ in plan.labels)
            assert len({(round(a, 2), round(b, 2)) for a, b in middles}) == len(middles)
            drawn += len(middles)
        assert drawn == len(list(board.all))


def test_words_of_an_author_are_no_markup():
    page = str(tag("p", "<script>", tag("b", '&"'), title='"><i>'))
    assert page == '<p title="&quot;&gt;&lt;i&gt;">&lt;script&gt;<b>&amp;&quot;</b></p>'
    assert tag("p", Html("<b>bold</b>")) == "<p><b>bold</b></p>"


def test_a_hostile_title_stays_a_title(tmp_path):
    rules = tmp_path / "hostile.yaml"
    rules.write_text(HOSTILE)
    state = ruleforge.load(rules).start(seed=1)
    root = parsed(page_of(PageContent(state.scene("ann"), (), {"ann": "<b>"})))
    assert not list(root.iter("script")) and not list(root.iter("img"))
    assert any("<script>" in (e.text or "") for e in root.iter())


HOSTILE = """
game: {id: hostile, title: "<script>alert(1)</script>", version: "1.0", text: "<img src=x>", players: 2}
kinds:
  player: {things: [ann, ben], has: {points: {title: "<img src=x onerror=y>", type: 0..9}}}
flow: [{phase: turn, repeat: true, each: me in players, window: one}]
actions: {go: {title: "</button><script>", hint: "<script>", during: turn, do: finish over for me}}
endings: {over: {text: "<script>"}}
"""


def test_a_mark_changes_with_the_page_and_with_nothing_else():
    state = shelved("nim", (), "python").start(seed=1)
    one, same = (page_of(PageContent(state.scene("ann"), (), {})) for _ in range(2))
    assert one.mark == same.mark
    state.apply(state.choices[0])
    assert page_of(PageContent(state.scene("ann"), (), {})).mark != one.mark


def test_joined_places_lie_nearer_than_others():
    ring = [f"town_{n}" for n in range(8)]
    links = Links(tuple((name, (ring[n - 1], ring[(n + 1) % 8])) for n, name in enumerate(ring)))
    spots = placed(links)
    near = math.dist(spots["town_0"], spots["town_1"])
    assert near < math.dist(spots["town_0"], spots["town_4"])
    assert placed(links) is spots


def test_places_that_are_called_like_squares_lie_like_squares():
    spots = placed(Links((("a1", ("a4",)), ("a4", ("a1", "d4")), ("d4", ("a4",)))))
    assert spots["a1"][0] == spots["a4"][0] < spots["d4"][0]
    assert spots["a4"][1] == spots["d4"][1] < spots["a1"][1]


def test_a_choice_is_named_on_the_board_of_its_kind_alone():
    """Two boards have squares of the same names; only one of them is chosen from."""
    state = along("ultimate-tic-tac-toe", 2)[1]
    assert state.decision is not None
    boards = state.scene(state.decision.player).boards
    offered = {board.title: [cell.id for cell in board.all if cell.choices] for board in boards}
    assert sorted(map(bool, offered.values())) == [False, True]


@pytest.mark.parametrize("name", ["hex", "havannah", "y"])
def test_columns_of_hexagons_have_their_letters_where_nothing_else_is(name):
    board = along(name, 0)[0].scene(None).boards[0]
    [(_, plan)] = plans(board)
    said = [text for _, text in plan.labels]
    assert {cell.id[0] for cell in board.all} <= set(said) and len(said) == len(set(said))
    taken = [*(shape.middle for shape in plan.shapes), *(at for at, _ in plan.labels)]
    assert all(math.dist(a, b) > 0.4 for n, a in enumerate(taken) for b in taken[n + 1 :])


def test_a_count_says_of_what_wherever_there_are_several(tmp_path):
    """One count alone on its square would be read as any of them."""
    rules = tmp_path / "food.yaml"
    rules.write_text(FOOD)
    root = parsed(page_of(PageContent(ruleforge.load(rules).start(seed=1).scene("ann"), (), {})))
    said = {e.get("data-about"): "".join(e.itertext()) for e in root.iter("g") if e.get("data-about")}
    assert said["a1"].endswith("B3") and "R1" in said["b1"] and "B2" in said["b1"]


FOOD = """
game: {id: food, title: Food, version: "1.0", text: Eat., players: 2}
kinds:
  player: {things: [ann, ben]}
  square:
    grid: {shape: square, columns: 2, rows: 1}
    has: {red: 0..9, blue: 0..9}
setup: |
  a1.blue = 3
  b1.red = 1
  b1.blue = 2
flow: [{phase: turn, repeat: true, each: me in players, window: one}]
actions: {stop: {during: turn, do: finish over for me}}
endings: {over: {text: Over.}}
"""


def test_a_button_says_with_what_its_choice_begins_and_a_narrow_edge_can_be_hit():
    root = parsed(page_of(PageContent(along("quoridor", 0)[0].scene("white"), (), {})))
    buttons = [e for e in root.iter("button") if e.get("data-number")]
    assert all(e.get("data-first") == (e.get("data-text") or "").split()[1] for e in buttons)
    edges = [e for e in root.iter("g") if "edge" in (e.get("class") or "").split()]
    assert edges and all(any(p.get("class") == "reach" for p in e.iter("path")) for e in edges)

"""The page in a real browser: hands on the table, words in the field, two people at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ruleforge.frontends.web.table import WebTable
from tests.shelf import game as shelved
from tests.unit.frontends.web.chromium import Browser, Tab, found
from tests.unit.frontends.web.tables import room_of, served

pytestmark = pytest.mark.skipif(found() is None, reason="there is no Chromium on this machine")


@pytest.fixture(scope="module")
def browser(tmp_path_factory) -> Iterator[Browser]:
    started = Browser(tmp_path_factory.mktemp("profile"))
    yield started
    started.close()


def tabs(browser: Browser, room: WebTable) -> Iterator[dict[str | None, Tab]]:
    with served(room) as (server, [places]):
        yield {p.seat: browser.tab(f"{server.address}/table/{p.key}") for p in places}


@pytest.fixture
def small(browser) -> Iterator[dict[str | None, Tab]]:
    yield from tabs(browser, room_of(shelved("tic-tac-toe", (), "python")))


@pytest.fixture
def chess(browser) -> Iterator[dict[str | None, Tab]]:
    yield from tabs(browser, room_of(shelved("chess", (), "python")))


def cell(name: str) -> str:
    return f'#table .cell[data-about="{name}"]'


def tells(tab: Tab, words: str) -> None:
    tab.until(f"document.querySelector('#log').textContent.includes({words!r})")


def test_a_click_on_a_cell_is_seen_by_everybody(small):
    small["cross"].click(cell("b2"))
    for tab in small.values():
        tells(tab, "Cross marks b2")
    small["nought"].until("document.title.startsWith('●')")
    small["nought"].click(cell("b2"))  # taken: a question about it, and no move
    small["nought"].until("document.querySelector('#answer').textContent.includes('b2')")
    small["nought"].click(cell("a1"))
    tells(small["cross"], "Nought marks a1")


def test_a_move_is_two_clicks_and_escape_forgets_the_first(chess):
    white = chess["white"]
    white.click(cell("e2"))
    white.until(f"document.querySelector('{cell('e4')}').classList.contains('open')")
    assert not white.says(f"document.querySelector('{cell('d2')}').classList.contains('open')")
    white.press("Escape")
    white.until(f"document.querySelector('{cell('d2')}').classList.contains('open')")
    white.click(cell("g1"))
    white.click(cell("f3"))
    tells(chess["black"], "f3")


def test_a_pawn_with_one_way_to_go_does_not_go_by_being_touched(chess):
    """What names two things is chosen by two clicks, even if there is but one way left after the first."""
    white, black = chess["white"], chess["black"]
    for tab, words in ((white, "a2 a4"), (black, "a7 a5")):
        tab.until("document.querySelector('#asked .mine') !== null")
        tab.click("#say input")
        tab.type(words)
        tab.press("Enter")
        tells(white, words[-2:])
    white.until("document.querySelector('#asked .mine') !== null")
    white.click(cell("a1"))
    white.until("document.querySelectorAll('#asked button[data-number]:not([hidden])').length === 2")
    assert white.says("document.querySelectorAll('#log li').length") == 2


def test_a_choice_can_be_typed_and_a_wrong_one_is_answered(small):
    tab = small["cross"]
    tab.click("#say input")
    tab.type("z9")
    tab.press("Enter")
    tab.until("document.querySelector('#answer').textContent.length > 0")
    tab.says("document.querySelector('#say input').value = ''")
    tab.click("#say input")
    tab.type("c3")
    tab.press("Enter")
    tells(small["nought"], "Cross marks c3")


def test_keys_alone_are_enough(small):
    tab = small["cross"]
    tab.says(f"document.querySelector('{cell('a3')}').focus()")
    tab.press("Enter")
    tells(small[None], "Cross marks a3")


def test_two_people_agree_to_take_a_step_back(small):
    small["cross"].click(cell("b2"))
    small["nought"].until("document.querySelector('#asked .mine') !== null")
    small["nought"].click(cell("a1"))
    tells(small["cross"], "Nought marks a1")
    small["cross"].click('[data-do="undo"]')
    small["nought"].until("document.querySelector('[data-do=agree]') !== null")
    small["nought"].click('[data-do="agree"]')
    small["cross"].until("document.querySelector('#log').textContent === ''")


def test_a_place_where_it_cannot_go_says_why_and_keys_keep_their_place(chess):
    white = chess["white"]
    white.click(cell("e2"))
    white.click(cell("e6"))
    white.until("document.querySelector('#answer').textContent.includes('e6 is not among these')")
    white.press("Escape")
    white.until("document.querySelector('#answer').textContent === ''")
    for name in ("e2", "e4"):
        white.says(f"document.querySelector('{cell(name)}').focus()")
        white.press("Enter")
    tells(white, "e4")
    assert white.says("document.activeElement.dataset.about") == "e4"

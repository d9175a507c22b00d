"""Whole HTML documents: the page of a seat, and the list of tables."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.frontends.web.elements import Html, tag, together
from ruleforge.frontends.web.page import Page
from ruleforge.frontends.web.table_registry import OfferedGame, SeatKey, TableRegistry

OTHERS = ("mcts:1s", "greedy", "random")  # the possible players of an empty seat
PEOPLE = {"first": "I play the first seat", "all": "people play all seats", "none": "I only watch"}
ASK, ASK_TITLE = "what is this?", "then point at a component; or use the right button or the key ?"
HELP = "a choice in words, `why not CHOICE`, or `about NAME`"


def table_page(place: SeatKey, page: Page) -> Html:
    """The table of one seat: what is on it, who is asked what, what can be said, what happened."""
    room, seat = place.room, place.seat
    who = room.name(seat) if seat is not None else "looking on"
    field = tag("input", name="line", placeholder=HELP, autocomplete="off", maxlength=300, aria_label=HELP)
    ask = tag("button", ASK, type="button", data_do="ask", aria_pressed="false", title=ASK_TITLE)
    buttons = [
        tag("button", "take back", type="button", data_do="undo"),
        tag("button", "impossible choices", type="button", data_do="greyed"),
    ]
    tools = [
        tag("form", field, tag("button", "say"), id="say"),
        tag("p", buttons if seat is not None else (), ask, _small_print(), class_="tools"),
    ]
    return _document(
        f"{room.title}: {who}",
        tag("header", page.parts["head"], id="head", tabindex=-1),
        tag("main", page.parts["table"], id="table", tabindex=-1),
        tag(
            "aside",
            tag("div", page.parts["asked"], id="asked", aria_live="polite", tabindex=-1),
            tools,
            tag("div", id="answer", aria_live="polite"),
            tag("h2", "What happened"),
            tag("ol", page.parts["log"], id="log", tabindex=0, aria_label="What happened"),
        ),
        key=place.key,
        mark=page.mark,
    )


def _small_print() -> Html:
    return tag("label", tag("input", type="checkbox", id="small"), " small print")


def host_page(registry: TableRegistry) -> Html:
    """The tables that there are, with the addresses of their seats, and all games for a new one."""
    tables = [tag("li", _seats(places)) for places in registry.tables]
    games = [_game(game) for game in registry.offered.values()]
    return _document(
        "RuleForge",
        tag("header", tag("h1", "RuleForge")),
        tag(
            "main",
            [tag("h2", "Tables"), tag("ul", tables, class_="tables")] if tables else (),
            tag("h2", "A new table"),
            tag("div", id="answer", aria_live="polite"),
            tag("div", games, class_="shelf"),
            class_="host",
        ),
        key=registry.host,
    )


def _seats(places: Sequence[SeatKey]) -> Html:
    links = (
        tag("a", _called(place), href=f"/table/{place.key}", target="_blank", rel="noopener")
        for place in places
    )
    return together(tag("b", places[0].room.title), ": ", Html(" · ".join(links)))


def _called(place: SeatKey) -> str:
    return place.room.name(place.seat) if place.seat is not None else "look on"


def _game(game: OfferedGame) -> Html:
    least, most = game.players
    numbers = _options([str(n) for n in range(least, most + 1)])
    packs = [tag("label", tag("input", type="checkbox", name="pack", value=p), f" {p}") for p in game.packs]
    return tag(
        "form",
        tag("h3", game.title),
        tag("p", game.text),
        [tag("p", packs, class_="packs")] if packs else (),
        tag(
            "p",
            tag("select", _people(), name="people", aria_label="who plays"),
            tag("label", "others: ", tag("select", _options(OTHERS), name="others")),
            [tag("label", tag("select", numbers, name="players"), " players")] if most > least else (),
            tag("button", "play"),
        ),
        class_="game",
        data_game=game.name,
    )


def _people() -> list[Html]:
    return [tag("option", text, value=who) for who, text in PEOPLE.items()]


def _options(names: Sequence[str]) -> list[Html]:
    return [tag("option", name, value=name) for name in names]


def missing_page(why: str) -> Html:
    return _document("RuleForge", tag("main", tag("h1", "Nothing here"), tag("p", why), class_="host"))


def _document(title: str, *body: Html, key: str = "", mark: str = "") -> Html:
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("link", rel="stylesheet", href="/table.css"),
        tag("link", rel="icon", href="/sign.svg"),
        tag("script", src="/table.js", defer=True),
    )
    plain = tag("noscript", "This page needs JavaScript.")
    page = tag("body", plain, *body, data_key=key or None, data_mark=mark or None)
    return Html(f"<!doctype html>{tag('html', head, page, lang='en')}")

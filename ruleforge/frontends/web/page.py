"""The parts of a seat's page, choices as groups of buttons, and marks that change only with a part."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from ruleforge.engine.presentation.scene import Offer, Scene, joined
from ruleforge.engine.presentation.text_renderer import GAME
from ruleforge.frontends.web.boards import board_pictures, classes, painted
from ruleforge.frontends.web.elements import Html, tag, together
from ruleforge.frontends.web.panels import grid_table, panel_section
from ruleforge.play.narration import Sentence
from ruleforge.play.seats.offer_groups import Group, grouped
from ruleforge.play.seats.seat_plan import HUMAN
from ruleforge.support.records import dataclass

Parts = Mapping[str, Html]
MOST_GROUPS = 24
MOST_OPEN = 30  # buttons of a group; longer lists are folded up


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """A request to undo steps that other players know, with the players who agreed."""

    player: str
    agreed: tuple[str, ...]
    of: tuple[str, ...]  # the players who must agree


@dataclass(frozen=True, slots=True)
class PageContent:
    """The content of a page; nothing else is sent to the browser."""

    scene: Scene
    log: tuple[tuple[Sentence, bool], ...]  # and whether it is news
    kinds: Mapping[str, str]  # who plays: `human`, or an agent
    phases: tuple[tuple[str, bool], ...] = ()
    ending: str = ""
    undo_request: UndoRequest | None = None
    stopped: str = ""
    declined: str = ""  # who would not take back


@dataclass(frozen=True, slots=True)
class Page:
    """The parts of a page by name, and their mark."""

    parts: Parts
    mark: str


def page_of(sight: PageContent) -> Page:
    parts = {
        "head": _head(sight),
        "table": _table(sight.scene),
        "asked": _prompt(sight),
        "log": _log(sight.log),
    }
    digest = hashlib.sha256("\0".join(parts.values()).encode())
    return Page(parts, digest.hexdigest()[:20])


def _head(sight: PageContent) -> Html:
    phases = [
        tag("li", name, class_="now" if now else None, aria_current="step" if now else None)
        for name, now in sight.phases
    ]
    game = next((panel for panel in sight.scene.panels if panel.id == GAME), None)
    facts = [panel_section(game, (), None, "")] if game is not None else []
    return together(
        tag("h1", sight.scene.title), [tag("ol", phases, class_="phases")] if phases else (), facts
    )


def _table(scene: Scene) -> Html:
    players = tuple(player for player, _ in scene.players)
    decides = scene.asked.player if scene.asked is not None else ""
    several = len(scene.boards) > 1
    boards = [board_pictures(board, players, several) for board in scene.boards]
    panels = [panel for panel in scene.panels if panel.id != GAME]
    boxes = [panel_section(p, players, scene.seat, decides) for p in panels if p.box]
    others = [panel_section(p, players, scene.seat, decides) for p in panels if not p.box]
    grids = [grid_table(grid, players) for grid in scene.grids]
    return together(
        [tag("div", boards, class_="boards")] if boards else [],
        [tag("div", boxes, class_="boxes")] if boxes else [],
        [tag("div", grids, class_="grids")] if grids else [],
        tag("div", others, class_="panels"),
    )


def _prompt(sight: PageContent) -> Html:
    """The question and its player, the choices of the page's seat, and the undo request."""
    scene = sight.scene
    return together(
        _stop(sight), _undo_request(sight), _over(sight) if scene.ended is not None else _question(sight)
    )


def _question(sight: PageContent) -> Html:
    decides = sight.scene.asked
    if decides is None:
        return Html("")
    players = tuple(player for player, _ in sight.scene.players)
    name = tag("b", decides.name, class_=painted(decides.player, players) or None)
    if decides.offers is not None:
        return together(
            tag("p", name, f": {decides.prompt or 'choose'}", class_="question mine"),
            choice_list(decides.offers),
        )
    kind = sight.kinds.get(decides.player, HUMAN)
    doing = f" is thinking ({kind}) …" if kind != HUMAN else f": {decides.prompt or 'decides'} …"
    return tag("p", name, doing, class_="question waiting")


def _over(sight: PageContent) -> Html:
    return tag("p", f"{sight.scene.ended}. {sight.ending}".rstrip(), class_="question over")


def _stop(sight: PageContent) -> Html:
    return together(tag("p", text, class_="stopped") for text in (sight.stopped, sight.declined) if text)


def _undo_request(sight: PageContent) -> Html:
    undo_request, seat = sight.undo_request, sight.scene.seat
    if undo_request is None:
        return Html("")
    waiting = [sight.scene.name(player) for player in undo_request.of if player not in undo_request.agreed]
    text = f"{sight.scene.name(undo_request.player)} wants to undo; {' and '.join(waiting)} must agree."
    if undo_request.of == (seat,):
        text = "Something was revealed since. Undo it anyway?"
    buttons = []
    if seat in undo_request.of:
        agree = (
            [tag("button", "take it back", type="button", data_do="agree")]
            if seat not in undo_request.agreed
            else []
        )
        buttons = [*agree, tag("button", "play on", type="button", data_do="refuse")]
    return tag("p", text, " ", buttons, class_="wish")


def _log(log: Sequence[tuple[Sentence, bool]]) -> Html:
    return together(
        tag(
            "li",
            sentence.text,
            class_=classes("new" if new else "", f"depth-{min(sentence.depth, 4)}" if sentence.depth else ""),
            title=" ".join(sentence.clauses) or None,
        )
        for sentence, new in log
    )


# Choices as groups of buttons; choices with a common beginning share a group.


def choice_list(offers: tuple[Offer, ...]) -> Html:
    """Every offer has a button, which carries its number and its text."""
    groups = grouped(offers, lambda found: len(found) <= MOST_GROUPS)
    return tag("ul", (tag("li", _group(group)) for group in groups), class_="choices")


def _group(group: Group) -> Html:
    if len(group.offers) == 1:
        offer = group.offers[0]
        return tag("span", _button(offer, offer.words), _beside("".join(offer.hint).strip()))
    common = _common(group.offers)
    buttons = [_button(offer, joined(offer.parts[common:]) or offer.words) for offer in group.offers]
    head = tag("span", group.head, class_="head")
    body = tag("span", buttons, class_="ends")
    if len(buttons) > MOST_OPEN:
        number = tag("span", f"{len(buttons)} choices", class_="beside")
        body = tag("details", tag("summary", head, " ", number, _beside(group.beside)), body)
        return tag("div", body, class_="group", data_keep=group.head)
    return tag("div", head, body, _beside(group.beside), class_="group")


def _common(offers: tuple[Offer, ...]) -> int:
    """How many parts all of them begin with."""
    least = min(len(offer.parts) for offer in offers)
    return next((n for n in range(least) if len({offer.parts[n] for offer in offers}) > 1), least)


def _button(offer: Offer, words: str) -> Html:
    hint = "".join(offer.hint).strip()
    return tag(
        "button",
        words,
        type="button",
        title=f"{offer.words}: {hint}" if hint else offer.words,
        data_number=offer.number,
        data_text=offer.text,
        data_first=offer.ids[0] if offer.ids else None,
    )


def _beside(hint: str) -> Html:
    return tag("span", hint, class_="beside") if hint else Html("")

"""Choices as groups of buttons; choices with a common beginning share a group."""

from __future__ import annotations

from ruleforge.engine.presentation.scene import Offer, joined
from ruleforge.frontends.web.elements import Html, tag
from ruleforge.play.seats.offer_groups import Group, grouped

MOST_GROUPS = 24
MOST_OPEN = 30  # buttons of a group; longer lists are folded up


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

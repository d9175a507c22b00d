"""What stands against something that was said, or fits it -> what somebody is told in answer."""

from __future__ import annotations

from ruleforge.engine.presentation.scene import Offer
from ruleforge.play.seats.onlooker import Against
from ruleforge.support.records import dataclass

MOST_LISTED = 40


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody who said something is told, and the numbers of the offers it may have meant."""

    said: tuple[str, ...] = ()
    fits: tuple[int, ...] = ()


def told(against: Against) -> Answer:
    if against.meant:
        return Answer(("that is not possible now:", *listed(against.meant), *against.words))
    return Answer(against.words)


def which(offers: tuple[Offer, ...]) -> Answer:
    return Answer((f"{len(offers)} choices fit; which one?",), numbers(offers))


def numbers(offers: tuple[Offer, ...]) -> tuple[int, ...]:
    return tuple(offer.number for offer in offers)


def listed(offers: tuple[Offer, ...]) -> tuple[str, ...]:
    lines = tuple(f"{offer.words}  {''.join(offer.hint).strip()}".rstrip() for offer in offers[:MOST_LISTED])
    return (*lines, f"and {len(offers) - MOST_LISTED} more") if len(offers) > MOST_LISTED else lines

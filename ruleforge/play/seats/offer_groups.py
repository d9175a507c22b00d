"""Choices in lettered groups: one line for choices that differ only in their last part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count

from ruleforge.engine.presentation.cells import letters
from ruleforge.engine.presentation.scene import Offer, joined
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import as_number

Key = tuple[str, ...]
SHORT = 3  # names of cells and the like need no commas
MOST_SINGLE = 8  # more choices than this are not listed one by one
BRIEFLY_LISTED = 6  # of a list that is too long
MOST_LISTED = 40  # a longer list is useless: the board is clearer
MOST_SORTS = 3  # so few lines for one group are always worth it


@dataclass(frozen=True, slots=True)
class Group:
    """Choices under one letter: their common part, and their different parts, position by position."""

    letter: str
    head: str
    offers: tuple[Offer, ...]
    ways: tuple[tuple[str, ...], ...] = ()
    apart: bool = False  # whether the head names a thing already, so that an arrow leads on
    most: int = MOST_LISTED  # of longer lists only the beginning is said

    @property
    def words(self) -> str:
        """`move Stone d4 → b3 b5`. Consecutive numbers are a range."""
        tails = [_ranges(way, self.most) for way in self.ways]
        return joined([self.head, *tails] if self.apart else [f"{self.head} {joined(tails)}".strip()])

    @property
    def beside(self) -> str:
        """The cost and effect of all of them.

        If only numbers differ, a range from the least to the greatest.
        """
        pieces: list[str] = []
        hints = list(dict.fromkeys(offer.hint for offer in self.offers))
        if len({len(hint) for hint in hints}) != 1:
            return ""
        for way in zip(*hints, strict=True):
            numbers = [as_number(piece) for piece in way]
            known = [n for n in numbers if n is not None]
            if len(set(way)) > 1 and len(known) < len(way):
                return ""
            pieces.append(way[0] if len(set(way)) == 1 else f"{min(known)}–{max(known)}")
        return "".join(pieces).strip()


def levels(offers: Sequence[Offer]) -> Iterator[tuple[Group, ...]]:
    """The groupings from the finest to the coarsest.

    They group single choices, choices with equal costs and effects, choices that differ only in the last
    part, and actions. The last grouping shortens the lists of actions.
    """
    if len(offers) <= MOST_SINGLE:
        yield _groups(offers, lambda offer: (offer.head, *offer.parts, str(offer.number)))
    alike = _groups(offers, lambda offer: (offer.head, *offer.parts[:-1]))
    if any(_is_worth_splitting(group) for group in alike):
        split = {id(o): o.hint for group in alike if _is_worth_splitting(group) for o in group.offers}
        yield _groups(offers, lambda offer: (offer.head, *offer.parts[:-1], *split.get(id(offer), ())))
    yield alike
    coarse = _groups(offers, lambda offer: (offer.head,))
    yield coarse
    yield tuple(replace(group, most=BRIEFLY_LISTED) for group in coarse)


def _is_worth_splitting(group: Group) -> bool:
    """Whether there are a few sorts of choices in it that differ in what they cost or do."""
    sorts = len({offer.hint for offer in group.offers})
    return 1 < sorts <= max(MOST_SORTS, len(group.offers) // 2)


def grouped(offers: Sequence[Offer], fits: Callable[[Sequence[Group]], bool]) -> tuple[Group, ...]:
    """The finest groups that fit, else the coarsest; lists however long."""
    found: tuple[Group, ...] = ()
    for found in levels(offers):
        if fits(found):
            break
    return tuple(replace(group, most=len(offers)) for group in found)


def singly(offers: Sequence[Offer], room: int) -> tuple[Group, ...]:
    """The choices of one group, split by the first part in which they differ."""
    depth = next((n for n in range(_least(offers)) if len({o.parts[n] for o in offers}) > 1), None)
    if depth is None or len(offers) <= room:
        return _groups(offers, lambda offer: (offer.head, *offer.parts, str(offer.number)))
    return _groups(offers, lambda offer: (offer.head, *offer.parts[: depth + 1]))


def _groups(offers: Sequence[Offer], key: Callable[[Offer], Key]) -> tuple[Group, ...]:
    found: dict[Key, list[Offer]] = {}
    for offer in offers:
        found.setdefault(key(offer), []).append(offer)
    return tuple(_group(label, own) for label, own in zip(_labels(offers), found.values(), strict=False))


def _labels(offers: Iterable[Offer]) -> Iterator[str]:
    """Letters; where things have names as short as that, longer ones, so that a name is never taken for a label."""
    taken = {len(name) for offer in offers for name in offer.ids if name.isalpha()}
    return (label for label in map(letters, count(1)) if len(label) not in taken)


def _group(label: str, offers: list[Offer]) -> Group:
    if len(offers) == 1:
        return Group(label, offers[0].words, tuple(offers))
    least = _least(offers)
    common = next((n for n in range(least) if len({o.parts[n] for o in offers}) > 1), least)
    head = f"{offers[0].head} {joined(offers[0].parts[:common])}".strip()
    longest = max(len(o.parts) for o in offers)
    ways = tuple(
        tuple(dict.fromkeys(o.parts[n] for o in offers if len(o.parts) > n)) for n in range(common, longest)
    )
    return Group(label, head, tuple(offers), ways, common > 0)


def _least(offers: Iterable[Offer]) -> int:
    return min(len(offer.parts) for offer in offers)


def _ranges(way: Sequence[str], most: int) -> str:
    numbers = [as_number(part) for part in way]
    known = [n for n in numbers if n is not None]
    if len(known) == len(way) > 2 and sorted(known) == list(range(min(known), max(known) + 1)):
        return f"{min(known)}–{max(known)}" if min(known) >= 0 else f"{min(known)} to {max(known)}"
    separator = ", " if any(len(part) > SHORT for part in way) else " "
    if len(way) > most:
        return f"{separator.join(way[:BRIEFLY_LISTED])} … {len(way)} in all"
    return separator.join(way)

"""Kinds that say `product` -> kinds that list their things: one for each combination, with its parts as facts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from math import prod

from ruleforge.lang.model.board_names import drawn
from ruleforge.lang.model.ruleset import Column, Kind, Ruleset, Thing
from ruleforge.lang.model.titles import pretty
from ruleforge.lang.source.error_nodes import ErrorNodes
from ruleforge.lang.source.scalar_origin import SourceText, text_at
from ruleforge.support.diagnostics import Report
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import listed

MOST = 10_000  # as many as a `count` may make
_RANGE = re.compile(r"([0-9]{1,6})\s*\.\.\s*([0-9]{1,6})")
_HOLE = re.compile(r"\{(\w+)\}")
_HELP = (
    "write the plural of a kind whose things are listed, counted or cells of a board, "
    "or a range of numbers such as 2..14"
)


def spelt_out(whole: Ruleset, report: Report) -> Ruleset:
    """All products as things with facts; what stands on them needs to know nothing of products."""
    if not any(kind.product for kind in whole.kinds):
        return whole
    kinds = {kind.id: kind for kind in whole.kinds}
    wrong = Report()
    for kind in whole.kinds:
        if kind.product:
            kinds[kind.id] = _listed(kind, {k.plural: k for k in kinds.values()}, wrong)
    report.include(*wrong)
    holes = whole.holes | ErrorNodes(anything=True) if wrong.has_errors else whole.holes
    return replace(whole, kinds=tuple(kinds.values()), holes=holes)


@dataclass(frozen=True, slots=True)
class _Value:
    """One value of a part: a word in the id of a thing, its title, and where the part is named."""

    word: str
    title: str


_Number = Callable[[tuple[_Value, ...]], int]


def _listed(kind: Kind, plurals: dict[str, Kind], report: Report) -> Kind:
    parts = [(name, text, _values(text, plurals, kind, report)) for name, text in kind.product]
    if not all(values for _, _, values in parts):
        return kind
    if (size := prod(len(values) for _, _, values in parts)) > MOST:
        message = f"the product of `{kind.id}` has {size} things, but at most {MOST} are allowed"
        report.add("RF307", message, kind.span, "leave out a part, or make one smaller")
        return kind
    facts = tuple(
        Column(name, text.span, type=text_at(_type(text, plurals), text.span)) for name, text, _ in parts
    )
    copies = _copies(kind, plurals, report)
    if copies is None or not _can_be_called(kind, report):
        return kind
    things = []
    for values in product(*(values for _, _, values in parts)):
        thing = _thing(kind, values)
        number = copies(values)
        things += [replace(thing, copies=number)] if number else []
    return replace(kind, things=(*things, *kind.things), facts=(*facts, *kind.facts))


def _thing(kind: Kind, values: tuple[_Value, ...]) -> Thing:
    given = ((name, text_at(v.word, t.span)) for (name, t), v in zip(kind.product, values, strict=True))
    id, title = "_".join(v.word for v in values), " ".join(v.title for v in values)
    if kind.called is not None:
        titles = {name: v.title for (name, _), v in zip(kind.product, values, strict=True)}
        title = _HOLE.sub(lambda hole: titles[hole[1]], kind.called.text)
    words = id if id[0].isalpha() else f"{kind.id}_{id}"
    return Thing(words, kind.span, title=title, facts=tuple(given))


def _can_be_called(kind: Kind, report: Report) -> bool:
    """Whether the pattern of titles names parts of the product alone."""
    if kind.called is None:
        return True
    parts = [name for name, _ in kind.product]
    strange = [name for name in _HOLE.findall(kind.called.text) if name not in parts]
    for name in strange:
        help = f"its parts are {listed([f'{{{part}}}' for part in parts])}"
        report.add("RF307", f"`{name}` is not a part of the product of `{kind.id}`", kind.called.span, help)
    return not strange


def _copies(kind: Kind, plurals: dict[str, Kind], report: Report) -> _Number | None:
    """How many there are of each combination: always as many, or as a fact of one of its parts says."""
    if kind.copies is None:
        return lambda _: 1
    said = kind.copies.text.strip()
    if said.isdecimal():
        return lambda _: int(said)
    part, _, fact = said.partition(".")
    names = [name for name, _ in kind.product]
    of = plurals.get(kind.product[names.index(part)][1].text.strip()) if part in names else None
    if of is None:
        help = "write a number, or a fact of a part that is a kind, such as `rank.cards`"
        report.add("RF307", f"`{said}` is not a number of copies", kind.copies.span, help)
        return None
    numbers = {thing.id: _number(thing, fact) for thing in of.things}
    unsaid = [name for name, number in numbers.items() if number is None]
    if unsaid:
        message = f"`{fact}` of `{unsaid[0]}` is not a number of copies"
        report.add(
            "RF307", message, kind.copies.span, f"give every `{of.id}` a number from 0 to {MOST} there"
        )
        return None
    at = names.index(part)
    return lambda values: numbers[values[at].word] or 0


def _number(thing: Thing, fact: str) -> int | None:
    text = dict(thing.facts).get(fact)
    said = text.text.strip() if text is not None else ""
    return int(said) if said.isdecimal() and len(said) <= len(str(MOST)) and int(said) <= MOST else None


def _type(text: SourceText, plurals: dict[str, Kind]) -> str:
    kind = plurals.get(text.text.strip())
    return kind.id if kind else text.text


def _values(text: SourceText, plurals: dict[str, Kind], of: Kind, report: Report) -> list[_Value]:
    """What a part can be, in the order of its kind or upwards."""
    said = text.text.strip()
    if bounds := _RANGE.fullmatch(said):
        low, high = int(bounds[1]), int(bounds[2])
        if low <= high < low + MOST:
            return [_Value(str(n), str(n)) for n in range(low, high + 1)]
    kind = plurals.get(said)
    if kind is not None and kind is not of and kind.count:
        names = [f"{kind.id}_{n}" for n in range(1, kind.count + 1)]
        return [_Value(name, pretty(name)) for name in names]
    if kind is not None and kind.is_drawn and (cells := drawn(kind, MOST)):
        titles = {thing.id: thing.title for thing in kind.things}
        return [_Value(name, titles.get(name) or pretty(name)) for name in cells]
    named = kind is not None and kind is not of and not kind.is_drawn
    if kind is not None and named and kind.things and all(t.copies == 1 for t in kind.things):
        return [_Value(t.id, t.title or pretty(t.id)) for t in kind.things]
    report.add("RF307", f"`{said}` cannot be a part of a product", text.span, _HELP)
    return []

"""Kinds that say `product` -> kinds that list their things: one for each combination, with its parts as facts."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from math import prod

from ruleforge.diagnostics import Report
from ruleforge.model.ruleset import Column, Kind, Ruleset, Thing
from ruleforge.quick import dataclass
from ruleforge.source.scalar_origin import SourceText, text_at

MOST = 10_000  # as many as a `count` may make
_RANGE = re.compile(r"([0-9]{1,6})\s*\.\.\s*([0-9]{1,6})")
_HELP = "name the plural of a kind whose things are listed or counted, or a range of numbers such as 2..14"


def spelt_out(whole: Ruleset, report: Report) -> Ruleset:
    """All products as things with facts; what stands on them needs to know nothing of products."""
    if not any(kind.product for kind in whole.kinds):
        return whole
    kinds = {kind.id: kind for kind in whole.kinds}
    for kind in whole.kinds:
        if kind.product:
            kinds[kind.id] = _listed(kind, {k.plural: k for k in kinds.values()}, report)
    return replace(whole, kinds=tuple(kinds.values()))


@dataclass(frozen=True, slots=True)
class _Value:
    """One value of a part: a word in the id of a thing, its title, and where the part is named."""

    word: str
    title: str


def _listed(kind: Kind, plurals: dict[str, Kind], report: Report) -> Kind:
    parts = [(name, text, _values(text, plurals, kind, report)) for name, text in kind.product]
    if not all(values for _, _, values in parts):
        return kind
    if (size := prod(len(values) for _, _, values in parts)) > MOST:
        message = f"the product of `{kind.id}` has {size} things, and there may be {MOST}"
        report.add("RF307", message, kind.span, "leave out a part, or make one smaller")
        return kind
    facts = tuple(
        Column(name, text.span, type=text_at(_type(text, plurals), text.span)) for name, text, _ in parts
    )
    things = tuple(_thing(kind, values) for values in product(*(values for _, _, values in parts)))
    return replace(kind, things=(*things, *kind.things), facts=(*facts, *kind.facts))


def _thing(kind: Kind, values: tuple[_Value, ...]) -> Thing:
    given = ((name, text_at(v.word, t.span)) for (name, t), v in zip(kind.product, values, strict=True))
    id, title = "_".join(v.word for v in values), " ".join(v.title for v in values)
    words = id if id[0].isalpha() else f"{kind.id}_{id}"
    return Thing(words, kind.span, title=title, facts=tuple(given))


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
        return [_Value(name, name.replace("_", " ")) for name in names]
    if kind is not None and kind is not of and kind.things and all(t.copies == 1 for t in kind.things):
        return [_Value(t.id, t.title or t.id.replace("_", " ")) for t in kind.things]
    report.add("RF307", f"`{said}` is no part of which a product can be made", text.span, _HELP)
    return []

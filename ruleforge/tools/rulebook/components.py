"""Chapters about components: boards, cards with their faces, places, values, numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ruleforge.lang.model import ruleset as m
from ruleforge.lang.model.appearance import Appearance
from ruleforge.lang.model.words import pretty
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.tools.rulebook.book import (
    FLAG,
    Block,
    Item,
    Items,
    Packs,
    Rows,
    Section,
    Words,
    called,
    cited,
    description,
    line,
    plain,
    seen_by,
    titled,
)

_NAME = re.compile(r"[a-z][a-z0-9_]*")
ENGINE = (
    "game",
    "player",
)  # kinds that every game has; they hold counters, and nothing lies in a box for them


def components(rules: m.Ruleset, look: Appearance, packs: Packs) -> Section:
    kinds = [kind for kind in rules.kinds if kind.id not in ENGINE]
    sections = (
        *(_kind(kind, _Faces(rules, kind, look, packs)) for kind in kinds),
        _places(rules, packs),
        _counters(rules, packs),
        _numbers(rules, packs),
    )
    return Section("Components", (), tuple(s for s in sections if not s.is_empty))


def _kind(kind: m.Kind, faces: _Faces) -> Section:
    blocks: list[Block] = [*description(kind)]
    if shape := _shape(kind):
        blocks.append(Words(shape))
    if any(_printed(thing) for thing in kind.things):
        blocks.append(faces.table())
    elif kind.things and not kind.is_drawn:
        blocks.append(Words(", ".join(called(thing, faces.packs) for thing in kind.things) + "."))
    if kind.works:
        blocks.append(Items((Item("printed rules work while", code=line(kind.works)),)))
    return Section(f"{_plural(kind)}{_number(kind)}", (*blocks, *cited(kind)))


def _printed(thing: m.Thing) -> bool:
    return bool(thing.facts or thing.text or thing.keywords)


def _plural(kind: m.Kind) -> str:
    return pretty(kind.plural or kind.id) if not kind.title else kind.title


def _number(kind: m.Kind) -> str:
    if kind.is_drawn:  # those that are listed are some of many
        return ""
    number = sum(thing.copies for thing in kind.things if thing.pool is None) or kind.count or 0
    return f" ({number})" if number else ""


def _times(thing: m.Thing) -> str:
    if thing.pool is not None:
        return f" (made in play, at most {thing.pool})"
    return f" × {thing.copies}" if thing.copies > 1 else ""


def _shape(kind: m.Kind) -> str:
    if kind.grid:
        what = "hexagons" if kind.grid.shape == "hex" else "squares"
        without = (
            f", without {', '.join(text.text for text in kind.grid.without)}" if kind.grid.without else ""
        )
        levels = f", on {kind.grid.levels} levels" if kind.grid.levels > 1 else ""
        return f"A board of {what}, {kind.grid.columns} by {kind.grid.rows}{levels}{without}."
    if kind.rings:
        return f"Rings of {', '.join(map(str, kind.rings))} sectors, from the inside out."
    if kind.track:
        return _track(kind.track)
    if borders := kind.edges or kind.corners:
        what, rim = "edges" if kind.edges else "corners", ", the rim included" if borders.rim else ""
        return f"The {what} of each {_readable(borders.of)}{rim}."
    if kind.product:
        parts = " and ".join(
            f"{_readable(values)} as {pretty(name).lower()}" for name, values in kind.product
        )
        return f"One for each combination: {parts}."
    if kind.pool:
        return f"Made in play, at most {plain(kind.pool)} at a time."
    return ""


def _track(track: m.Track) -> str:
    """The rows of spaces, and their branches."""
    if not track.stretches:
        return f"They lie in a {track.form}."
    blocks = []
    for stretch in track.stretches:
        joined = [f"from {_readable(stretch.start)}"] if stretch.start else []
        joined += [f"to {_readable(stretch.to)}"] if stretch.to else []
        form = "loop" if stretch.loop else "row"
        blocks.append(" ".join([f"{pretty(stretch.name)}, a {form} of {stretch.length}", *joined]))
    return f"Spaces in rows: {'; '.join(blocks)}."


class _Faces:
    """The faces of the things of a kind."""

    def __init__(self, rules: m.Ruleset, kind: m.Kind, look: Appearance, packs: Packs) -> None:
        self._kind, self._look, self.packs = kind, look, packs
        self._titles = {thing.id: titled(thing) for other in rules.kinds for thing in other.things}
        self._titles |= {keyword.id: titled(keyword) for keyword in rules.keywords}
        self._titles |= {n.id: n.value.text for n in rules.numbers if n.value}

    def table(self) -> Rows:
        """A row for each card: its sign, its name, its facts in the order of the layout, its text and keywords.

        A fact that few of them have is rows in words behind the others, so that columns are not mostly empty.
        """
        things, facts = self._kind.things, self._facts()
        usual = [fact for fact in facts if 2 * sum(self._fact(t, fact) != "" for t in things) >= len(things)]
        rare = [fact for fact in facts if fact not in usual]
        signs = [self._sign(thing) for thing in things]
        words = [self._says(thing, rare) for thing in things]
        head = (*([""] if any(signs) else []), "name", *map(pretty, usual), *(["says"] if any(words) else []))
        rows = tuple(
            (
                *([sign] if any(signs) else []),
                called(thing, self.packs) + _times(thing),
                *(self._fact(thing, fact) for fact in usual),
                *([text] if any(words) else []),
            )
            for thing, sign, text in zip(things, signs, words, strict=True)
        )
        return Rows(head, rows)

    def _sign(self, thing: m.Thing) -> str:
        """Copies have one sign, that of the first of them."""
        name = f"{thing.id}_1" if thing.copies > 1 else thing.id
        return " ".join(self._look.symbols.get(f"{self._kind.id}.{name}", ())[:1])

    def _facts(self) -> tuple[str, ...]:
        """Facts that something has, those of the face first."""
        given = {name for thing in self._kind.things for name, _ in thing.facts}
        used = [fact.id for fact in self._kind.facts if fact.id in given]
        first = [name for name in self._look.faces.get(self._kind.id, ()) if name in used]
        return tuple(dict.fromkeys((*first, *used)))

    def _fact(self, thing: m.Thing, fact: str) -> str:
        text = next((text for name, text in thing.facts if name == fact), None)
        return self._spoken(text) if text else ""

    def _says(self, thing: m.Thing, rare: list[str]) -> str:
        facts = [f"{pretty(fact)}: {blocks}" for fact in rare if (blocks := self._fact(thing, fact))]
        keywords = [f"**{self._spoken(text)}**" for text in thing.keywords]
        words = " ".join((thing.text or "").split())
        return ". ".join(part for part in (", ".join(keywords), *facts, words) if part)

    def _spoken(self, text: SourceText) -> str:
        """A value with titles for names: lists and tables without their brackets, `true` as a word."""
        plain = " ".join(text.text.split()).strip("[]{}").replace(": ", " ")
        named = _NAME.sub(lambda found: self._titles.get(found[0], found[0]), plain)
        return {"true": "yes", "false": "no", "none": ""}.get(named, named)


def _places(rules: m.Ruleset, packs: Packs) -> Section:
    plurals = {kind.id: pretty(kind.plural).lower() for kind in rules.kinds}
    rows = tuple(
        (
            called(place, packs),
            " ".join((place.text or "").split()),
            ", ".join(_of_place(place, plurals)),
        )
        for place in rules.places
    )
    exact = tuple(
        Item(called(place, packs), code=", ".join(_code_of_place(place)))
        for place in rules.places
        if any(_code_of_place(place))
    )
    return Section("Places", (Rows(("place", "", "holds"), rows), Items(exact)) if rows else ())


def _code_of_place(place: m.Place) -> Iterator[str]:
    named = (("starts with", place.starts), ("seen if", place.sees), ("holds at most", place.max))
    yield from (f"{word} {line(text)}" for word, text in named if text)


def _readable(text: SourceText) -> str:
    """Names and numbers of the rules as words."""
    return plain(text).replace("_", " ").replace("..", " to ")


def _of_place(place: m.Place, plurals: Mapping[str, str]) -> Iterator[str]:
    if place.holds:
        owners = " and ".join(pretty(kind.text).lower() for _, kind in place.of)
        yield plurals.get(place.holds.text, place.holds.text) + (f", for each {owners}" if owners else "")
    if place.max:
        yield f"at most {_readable(place.max)}"
    if place.ordered:
        yield "in an order"
    if place.starts and plain(place.starts).isidentifier():
        yield f"at first all {_readable(place.starts)}"
    yield from _seen(place.sees)


def _seen(sees: SourceText | None) -> Iterator[str]:
    if sees and sees.text != "all":
        yield seen_by(sees)


def _counters(rules: m.Ruleset, packs: Packs) -> Section:
    named = [
        (f"{titled(kind)}: {called(column, packs)}", column) for kind in rules.kinds for column in kind.has
    ]
    rows = tuple((name, " ".join((column.text or "").split()), _range(column)) for name, column in named)
    exact = tuple(Item(name, code=", ".join(_code_of_column(column))) for name, column in named)
    return Section("Values that change", (Rows(("value", "", "range"), rows), Items(exact)) if rows else ())


def _code_of_column(column: m.Column) -> Iterator[str]:
    if column.type:
        yield line(column.type)
    if column.sees:
        yield f"seen if {line(column.sees)}"


def _range(column: m.Column) -> str:
    return ", ".join((*([_type_in_words(column.type)] if column.type else []), *_seen(column.sees)))


def _type_in_words(type_: SourceText) -> str:
    """`0..9 per card = 3` as "0 to 9 for each card, at first 3"."""
    values, _, first = plain(type_).partition(" = ")
    values, _, owner = values.partition(" per ")
    words = "yes or no" if values == FLAG else values.replace("_", " ").replace("..", " to ")
    each = f" for each {owner.replace('_', ' ')}" if owner else ""
    return words + each + (f", at first {first.replace('_', ' ')}" if first else "")


def _numbers(rules: m.Ruleset, packs: Packs) -> Section:
    rows = tuple(
        (
            called(number, packs),
            number.value.text if number.value else "",
            " ".join((number.text or "").split()),
        )
        for number in rules.numbers
    )
    return Section("Numbers", (Rows(("number", "", ""), rows),) if rows else ())

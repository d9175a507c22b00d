"""Checks the section `layout` against the rules: every name in it must exist, and each sign by key belongs to
a thing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.names import first_word, last_word
from ruleforge.lang.checker.symbols import Symbols
from ruleforge.lang.checker.types import FlagT, NumberT, SetT, ThingT
from ruleforge.lang.model.appearance import Appearance, Lanes
from ruleforge.lang.model.layout import KindLayout, LanesLayout, Layout
from ruleforge.lang.model.words import pretty
from ruleforge.lang.source.scalar_origin import SourceText, text_at
from ruleforge.support.spelling import as_number

Sign = tuple[str, ...]  # a sign, and perhaps its letters; or a colour
Signs = dict[str, Sign]
Keys = Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]  # thing -> the keys for it, the parts of them


class Looks:
    """Resolves layout entries and reports unknown names."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._symbolic: Signs = {}
        self._colours: Signs = {}
        self._printed: Signs = {}
        self._faces: Signs = {}
        self._shows: Signs = {}
        self._of: dict[str, str] = {}

    def look(self, layout: Layout | None, questions: Callable[[], Sequence[str]]) -> Appearance:
        """`asked` gives the names under which the rules ask for something."""
        names = MappingProxyType(
            {
                f"{kind}.{name}": column.type.kind
                for (kind, name), column in self._symbols.columns.items()
                if isinstance(column.type, ThingT | SetT)
            }
        )
        if layout is None:
            return Appearance(names=names)
        for hints in layout.kinds:
            kind = self._kind(hints.kind)
            if kind is not None:
                self._of_kind(hints, kind)
        boxes = [kind.name for word in layout.boxes if (kind := self._kind(word))]
        return Appearance(
            MappingProxyType(self._symbolic),
            MappingProxyType(self._colours),
            MappingProxyType(self._printed),
            MappingProxyType(self._faces),
            MappingProxyType(self._shows),
            tuple(boxes),
            frozenset(word.text for word in layout.small if self._is_small(word)),
            frozenset(word.text for word in layout.quiet if self._is_small(word)),
            self._lanes(layout.lanes) if layout.lanes is not None else None,
            frozenset(hints.kind.text for hints in layout.kinds if hints.by_sign),
            names,
            MappingProxyType(self._of),
            self._values(layout, questions) if layout.values else MappingProxyType({}),
        )

    def _kind(self, word: SourceText) -> t.Kind | None:
        kind = self._symbols.kinds.get(word.text)
        if kind is None:
            self._symbols.unknown("kind", word.text, word.span, list(self._symbols.kinds))
        else:
            self._symbols.uses.name("kind", word.text, word.span)
        return kind

    def _of_kind(self, hints: KindLayout, kind: t.Kind) -> None:
        facts = [fact for word in hints.by if (fact := self._fact(word, kind))]
        if len(facts) == len(hints.by):
            keys = self._keys(kind, facts)
            self._symbolic |= joined(self._given(hints.symbols, keys, facts, kind), keys)
            self._colours |= first_of(self._given(hints.colours, keys, facts, kind), keys)
        if hints.hidden:
            self._symbolic[kind.name] = hints.hidden
        if hints.face is not None:
            self._face(hints.face, kind)
        if hints.shows is not None:
            known = self._seen(kind)
            self._shows[kind.name] = self._known(hints.shows, known, f"attribute of `{kind.name}`", kind)

        for word, limit in hints.of:
            counted = self._known((word,), self._seen(kind), f"attribute of `{kind.name}`", kind)
            self._of |= {f"{kind.name}.{name}": self._limit(limit, kind) for name in counted}

    def _limit(self, word: SourceText, kind: t.Kind) -> str:
        """A number as it is, a name of one, or an attribute or formula of the same thing."""
        if as_number(word.text) is not None:
            return word.text
        if word.text in self._symbols.numbers:
            self._symbols.uses.name("number", word.text, word.span)
            return str(self._symbols.numbers[word.text])
        known = [*self._symbols.numbers, *self._seen(kind)]
        self._known((word,), known, f"number, or attribute of `{kind.name}`", kind)
        return word.text

    def _values(
        self, layout: Layout, questions: Callable[[], Sequence[str]]
    ) -> Mapping[str, Mapping[str, str]]:
        known = questions()
        for word, _ in layout.values:
            if word.text not in known:
                self._symbols.unknown("name of what is chosen", word.text, word.span, known)
        return MappingProxyType({word.text: MappingProxyType(dict(labels)) for word, labels in layout.values})

    def _given(
        self, words: Sequence[tuple[SourceText, Sign]], keys: Keys, facts: Sequence[t.Column], kind: t.Kind
    ) -> Mapping[str, Sign]:
        """Signs by their keys, each the key of things or a part of one."""
        known = dict.fromkeys([*(key for own, _ in keys.values() for key in own), *parts_of(keys)])
        symbols = self._symbols
        lost = bool(symbols.uses.missing or symbols.error_nodes)
        for word, _ in words:
            if lost and word.text not in known and all(part in symbols.things for part in word.text.split()):
                continue  # what looks so is lost with a mistake that is told elsewhere
            if word.text not in known:
                self._symbols.unknown(f"{kind.name} of this look", word.text, word.span, list(known))
            else:
                self._things_in(word, facts, kind)
        return {word.text: signs for word, signs in words}

    def _keys(self, kind: t.Kind, facts: Sequence[t.Column]) -> Keys:
        """By `kind.thing`: the keys that stand for the thing, and their parts."""
        found: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
        for number, thing in enumerate(kind.things):
            parts = tuple(self._words(fact, number) for fact in facts)
            head, _, copy = thing.rpartition("_")
            copies = (head,) if copy.isdecimal() else ()  # all copies of one thing
            found[f"{kind.name}.{thing}"] = ((" ".join(parts),), parts) if parts else ((*copies, thing), ())
        return found

    def _things_in(self, word: SourceText, facts: Sequence[t.Column], kind: t.Kind) -> None:
        """A key of `symbols` names a thing, or what its facts are."""
        kinds = [fact.type.kind if isinstance(fact.type, ThingT) else "" for fact in facts] or [kind.name]
        names = word.text.split(" ")
        if len(names) < len(kinds):  # a part: whichever fact has it
            kinds = [k for k in kinds if k and names[0] in self._symbols.kinds[k].things]
        column = 1
        for name, owner in zip(names, kinds, strict=False):
            span = word.span_at(1, column, 1, column + len(name))
            self._symbols.uses.name("thing", name, span, owner)
            column += len(name) + 1

    def _fact(self, word: SourceText, kind: t.Kind) -> t.Column | None:
        facts = {c.name: c for c in self._columns(kind) if c.constant and not c.per}
        if word.text not in facts:
            self._symbols.unknown(f"fact of `{kind.name}`", word.text, word.span, list(facts))
        self._used(word, kind.name)
        return facts.get(word.text)

    def _columns(self, kind: t.Kind) -> Iterable[t.Column]:
        return [column for (owner, _), column in self._symbols.columns.items() if owner == kind.name]

    def _seen(self, kind: t.Kind) -> list[str]:
        """The names that a panel may show: attributes, formulas about one such thing, places of it."""
        attributes = [column.name for column in self._columns(kind) if not column.constant]
        formulas = [
            f.name
            for f in self._symbols.formulas.values()
            if f.parameters and f.parameters[0].type == ThingT(kind.name)
        ]
        places = [p.name for p in self._symbols.places.values() if p.of and p.of[0][1] is kind]
        return [*attributes, *formulas, *places]

    def _face(self, words: tuple[SourceText, ...], kind: t.Kind) -> None:
        facts = {c.name: c for c in self._columns(kind) if c.constant}
        names = self._known(words, [*facts, *self._seen(kind)], f"fact or attribute of `{kind.name}`", kind)
        self._faces[kind.name] = tuple(name for name in names if name not in facts)
        for number, thing in enumerate(kind.things):
            labels = (self._words(facts[name], number, True) for name in names if name in facts)
            self._printed[f"{kind.name}.{thing}"] = tuple(text for text in labels if text)

    def _known(
        self, words: tuple[SourceText, ...], known: Sequence[str], what: str, of: t.Kind
    ) -> tuple[str, ...]:
        for word in words:
            if word.text not in known:
                self._symbols.unknown(what, word.text, word.span, known)
            self._used(word, of.name)
        return tuple(word.text for word in words if word.text in known)

    def _is_small(self, word: SourceText) -> bool:
        columns = [f"{kind}.{name}" for kind, name in self._symbols.columns]
        columns += [f"{p.of[0][1].name}.{p.name}" for p in self._symbols.places.values() if p.of]
        names = [name for _, name in self._symbols.columns]
        known = [*columns, *names, *self._symbols.formulas, *self._symbols.places]
        if word.text not in known:
            self._symbols.unknown("attribute, place or formula", word.text, word.span, known)
        kind, dot, name = word.text.partition(".")
        if dot:
            self._symbols.uses.name("kind", kind, first_word(word.span, kind))
            self._used(text_at(name, last_word(word.span, name)), kind)
        else:
            for owner in self._symbols.kinds:
                self._used(word, owner)
        return word.text in known

    def _used(self, word: SourceText, kind: str) -> None:
        """A hint names a fact or attribute of a kind, a place or a formula."""
        column = self._symbols.columns.get((kind, word.text))
        uses = self._symbols.uses
        if column is not None:
            uses.name("fact" if column.constant else "attribute", word.text, word.span, kind)
        elif word.text in self._symbols.places:
            uses.name("place", word.text, word.span)
        elif word.text in self._symbols.formulas:
            uses.name("formula", word.text, word.span)

    def _lanes(self, lanes: LanesLayout) -> Lanes | None:
        kind, of = self._kind(lanes.kind), self._kind(lanes.of)
        if kind is None or of is None:
            return None
        length = self._fact(lanes.length, kind)
        names = self._known((lanes.lane, lanes.at), self._seen(of), f"attribute of `{of.name}`", of)
        if length is None or len(names) < 2:
            return None
        lengths = tuple((thing, _number(length.values[n])) for n, thing in enumerate(kind.things))
        return Lanes(kind.name, lengths, of.name, *names)

    def _words(self, fact: t.Column, number: int, for_people: bool = False) -> str:
        """The value of a fact of a thing; for people numbers and sets with their label, and nothing for nothing."""
        values = fact.printed(number + 1)
        if fact.per:
            return self._table(fact, values)
        value = values[0] if values else 0
        match fact.type:
            case ThingT(kind=kind):
                name = self._name(kind, _number(value))
            case SetT(kind=kind):
                names = [self._name(kind, n) for n in value] if isinstance(value, tuple) else []
                if not for_people or not names:
                    return " ".join(names)
                plain = fact.name in (
                    kind,
                    self._symbols.kinds[kind].plural,
                )  # what they are goes without saying
                label = "" if plain else f"{fact.name.replace('_', ' ')} "
                return label + " ".join(pretty(name).lower() for name in names)
            case FlagT():
                name = fact.name if value else ""
            case NumberT():
                return f"{fact.name.replace('_', ' ')} {value}" if for_people else str(value)
            case _:
                name = ""
        return pretty(name) if for_people and name else name

    def _table(self, fact: t.Column, values: Sequence[int | tuple[int, ...]]) -> str:
        """A fact `per` something in words: `cost wood 2 clay 1`."""
        labels = [
            f"{path.removeprefix(fact.name).strip('[]')} {value}"
            for path, value in zip(fact.paths, values, strict=False)
            if value
        ]
        return f"{fact.name} {', '.join(labels)}".replace("_", " ") if labels else ""

    def _name(self, kind: str, number: int) -> str:
        things = self._symbols.kinds[kind].things
        return things[number - 1] if 0 < number <= len(things) else ""


def _number(value: int | tuple[int, ...]) -> int:
    return value if isinstance(value, int) else 0


# Signs by key: a thing without its own sign is shown by the signs of its parts.


def parts_of(keys: Keys) -> tuple[str, ...]:
    """The possible keys of a part, for keys with several parts."""
    return tuple(dict.fromkeys(part for _, parts in keys.values() if len(parts) > 1 for part in parts))


def joined(given: Mapping[str, Sign], keys: Keys) -> dict[str, Sign]:
    """The signs of things; those of parts one after the other, where every part has one."""
    found = _own(given, keys)
    for thing, (_, parts) in keys.items():
        if thing not in found and parts and all(part in given for part in parts):
            signs = [given[part] for part in parts]
            found[thing] = ("".join(sign[0] for sign in signs), "".join(sign[-1] for sign in signs))
    return found


def first_of(given: Mapping[str, Sign], keys: Keys) -> dict[str, Sign]:
    """The colours of things, or of their first part that has one."""
    parts = {thing: [given[part] for part in parts if part in given] for thing, (_, parts) in keys.items()}
    return {thing: colours[0] for thing, colours in parts.items() if colours} | _own(given, keys)


def _own(given: Mapping[str, Sign], keys: Keys) -> dict[str, Sign]:
    return {thing: given[key] for thing, (own, _) in keys.items() for key in own if key in given}

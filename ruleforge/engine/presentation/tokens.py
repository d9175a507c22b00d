"""`Tokens` turns things that lie in a place into tokens with signs, faces and contents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ruleforge.backends.artifacts.info import GameInfo
from ruleforge.engine.presentation.cells import initials, letters_of
from ruleforge.engine.presentation.observation import SeenPlace, SeenThing, SeenValue, Table, Value
from ruleforge.engine.presentation.scene import Token
from ruleforge.engine.presentation.titles import Names
from ruleforge.support.spelling import as_number

DEEPEST = 3  # things in things in things
NAMELESS = Token("", "hidden", "▒", "?")


class Tokens:
    """Makes the tokens of one table."""

    def __init__(
        self, table: Table, info: GameInfo, changed: frozenset[str], named: Mapping[str, tuple[int, ...]]
    ) -> None:
        self._look, self._named, self._changed = info.look, named, changed
        self.names = Names(info)
        self._players = initials(table.players)
        self._values: dict[tuple[str, str], list[SeenValue]] = {}
        self._places: dict[tuple[str, str], list[SeenPlace]] = {}
        for value in table.values:
            self._values.setdefault((value.of.kind, value.of.thing), []).append(value)
        for place in table.places:
            self._places.setdefault((place.of.kind, place.of.thing), []).append(place)

    def within(self, place: SeenPlace, depth: int = 0) -> tuple[Token, ...]:
        """The tokens in a place; hidden things without marks are only counted elsewhere."""
        moved = place.of.path in self._changed
        return tuple(
            self.hidden(t, place.holds) if t.name is None else self.token(t.name, place.holds, moved, depth)
            for t in place.things
            if self.in_order(place) or not self.is_bare(t, place.holds)
        )

    def in_order(self, place: SeenPlace) -> bool:
        """Whether the place shows each thing in order: its order counts, and some hidden thing has marks."""
        return place.ordered and any(
            t.name is None and not self.is_bare(t, place.holds) for t in place.things
        )

    def bare(self, place: SeenPlace) -> int:
        """The number of hidden things that are only counted."""
        return 0 if self.in_order(place) else sum(self.is_bare(t, place.holds) for t in place.things)

    def is_bare(self, thing: SeenThing, kind: str) -> bool:
        """Whether a thing is hidden and has no marks worth showing."""
        return thing.name is None and not self._marks(thing, kind)

    def _marks(self, thing: SeenThing, kind: str) -> tuple[str, ...]:
        face = self._look.faces.get(kind)
        facts = (
            (name, value)
            for name, value in thing.marks
            if (name in face if face is not None else not self._look.is_small(kind, name)) and _tells(value)
        )
        return tuple(self._fact_text(kind, name, value) for name, value in facts)

    def hidden(self, thing: SeenThing, kind: str) -> Token:
        sign = self._look.symbols.get(kind, (NAMELESS.sign, NAMELESS.letters))
        return Token("", "hidden", sign[0], sign[-1], "", self._marks(thing, kind))

    def token(self, name: str, kind: str = "", changed: bool = False, depth: int = 0) -> Token:
        sign, letters = self._signs(name, kind)
        return Token(
            name,
            sign if self._is_back(name, kind) else self.names.thing(name, kind),
            sign,
            letters,
            self.colour(name, kind),
            self._face(name, kind),
            self._holds(name, kind, depth),
            changed or any(v.of.path in self._changed for v in self._values.get((kind, name), ())),
            self._named.get(name, ()),
        )

    def colour(self, name: str, kind: str = "") -> str:
        """The player it stands for, or the colour it is said to have."""
        if name in self._players:
            return name
        given = self._look.colours.get(f"{kind}.{name}")
        return given[0] if given else name.rpartition("_")[0] or name

    def _signs(self, name: str, kind: str) -> tuple[str, str]:
        given = self._look.symbols.get(f"{kind}.{name}") or self._look.symbols.get(kind)
        if given:
            return given[0], given[-1]
        plain = self._players.get(name) or letters_of(name)
        return plain, plain

    def _is_back(self, name: str, kind: str) -> bool:
        """Whether it is only the back of something: its kind has a sign, it itself has none."""
        return kind in self._look.symbols and f"{kind}.{name}" not in self._look.symbols

    def _face(self, name: str, kind: str) -> tuple[str, ...]:
        printed = self._look.printed.get(f"{kind}.{name}", ())
        wanted = self._look.faces.get(kind)
        values = {v.of.name: v.value for v in self._values.get((kind, name), ()) if not v.of.index}
        facts: dict[str, Value]
        if wanted is None:
            facts = {
                n: v for n, v in values.items() if isinstance(v, int) and not self._look.is_small(kind, n)
            }
        else:
            facts = {n: values[n] for n in wanted if n in values}
        worth_showing = {n: v for n, v in facts.items() if n != "exists" and _tells(v)}
        return (
            *printed,
            *(self._fact_text(kind, n, v) + self.up_to(kind, name, n) for n, v in worth_showing.items()),
        )

    def _fact_text(self, kind: str, name: str, value: Value) -> str:
        label = self.names.label(name, kind)
        return label if value is True else f"{label} {self.names.value(value)}".strip()

    def _holds(self, name: str, kind: str, depth: int) -> tuple[Token, ...]:
        if depth >= DEEPEST:
            return ()
        inner = self._places.get((kind, name), ()) if kind else ()
        return tuple(token for place in inner for token in self.within(place, depth + 1))

    def up_to(self, kind: str, thing: str, name: str) -> str:
        """` of 20` behind what is counted up to something."""
        limit = self._look.of.get(f"{kind}.{name}")
        if limit is None or as_number(limit) is not None:
            return f" of {limit}" if limit else ""
        seen = [v.value for v in self._values.get((kind, thing), ()) if v.of.name == limit and not v.of.index]
        return f" of {self.names.value(seen[0])}" if seen else ""

    def owners(self) -> Iterable[tuple[str, str]]:
        """Kind and name of every thing with a visible value or place."""
        return dict.fromkeys((*self._values, *self._places))

    def values_of(self, kind: str, thing: str) -> list[SeenValue]:
        return self._values.get((kind, thing), [])

    def places_of(self, kind: str, thing: str) -> list[SeenPlace]:
        return self._places.get((kind, thing), [])


def _tells(value: Value) -> bool:
    return value not in (None, False, 0, [])

"""The resolved layout of a game: symbols, colours, faces and small print, by names of the ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from ruleforge.support.records import dataclass


def _nothing() -> Mapping[str, tuple[str, ...]]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Lanes:
    """Things of a kind that are drawn as tracks: their lengths, and the attributes with positions on them."""

    kind: str
    lengths: tuple[tuple[str, int], ...]
    of: str  # the kind that stands on them
    lane: str  # its attribute that names the track
    at: str  # its attribute that counts the steps on it, from 0


@dataclass(frozen=True, slots=True)
class Appearance:
    """Hints for drawing the table. Keys are `kind.thing`, `kind.attribute`, or a name alone."""

    symbols: Mapping[str, tuple[str, ...]] = field(default_factory=_nothing)  # a sign, and its letters
    colours: Mapping[str, tuple[str, ...]] = field(default_factory=_nothing)
    printed: Mapping[str, tuple[str, ...]] = field(default_factory=_nothing)  # facts on the face of a thing
    faces: Mapping[str, tuple[str, ...]] = field(default_factory=_nothing)  # kind -> other parts of a face
    shows: Mapping[str, tuple[str, ...]] = field(default_factory=_nothing)  # kind -> what it shows, in order
    boxes: tuple[str, ...] = ()  # kinds whose things are boxes side by side
    small: frozenset[str] = frozenset()
    quiet: frozenset[str] = frozenset()  # attributes that are shown, but whose changes go without saying
    lanes: Lanes | None = None
    by_sign: frozenset[str] = frozenset()  # kinds whose things are called by their signs
    names: Mapping[str, str] = field(
        default_factory=lambda: MappingProxyType({})
    )  # attribute -> kind it names

    of: Mapping[str, str] = field(
        default_factory=lambda: MappingProxyType({})
    )  # `kind.attribute` -> the number it is counted up to, or the attribute or formula that says it
    values: Mapping[str, Mapping[str, str]] = field(
        default_factory=lambda: MappingProxyType({})
    )  # parameter -> number -> its meaning

    def signs(self) -> Mapping[str, tuple[str, ...]]:
        """The things drawn as signs, as `kind.thing`: the sign, and its letters."""
        return {
            key: sign
            for key, sign in self.symbols.items()
            if key.partition(".")[0] in self.by_sign and "." in key
        }

    def is_small(self, kind: str, name: str) -> bool:
        """Whether something is small print."""
        return name in self.small or f"{kind}.{name}" in self.small

    def is_narrated(self, kind: str, attribute: str) -> bool:
        """Whether it is told when this attribute changes."""
        if self.is_small(kind, attribute) or attribute in self.quiet or f"{kind}.{attribute}" in self.quiet:
            return False
        shows = self.shows.get(kind)
        return shows is None or attribute in shows


NO_LOOK = Appearance()

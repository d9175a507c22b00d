"""What a made-up ruleset declares, so that what is written about it can be of the right type."""

from __future__ import annotations

from dataclasses import dataclass, field

Type = tuple[object, ...]
FLAG: Type = ("flag",)


def number(low: int, high: int) -> Type:
    return ("number", low, high)


def thing(kind: str) -> Type:
    return ("thing", kind)


def maybe(kind: str) -> Type:
    return ("maybe", kind)


def set_of(kind: str) -> Type:
    return ("set", kind)


def written(type: Type) -> str:
    """A type as the language writes it."""
    match type:
        case ("number", low, high):
            return f"{low}..{high}"
        case ("thing", kind):
            return str(kind)
        case ("maybe", kind):
            return f"{kind} or none"
        case ("set", kind):
            return f"set of {kind}"
    return "flag"


@dataclass
class Kind:
    name: str
    things: list[str]  # none of a pool: they have no names that can be written
    facts: dict[str, Type] = field(default_factory=dict)
    has: dict[str, tuple[Type, str | None]] = field(default_factory=dict)  # the second: `per` which kind
    grid: bool = False
    edges: bool = False  # of the cells of the grid
    pool: bool = False
    made: str | None = None  # a thing of it that is made in play


@dataclass
class Place:
    name: str
    holds: str
    of: str | None = None
    ordered: bool = False
    single: bool = False


@dataclass
class World:
    kinds: dict[str, Kind] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    numbers: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    formulas: dict[str, tuple[list[Type], Type]] = field(default_factory=dict)
    events: dict[str, list[Type]] = field(default_factory=dict)
    windows: dict[str, list[Type]] = field(default_factory=dict)
    keywords: list[str] = field(default_factory=list)
    phases: list[str] = field(default_factory=list)
    endings: list[str] = field(default_factory=list)
    players: int = 2

    def columns(self, type: str) -> list[tuple[str, str, Type, str | None]]:
        """Facts and attributes whose type begins with this word: kind, name, type, per."""
        found: list[tuple[str, str, Type, str | None]] = []
        for kind in self.kinds.values():
            found += [(kind.name, name, t, None) for name, t in kind.facts.items() if t[0] == type]
            found += [(kind.name, name, t, per) for name, (t, per) in kind.has.items() if t[0] == type]
        return found

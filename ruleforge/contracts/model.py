"""The model of a contract: guards, points, and the parts that need all effect summaries together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ruleforge.contracts.terms import Target, Term, Value
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics import NOWHERE, Diagnostic, Span
from ruleforge.support.records import dataclass

Clauses = tuple[str, ...]

# Every kind of change, with the words of a contract's prose for it.
CHANGES: Mapping[str, str] = {
    "redefine": "say anew",
    "define": "bring",
    "modify": "modify",
    "gain": "change",
    "move": "move",
    "create": "make",
    "call": "call",
    "again": "open again",
    "act": "offer",
    "listen": "wait for",
    "instead": "replace",
    "forbid": "forbid",
    "lift": "loosen",
    "retry": "repeat",
    "step": "add steps",
    "fill": "fill",
    "choose": "settle",
    "start": "begin with other values of",
    "end": "add the ending",
    "look": "look at",
    "seat": "play the seat of",
    "undo": "take back",
}


# Defaults of a contract: limiters of circles, ways to deny, sorts of chance.
SETTLED_BY = ("limit", "spend", "descend")
COUNTS = ("forbid", "raise", "fail")
NEVER = ("roll", "shuffle", "pick", "choice")


@dataclass(frozen=True, slots=True)
class Guard:
    """Words and clauses for a change that no point admits."""

    span: Span
    of: tuple[Target, ...]
    lock: str = ""
    cites: Clauses = ()
    say: str = ""
    fix: str = ""

    @property
    def clauses(self) -> Clauses:
        """The lock of the rulebook first, then the clauses it protects."""
        return tuple(dict.fromkeys(((self.lock,) if self.lock else ()) + self.cites))


@dataclass(frozen=True, slots=True)
class Point:
    """A change that packs may make, within its limits: `point[EACH]` is one of them, None if it is not written.

    `over` and `bare` are the clauses for a size and for a missing condition.
    """

    id: str
    span: Span
    admits: Mapping[str, tuple[Target, ...]]
    limits: Mapping[Term[Any], Any]
    cites: Clauses = ()
    say: str = ""
    over: Clauses = ()
    bare: Clauses = ()

    def __getitem__(self, term: Term[Value]) -> Value | None:
        return self.limits.get(term)

    @property
    def targets(self) -> tuple[Target, ...]:
        return tuple(target for targets in self.admits.values() for target in targets)

    def targets_of(self, kind: str) -> list[str]:
        """The admitted targets of a kind of change."""
        return [target.text for target in self.admits.get(kind, ())]


@dataclass(frozen=True, slots=True)
class Bounded:
    """A resource whose gain by packs must be finite in a period."""

    of: Target
    per: str = "turn"
    warn: int | None = None
    cites: Clauses = ()

    @property
    def span(self) -> Span:
        return self.of.span


@dataclass(frozen=True, slots=True)
class Flow:
    """Nothing payable with `source`, or hung on the event `after`, may give `into`; nor does `by` say how much of it."""

    span: Span
    into: tuple[str, ...]
    source: str = ""
    after: str = ""
    by: str = ""
    cites: Clauses = ()


@dataclass(frozen=True, slots=True)
class Loops:
    """The ways to settle a circle of rules, and the greatest length of a chain in play."""

    span: Span = NOWHERE
    settled_by: tuple[str, ...] = SETTLED_BY
    fuse: int | None = None
    cites: Clauses = ()


@dataclass(frozen=True, slots=True)
class Denial:
    """The longest time for which an action may be denied to a player."""

    span: Span
    of: str
    window: str
    counts: tuple[str, ...] = COUNTS
    covers: int = 1
    gap: int = 1
    void: str = ""
    rests: str = ""  # the attribute in which the core itself remembers who denied last
    clause: Clauses = ()
    endless: Clauses = ()
    cites: Clauses = ()


@dataclass(frozen=True, slots=True)
class Chance:
    """Procedures inside which packs may not roll, shuffle, pick or ask."""

    span: Span
    inside: tuple[str, ...]
    never: tuple[str, ...] = NEVER
    cites: Clauses = ()


@dataclass(frozen=True, slots=True)
class Secrecy:
    """Places that stay hidden, and the operations that may open them."""

    span: Span
    keep: tuple[str, ...]
    allowed: tuple[str, ...] = ()
    cites: Clauses = ()


@dataclass(frozen=True, slots=True)
class Conserve:
    """Kinds whose number stays the same."""

    span: Span = NOWHERE
    of: tuple[str, ...] = ()
    cites: Clauses = ()


@dataclass(frozen=True, slots=True)
class Holds:
    """A condition that must be true, and the moment of the check: load, change, commit or turn_end."""

    span: Span
    that: SourceText | None
    at: str = "load"
    cites: Clauses = ()
    say: str = ""  # the same in words

    @property
    def text(self) -> str:
        """The predicate on one line."""
        return " ".join(self.that.text.split()) if self.that is not None else ""


Part = Point | Guard | Bounded | Flow | Loops | Denial | Chance | Secrecy | Conserve | Holds


@dataclass(frozen=True, slots=True)
class Contract:
    """The changes that a core lets packs make. `closed`: every change needs a point; otherwise only guarded
    ones do.

    A file with `mistakes` has no sure meaning: it cannot judge any pack.
    """

    file: str
    span: Span
    locked: str = ""
    closed: bool = True
    otherwise: Clauses = ()
    cites: Clauses = ()
    packs: tuple[str, ...] = ()
    guards: tuple[Guard, ...] = ()
    points: tuple[Point, ...] = ()
    bounded: tuple[Bounded, ...] = ()
    rates: Mapping[str, int] | None = None
    flows: tuple[Flow, ...] = ()
    loops: Loops | None = None
    denial: tuple[Denial, ...] = ()
    chance: tuple[Chance, ...] = ()
    secrecy: tuple[Secrecy, ...] = ()
    conserve: Conserve = Conserve()
    holds: tuple[Holds, ...] = ()
    mistakes: tuple[Diagnostic, ...] = ()

    @property
    def fallback(self) -> Clauses:
        """The clauses cited if no guard is more special."""
        return self.otherwise or self.cites

    @property
    def fuse(self) -> int | None:
        """How many steps one choice may cause with packs; None if the core leaves it to its own limits."""
        return self.loops.fuse if self.loops else None

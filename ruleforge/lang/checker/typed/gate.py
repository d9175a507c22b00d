"""The runtime checks of a contract: built by `contracts`, compiled by the compiler."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from ruleforge.lang.checker.typed.declarations import Action, Event, Formula, Rule
from ruleforge.lang.checker.typed.expressions import Expr
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

Ends = tuple[int, int]
Clauses = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Cap:
    """Limits of what packs do to a formula: of one source, of all sources together, of the outcome, and the last one.

    `rules` are those of packs that modify it. `cuts`: the formula's own limits would let more through.
    """

    formula: Formula
    rules: frozenset[Rule]
    clauses: Clauses
    span: Span
    each: Ends | None = None
    sum: Ends | None = None
    result: Ends | None = None
    final: Ends | None = None
    cuts: bool = True


@dataclass(frozen=True, eq=False)
class Share:
    """So many of the `claims` of all packs together happen at most, until the event or phase `per` comes again.

    `per` is the word `game` where it never does.
    """

    most: int
    per: Event | str
    claims: frozenset[Event | Action | Rule]
    clauses: Clauses
    span: Span


@dataclass(frozen=True, eq=False)
class Rest:
    """An event that denies the next `window` of its player number `victim`: void where one denied too lately.

    `by` is the number of the parameter that says whose denial it is; None if all count as one. So many windows as
    `gap` says lie free between two denials.
    """

    event: Event
    window: str
    victim: int
    by: int | None
    gap: int
    clauses: Clauses
    span: Span


@dataclass(frozen=True, eq=False)
class Stand:
    """A guarantee that packs must not break; `at`: change, commit or turn_end."""

    test: Expr
    text: str
    at: str
    clauses: Clauses
    span: Span


@dataclass(frozen=True, eq=False)
class Gate:
    """All runtime checks for a set of packs. With `observe` breaches are recorded, not prevented.

    `name` distinguishes gates. Compiled code and saved games belong to one gate.
    """

    files: frozenset[str]
    caps: Mapping[Formula, Cap] = field(default_factory=lambda: MappingProxyType({}))
    shares: tuple[Share, ...] = ()
    rests: tuple[Rest, ...] = ()
    stands: tuple[Stand, ...] = ()
    longest_chain: int | None = None
    chain: Clauses = ()  # the clauses of the chain limit
    conserved: Mapping[str, Clauses] = field(
        default_factory=lambda: MappingProxyType({})
    )  # kinds that stay as many
    sure: Mapping[Event, Clauses] = field(
        default_factory=lambda: MappingProxyType({})
    )  # no chance, no question inside
    observe: bool = False
    name: str = ""

    @property
    def acts(self) -> bool:
        """Does it change what happens in play, or what is kept of it?"""
        counters = (*self.shares, *self.rests, *self.stands, *(cap for cap in self.caps.values() if cap.cuts))
        return self.observe or any(counters)

    @property
    def places(self) -> tuple[Span, ...]:
        """The places of its parts in the contract."""
        caps = tuple(cap.span for cap in self.caps.values())
        counters = (*(share.span for share in self.shares), *(rest.span for rest in self.rests))
        return (*caps, *counters, *(stand.span for stand in self.stands))

    def is_of_pack(self, span: Span) -> bool:
        return span.file in self.files

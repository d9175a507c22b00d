"""The names of a ruleset: their declarations, their references, and the locals in scope at a place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from types import MappingProxyType

from ruleforge.lang.checker.typed.declarations import Variable
from ruleforge.lang.model import ruleset as m
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import as_number

# The sort of a name, its kind (for things and columns), and the name.
Key = tuple[str, str, str]
Copies = Mapping[tuple[str, str], list[tuple[int, Key]]]


@dataclass(frozen=True, slots=True)
class Declared:
    """A name from an author: of a kind, a thing, a fact, an attribute, a formula, ...; `of` is its owner."""

    what: str
    name: str
    span: Span
    origin: str  # the game or pack that declares it
    of: str = ""
    numbered: int = 0  # so many things are called by this name and a number, as in `coin_3`


@dataclass(frozen=True)
class Names:
    declared: tuple[Declared, ...]
    references: Mapping[Declared, tuple[Span, ...]]
    missing: frozenset[str]  # used, or declared with a mistake: reported where the rules were checked
    _scopes: Mapping[str, tuple[tuple[Span, Mapping[str, Variable]], ...]] = field(repr=False)

    def named(self, name: str) -> tuple[Declared, ...]:
        return tuple(d for d in self.declared if d.name == name)

    def at(self, file: str, line: int, column: int) -> Declared | None:
        """The declaration of the name at a place of a file."""
        for declared in self.declared:
            for span in (declared.span, *self.references[declared]):
                if span.file == file and _holds(span, line, column):
                    return declared
        return None

    def scopes_in(self, span: Span) -> tuple[tuple[Span, Mapping[str, Variable]], ...]:
        """The expressions and statements within a stretch, each with the locals that it may use."""
        found = self._scopes.get(span.file, ())
        return tuple(
            (own, known)
            for own, known in found
            if own[1:3] >= span[1:3] and own[3:] <= (span.end_line + 1, 1)
        )

    def in_scope(self, file: str, line: int, column: int) -> Mapping[str, Variable]:
        """The locals that an effect text may use at a place: those of the smallest expression or statement around it."""
        around = [(span, known) for span, known in self._scopes.get(file, ()) if _holds(span, line, column)]
        if not around:
            return MappingProxyType({})
        return min(around, key=lambda found: _size(found[0]))[1]


@dataclass
class Uses:
    """The checker's record of uses of names and of scopes."""

    spans: dict[Key, list[Span]] = field(default_factory=dict)
    scopes: dict[str, list[tuple[Span, dict[str, Variable]]]] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)

    def name(self, what: str, name: str, span: Span, of: str = "") -> None:
        self.spans.setdefault((what, of, name), []).append(span)

    def scope(self, span: Span, variables: dict[str, Variable]) -> None:
        self.scopes.setdefault(span.file, []).append((span, variables))


def names_of(ruleset: m.Ruleset, uses: Uses, sizes: Mapping[str, int]) -> Names:
    """`sizes` are how many things each kind has."""
    declared = tuple(_declared(ruleset, sizes))
    copies = copies_in(uses.spans)
    references = {d: tuple(sorted(set(spans_of(d, uses.spans, copies)))) for d in declared}
    scopes = {
        file: tuple((span, MappingProxyType(variables)) for span, variables in found)
        for file, found in uses.scopes.items()
    }
    missing = frozenset(uses.missing)
    return Names(declared, MappingProxyType(references), missing, MappingProxyType(scopes))


def copies_in(spans: Mapping[Key, list[Span]]) -> Copies:
    """The things called `NAME_NUMBER` that are spoken of, by their kind and NAME: few, however many there may be."""
    found: dict[tuple[str, str], list[tuple[int, Key]]] = {}
    for key in spans:
        what, of, name = key
        base, _, digits = name.rpartition("_")
        number = as_number(digits) if what == "thing" and base else None
        if number is not None:
            found.setdefault((of, base), []).append((number, key))
    return found


def spans_of(declared: Declared, spans: Mapping[Key, list[Span]], copies: Copies) -> Iterator[Span]:
    """The places of a name, from the notes by name."""
    yield from spans.get((declared.what, declared.of, declared.name), ())
    if declared.what == "keyword":  # keywords are things of a kind as well
        yield from spans.get(("thing", "keyword", declared.name), ())
    for number, key in copies.get((declared.of or declared.name, declared.name), ()):
        if 0 < number <= declared.numbered:
            yield from spans[key]


def last_word(span: Span, name: str) -> Span:
    """The place of a name that ends an expression, as in `thing.name`."""
    return Span(span.file, span.end_line, max(1, span.end_column - len(name)), span.end_line, span.end_column)


def first_word(span: Span, name: str) -> Span:
    """The place of a name that begins an expression, as in `name(...)`."""
    return Span(span.file, span.line, span.column, span.line, span.column + len(name))


def _declared(ruleset: m.Ruleset, sizes: Mapping[str, int]) -> Iterator[Declared]:
    def all_of(what: str, definitions: Iterable[m.Named], of: str = "") -> Iterator[Declared]:
        return (Declared(what, d.id, d.span, d.origin or ruleset.id, of) for d in definitions)

    for kind in ruleset.kinds:
        made = sizes.get(kind.id, 0) if kind.pool is not None else kind.count or 0
        yield Declared("kind", kind.id, kind.span, kind.origin or ruleset.id, numbered=made)
        for thing in kind.things:
            copies = thing.copies if thing.copies > 1 else 0
            yield Declared("thing", thing.id, thing.span, thing.origin or ruleset.id, kind.id, copies)
        yield from all_of("fact", kind.facts, kind.id)
        yield from all_of("attribute", kind.has, kind.id)
        yield from all_of("rule", kind.rules, kind.id)
        yield from all_of("action", kind.actions, kind.id)
        for thing in kind.things:
            yield from all_of("rule", thing.rules, thing.id)
            yield from all_of("action", thing.actions, thing.id)
    for keyword in ruleset.keywords:
        yield from all_of("keyword", [keyword])
        yield from all_of("rule", keyword.rules, keyword.id)
        yield from all_of("action", keyword.actions, keyword.id)
    yield from all_of("option", ruleset.options)
    yield from all_of("number", ruleset.numbers)
    yield from all_of("place", ruleset.places)
    yield from all_of("formula", ruleset.formulas)
    yield from all_of("event", ruleset.events)
    yield from all_of("window", ruleset.windows)
    yield from all_of("manner", ruleset.manners)
    yield from all_of("position", ruleset.positions)
    yield from all_of("action", ruleset.actions)
    yield from all_of("rule", ruleset.rules)
    yield from all_of("ending", ruleset.endings)
    yield from all_of("invariant", ruleset.invariants)
    yield from all_of("check", ruleset.checks)
    yield from all_of("profile", ruleset.profiles)
    yield from all_of("phase", _phases(ruleset.flow))


def _phases(flow: tuple[m.Phase, ...]) -> Iterator[m.Phase]:
    for phase in flow:
        yield phase
        yield from _phases(phase.steps)


def _holds(span: Span, line: int, column: int) -> bool:
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)


def _size(span: Span) -> tuple[int, int]:
    return span.end_line - span.line, span.end_column - span.column

"""The tables of everything a ruleset declares, filled step by step, and the questions the checker asks of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ruleforge.ceilings import CEILINGS, Ceilings
from ruleforge.check import typed as t
from ruleforge.check.names import Uses
from ruleforge.check.sizes import Sizes
from ruleforge.check.types import ERROR, FLAG, NumberT, SetT, ThingT, Type
from ruleforge.diagnostics import Edit, Fix, Report, Span
from ruleforge.dsl import nodes as n
from ruleforge.dsl.parsed import Parsed
from ruleforge.names import nearest
from ruleforge.source.holes import Holes
from ruleforge.source.scalar_origin import SourceText

if TYPE_CHECKING:
    from ruleforge.check.scope import Scope

# Words that mean something in every ruleset.
BARE_WORDS = ("game", "option", "me", "active")


@dataclass(frozen=True)
class Head:
    """What a call of a formula or event must know of it; bodies are checked when all heads are declared."""

    name: str
    parameters: tuple[t.Variable, ...]
    span: Span


@dataclass(frozen=True)
class _Unknown:
    """One use of a name that nothing has."""

    what: str
    name: str
    span: Span
    close: str | None

    @property
    def is_member(self) -> bool:
        """An attribute of one kind has nothing to do with one of another, unless nothing at all has its name."""
        return "`" in self.what


# Names of functions that authors bring along from elsewhere -> how it is said here.
_ELSEWHERE = {
    **dict.fromkeys(("len", "length", "size"), "write `count(x in SET)`"),
    **dict.fromkeys(("exists", "some", "contains"), "write `any(x in SET where ...)`"),
    **dict.fromkeys(("forall", "every"), "write `all(... for x in SET)`"),
    **dict.fromkeys(("filter", "select", "where"), "write `{x in SET where ...}`"),
    **dict.fromkeys(("randint", "rand", "dice", "die"), "write `let x = roll 1d6`"),
    **dict.fromkeys(("union",), "write `S | T`"),
    **dict.fromkeys(("sqrt", "pow", "floor", "ceil", "round"), "numbers are whole: there are + - * // %"),
}
_TYPES = "a type is a range such as `0..9`, `flag`, a kind, a kind `or none`, or `set of` a kind"


def _of_other_languages(use: _Unknown) -> str | None:
    if use.what == "formula":
        return _ELSEWHERE.get(use.name)
    return _TYPES if use.what == "kind" and not use.close else None


@dataclass
class Symbols:
    report: Report
    parsed: Parsed
    holes: Holes
    kinds: dict[str, t.Kind] = field(default_factory=dict)
    plurals: dict[str, t.Kind] = field(default_factory=dict)
    things: dict[str, list[tuple[t.Kind, int]]] = field(default_factory=dict)
    columns: dict[tuple[str, str], t.Column] = field(default_factory=dict)
    places: dict[str, t.Place] = field(default_factory=dict)
    formula_heads: dict[str, Head] = field(default_factory=dict)
    event_heads: dict[str, Head] = field(default_factory=dict)
    formulas: dict[str, t.Formula] = field(default_factory=dict)
    events: dict[str, t.Event] = field(default_factory=dict)
    endings: dict[str, t.Ending] = field(default_factory=dict)
    options: dict[str, t.Option] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    sizes: dict[str, tuple[str, int]] = field(default_factory=dict)  # plural -> kind, how many there are
    phases: dict[str, Span] = field(default_factory=dict)
    geometry: dict[str, t.Geometry] = field(default_factory=dict)
    keywords: dict[str, t.Keyword] = field(default_factory=dict)
    windows: dict[str, t.Window] = field(default_factory=dict)
    positions: dict[str, t.Position] = field(default_factory=dict)
    conduct: dict[t.Kind | t.Keyword, t.Conduct] = field(default_factory=dict)
    two_players: bool = False
    ceilings: Ceilings = CEILINGS
    shown: set[str] = field(default_factory=set)  # kinds of which things are shown to players
    uses: Uses = field(default_factory=Uses)
    room: Sizes = field(init=False)
    _unknown: list[_Unknown] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.room = Sizes(self.report, self.ceilings)

    def may_speak_of(self, text: SourceText | None, scope: Scope) -> None:
        """Of a text that cannot be read it is known at least what it may name: an author is writing it."""
        if text is not None and self.parsed.texts[text].node is None:
            self.uses.scope(text.span, scope.variables)

    def error(
        self, code: str, message: str, span: Span, help: str | None = None, fix: Fix = ()
    ) -> t.Constant:
        """Report, and give an expression that fits anywhere so that one mistake is told once."""
        self.report.add(code, message, span, help, fix=fix)
        return t.Constant(span, ERROR, 0)

    def unknown(self, what: str, name: str, span: Span, known: Sequence[str]) -> t.Constant:
        """A name that nothing has: complained about once, in `tell_unknown`, if no hole may have declared it."""
        self.uses.missing.add(name)
        if not self.holes.may_hold(name):
            self._unknown.append(_Unknown(what, name, span, nearest(name, known)))
        return t.Constant(span, ERROR, 0)

    def lost(self, *names: str) -> None:
        """A declaration cannot be used because of a mistake in it: its names are known, but nothing is known of them."""
        self.uses.missing.update(names)
        self.holes |= Holes(frozenset(names))

    def tell_unknown(self) -> None:
        """One complaint for each unknown name, at its first use."""
        for uses in _by_mistake(self._unknown):
            first = min(uses, key=lambda use: (len(use.name), use.span))
            others = sorted({use.span for use in uses} - {first.span})
            notes = ((f"and {len(others)} more times, next", others[0]),) if others else ()
            elsewhere = _of_other_languages(first)
            help = elsewhere or (f"did you mean `{first.close}`?" if first.close else None)
            fix = (
                tuple(Edit(use.span, use.close or first.close, use.name) for use in uses)
                if first.close and not elsewhere
                else ()
            )
            self.report.add("RF501", f"unknown {first.what} `{first.name}`", first.span, help, notes, fix)
        self._unknown.clear()

    def position(self, name: str, span: Span) -> t.Position | None:
        found = self.positions.get(name)
        if found is None:
            self.unknown("position", name, span, list(self.positions))
        self.uses.name("position", name, span)
        return found

    def taken(self, name: str) -> bool:
        """Does a name already mean something in every text?"""
        return (
            name in self.formula_heads or name in self.event_heads or name in self.kinds or self.is_name(name)
        )

    def is_name(self, name: str) -> bool:
        """Can a bare word be this, apart from locals?"""
        tables = (self.plurals, self.things, self.places, self.numbers)
        return name in BARE_WORDS or any(name in table for table in tables)

    def add_kind(self, kind: t.Kind) -> None:
        self.kinds[kind.name] = kind
        self.plurals[kind.plural] = kind
        for i, thing in enumerate(kind.things, start=1):
            self.things.setdefault(thing, []).append((kind, i))

    def names(self) -> list[str]:
        """Everything a bare word can mean, apart from locals."""
        return [*self.plurals, *self.things, *self.places, *self.numbers, *BARE_WORDS]

    def column(self, kind: str, name: str) -> t.Column | None:
        return self.columns.get((kind, name))

    def places_indexed_by(self, kind: str, name: str) -> t.Place | None:
        """The family `name` if its first index is of this kind: `me.hand`."""
        place = self.places.get(name)
        return place if place and place.of and place.of[0][1].name == kind else None

    def inverse(self, kind: str, name: str) -> tuple[tuple[t.Place, ...], int] | None:
        """Places whose index is called `name` and which hold this kind: `card.holder`."""
        found = []
        position = 0
        for place in self.places.values():
            if place.holds.name != kind:
                continue
            for i, (index, _) in enumerate(place.of):
                if index == name:
                    found.append(place)
                    position = i
        return (tuple(found), position) if found else None

    def members(self, kind: str) -> list[str]:
        """All that may stand after the dot of a thing of this kind."""
        own = [name for (k, name) in self.columns if k == kind]
        contents = [p.name for p in self.places.values() if p.of and p.of[0][1].name == kind]
        indices = [i for p in self.places.values() if p.holds.name == kind for i, _ in p.of]
        return own + contents + indices

    def type_of(self, node: n.Type) -> Type:
        """A written type -> a type; the bounds of numbers must be constant."""
        from ruleforge.check.constants import constant_number

        match node:
            case n.NumberType(low=low, high=high):
                bottom, top = constant_number(low, self), constant_number(high, self)
                if bottom is None or top is None:
                    return ERROR
                if bottom > top:
                    self.error("RF508", f"the range {bottom}..{top} is empty", node.span)
                    return ERROR
                return NumberT(bottom, top)
            case n.FlagType():
                return FLAG
            case n.KindType(kind=name, optional=optional):
                return ThingT(name, optional) if self.kind_named(name, node.span) else ERROR
            case n.SetType(kind=name):
                return SetT(name) if self.kind_named(name, node.span) else ERROR

    def kind_named(self, name: str, span: Span) -> t.Kind | None:
        kind = self.kinds.get(name)
        if kind is None:
            if name in self.plurals:
                right = self.plurals[name].name
                self.error(
                    "RF501",
                    f"`{name}` is the set of all; the type is `{right}`",
                    span,
                    f"write `{right}`",
                    (Edit(span, right, name),),
                )
            else:
                self.unknown("kind", name, span, list(self.kinds))
        else:
            self.uses.name("kind", name, span)
        return kind


def _by_mistake(unknown: list[_Unknown]) -> list[list[_Unknown]]:
    """The uses of unknown names, those together that one mistake explains: a missing kind takes its plural with it."""
    names = {use.name for use in unknown if not use.is_member}
    found: dict[tuple[str, str], list[_Unknown]] = {}
    for use in unknown:
        stem = use.name.partition(".")[0].removesuffix("s")
        name = stem if stem in names else use.name
        of = use.what if use.is_member and name not in names else ""
        found.setdefault((of, name), []).append(use)
    return list(found.values())

"""The tables of everything a ruleset declares, filled step by step, with lookups for the checker."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.names import Uses
from ruleforge.lang.checker.sizes import Sizes
from ruleforge.lang.checker.types import ERROR
from ruleforge.lang.checker.unknown_names import Help, Unknown, tell, with_note
from ruleforge.lang.parser.parsed import Parsed
from ruleforge.lang.source.error_nodes import ErrorNodes
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.ceilings import CEILINGS, Ceilings
from ruleforge.support.diagnostics import Edit, Fix, Report, Span
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import listed, nearest, once_more

# Words that mean something in every ruleset.
MOST_COMPARED = 30_000  # pairs of an unknown name and a known one, in a whole ruleset
BARE_WORDS = ("game", "option", "me", "active")


@dataclass(frozen=True)
class Head:
    """The signature of a formula or event. Bodies are checked after all signatures."""

    name: str
    parameters: tuple[t.Variable, ...]
    span: Span


@dataclass
class Symbols:
    report: Report
    parsed: Parsed
    error_nodes: ErrorNodes
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
    number_spans: dict[str, Span] = field(default_factory=dict)
    sizes: dict[str, tuple[str, int]] = field(default_factory=dict)  # plural -> kind, how many there are
    phases: dict[str, Span] = field(default_factory=dict)
    acting: dict[str, None] = field(default_factory=dict)  # the phases in which a player acts
    offered: dict[str, list[tuple[str, tuple[str, ...]]]] = field(
        default_factory=dict
    )  # action -> on what it is printed, where it is offered
    geometry: dict[str, t.Geometry] = field(default_factory=dict)
    keywords: dict[str, t.Keyword] = field(default_factory=dict)
    windows: dict[str, t.Window] = field(default_factory=dict)
    positions: dict[str, t.Position] = field(default_factory=dict)
    conduct: dict[t.Kind | t.Keyword, t.Conduct] = field(default_factory=dict)
    two_players: bool = False
    finished: bool = False  # nothing more is declared: what is checked now only asks
    ceilings: Ceilings = CEILINGS
    shown: set[str] = field(default_factory=set)  # kinds of which things are shown to players
    disclosed: dict[t.Column, None] = field(default_factory=dict)  # facts of which players are told
    uses: Uses = field(default_factory=Uses)
    room: Sizes = field(init=False)
    _unknown: list[Unknown] = field(default_factory=list)
    _compared: int = 0  # names that unknown ones are compared with, to tell what was meant
    _members: dict[tuple[str, int, int], list[str]] = field(default_factory=dict)
    _miscalled: dict[tuple[str, str], list[Span]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.room = Sizes(self.report, self.ceilings)

    def may_speak_of(self, text: SourceText | None, variables: dict[str, t.Variable]) -> None:
        """Note the names that an unreadable text may use: an author is typing it."""
        if text is not None and self.parsed.texts[text].node is None:
            self.uses.scope(text.span, variables)

    def error(
        self, code: str, message: str, span: Span, help: str | None = None, fix: Fix = ()
    ) -> t.Constant:
        """Report, and give an expression that fits anywhere so that one mistake is told once."""
        self.report.add(code, message, span, help, fix=fix)
        return t.Constant(span, ERROR, 0)

    def no_board(self, message: str, span: Span) -> t.Constant:
        """Report that things are no cells of a board, unless it may be their board that could not be read."""
        return t.Constant(span, ERROR, 0) if self.error_nodes.anything else self.error("RF502", message, span)

    def unknown(
        self,
        what: str,
        name: str,
        span: Span,
        known: Sequence[str],
        of: str = "",
        section: str = "",
        here: Sequence[str] = (),
    ) -> t.Constant:
        """A name that nothing has: reported once, in `tell_unknown`, if no error node may have declared it.

        `of` is the kind that would have it, `section` the one in which such names are declared, `here` are locals.
        """
        self.uses.missing.add(name)
        lost = (
            self.error_nodes.may_hold(name.rpartition(".")[2])
            or of in self.error_nodes.words
            or section in self.error_nodes.sections
        )
        if not lost:
            self._unknown.append(Unknown(what, name, span, self.comparable(known), here=tuple(here)))
        return t.Constant(span, ERROR, 0)

    def comparable(self, known: Sequence[str]) -> tuple[str, ...]:
        """The names to compare with an unknown one; none once the limit of comparisons is reached."""
        self._compared += len(known)
        return tuple(known) if self._compared <= MOST_COMPARED else ()

    def miscalled(self, message: str, span: Span, help: str) -> None:
        """A call with too few or too many values: those that are wrong in the same way are told once, at the first."""
        self._miscalled.setdefault((message, help), []).append(span)

    def lost(self, *names: str) -> None:
        """A declaration cannot be used because of a mistake in it: its names are known, but nothing is known of them."""
        self.uses.missing.update(names)
        self.error_nodes |= ErrorNodes(frozenset(names))

    def tell_unknown(self) -> None:
        """One diagnostic for each unknown name, at its first use."""
        tell(
            [with_note(use, self._given_elsewhere(use)) for use in self._unknown],
            self.report,
            self._elsewhere,
        )
        self._unknown.clear()
        for (message, help), spans in self._miscalled.items():
            first, *others = sorted(set(spans))
            notes = ((once_more(len(others)), others[0]),) if others else ()
            self.report.add("RF504", message, first, help, notes)
        self._miscalled.clear()

    def _elsewhere(self, use: Unknown) -> Help | None:
        """A name of another sort than is wanted: an option, an attribute of the game, a member of another kind."""
        name = use.name
        if use.what == "name" and name in self.options:
            return f"it is an option: write `option.{name}`", f"option.{name}"
        if use.what == "name" and ("game", name) in self.columns:
            return f"it is an attribute of the game: write `game.{name}`", f"game.{name}"
        if use.what == "formula" and (name in self.places or name in self.plurals):
            owned = name in self.places and self.places[name].of
            advice = f"write `x.{name}`, where x is whose it is" if owned else f"its first is `{name}[1]`"
            return f"it is a {'place' if name in self.places else 'set'}: {advice}", None
        if use.what == "keyword" and name in self.things:
            return f"`has` tests for keywords; to test where something lies write `{name} in PLACE`", None
        if use.what == "name" and name == "self":
            return "`self` is the thing on which a rule or action is printed; this is printed on none", None
        if (other := self._other_column(use)) is not None:
            return other, None
        if nearest(name, use.known) is not None:
            return None
        if use.what.startswith("attribute of"):
            owners = [kind for kind in self.kinds if name in self.members(kind)]
            if owners:
                return f"it is one of {listed(owners, 'and')}", None
        unspoken = self._unspoken(use)
        if len(unspoken) == 1:
            return f"did you mean `{unspoken[0]}`, which nothing else uses?", unspoken[0]
        return None

    def _other_column(self, use: Unknown) -> str | None:
        """A fact where only attributes are wanted, or the other way round: hints for the table ask for one of them."""
        column = next(
            (c for (kind, n), c in self.columns.items() if n == use.name and f" `{kind}`" in use.what), None
        )
        if column is not None and column.constant and use.what.startswith("attribute of"):
            return "it is a fact, which never changes; show it with `face`"
        if column is not None and not column.constant and use.what.startswith("fact of"):
            return "it is an attribute, which can change; signs depend on facts"
        return None

    def _unspoken(self, use: Unknown) -> list[str]:
        """Unused names of the wanted sort: one of them may be the new name of the missing one."""
        spoken = {key[2] for key in self.uses.spans}
        sorts: dict[str, Iterable[str]] = {
            "kind": self.kinds.keys()
            - {*BARE_WORDS, "keyword", *(f"{name}_option" for name in self.options)},
            "event": self.event_heads,
            "ending": self.endings,
            "option": self.options,
            "number": self.numbers,
            "keyword": self.keywords,
            "formula": self.formula_heads,
            "phase or window": (*self.phases, *self.windows),
        }
        known = use.known if use.is_member else tuple(sorts.get(use.what, ()))
        return [name for name in known if name not in spoken]

    def _given_elsewhere(self, use: Unknown) -> tuple[str, Span] | None:
        """The place of a local with this name in the same text: further down, or in a block that has ended."""
        if use.what != "name":
            return None
        around = next((text.span for text in self.parsed.texts if _holds(text.span, use.span)), None)
        for span, variables in self.uses.scopes.get(use.span.file, ()) if around else ():
            if around and use.name in variables and _holds(around, span):
                message = f"`{use.name}` is known only in the block that sets it, after it is set"
                return message, variables[use.name].span
        return None

    def position(self, name: str, span: Span) -> t.Position | None:
        found = self.positions.get(name)
        if found is None:
            self.unknown("position", name, span, list(self.positions))
        self.uses.name("position", name, span)
        return found

    def given_in(self, during: tuple[str, ...]) -> tuple[t.Variable, ...]:
        """The parameters of the window in which an action is offered; an action in several has none."""
        one = self.windows.get(during[0]) if len(during) == 1 else None
        return one.parameters if one is not None else ()

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

    def inverse(self, kind: str, name: str) -> tuple[tuple[t.Place, t.Kind], ...]:
        """Places which hold this kind and have an index called `name`, each with what that index is: `card.holder`."""
        return tuple(
            (place, target)
            for place in self.places.values()
            if place.holds.name == kind
            for index, target in place.of
            if index == name
        )

    def members(self, kind: str) -> list[str]:
        """All that may stand after the dot of a thing of this kind; looked up anew when something was declared."""
        declared = kind, len(self.columns), len(self.places)
        if declared not in self._members:
            self._members[declared] = self._members_of(kind)
        return self._members[declared]

    def _members_of(self, kind: str) -> list[str]:
        own = [name for (k, name) in self.columns if k == kind]
        contents = [p.name for p in self.places.values() if p.of and p.of[0][1].name == kind]
        indices = [i for p in self.places.values() if p.holds.name == kind for i, _ in p.of]
        return own + contents + indices

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


def _holds(outer: Span, inner: Span) -> bool:
    return outer.file == inner.file and outer[1:3] <= inner[1:3] and inner[3:] <= outer[3:]

"""`structure` finds how packs change definitions of the core: new versions, additions, hooks and settled parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from ruleforge.analysis.effects.summary import Change
from ruleforge.analysis.intervals import Interval
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NumberT
from ruleforge.lang.checker.walk import all_nodes, roots
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.model.pack import Pack
from ruleforge.lang.packs.merge import FIXED, SECTIONS
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.lang.source.tree import MappingNode, ScalarNode, SequenceNode, SourceTree
from ruleforge.support.diagnostics import Span

# Fields of definitions that are no part of what they say.
_WORDS = frozenset({"id", "span", "title", "text", "cites", "origin", "settled_at", "filled_at"})
# The names of the parts of an action and of a place in a contract.
_ASPECTS = {
    "during": "window",
    "cost": "price",
    "limit": "limit",
    "needs": "needs",
    "holds": "holds",
    "sees": "visible",
}
_OF_KINDS = ("facts", "has", "rules", "actions")


class Structure:
    """The changes that one pack makes by its definitions alone."""

    def __init__(self, core: m.Ruleset, pack: Pack, tree: SourceTree, rules: t.Checked | None) -> None:
        self.core, self.pack, self.tree, self.rules = core, pack, tree, rules

    def changes(self) -> Iterator[Change]:
        yield from self._sections()
        yield from self._kinds()
        yield from self._attached()
        yield from self._flow()
        yield from self._endings()
        yield from (Change("seat", ("new",), profile.span) for profile in self.pack.adds.profiles)
        given = self.pack.manifest.players
        low, high = self.core.players
        if given is not None and not (low <= given[0] and given[1] <= high):
            yield Change("choose", ("players",), self._players_span())

    # --- what is said anew ---

    def _sections(self) -> Iterator[Change]:
        for section in SECTIONS:
            known = {definition.id: definition for definition in getattr(self.core, section)}
            for new in getattr(self.pack.adds, section):
                old = known.get(new.id)
                if old is not None:
                    yield from self._anew(new, old, (new.id,))

    def _anew(self, new: m.Named, old: m.Named, names: tuple[str, ...]) -> Iterator[Change]:
        """A definition that the core has; a mere copy of it is not judged here."""
        parts = different(new, old)
        if parts:
            special = [f"{names[0]}.{_ASPECTS[part]}" for part in parts if part in _ASPECTS]
            first = special[0] if special else names[0]
            rest = names if special else names[1:]
            yield Change("redefine", (first, *rest), new.span, touches=tuple(special[1:]))

    # --- kinds ---

    def _kinds(self) -> Iterator[Change]:
        known = {kind.id: kind for kind in self.core.kinds}
        for adds in self.pack.adds.kinds:
            kind = known.get(adds.id)
            if kind is None:
                continue
            for key in FIXED:
                if getattr(adds, key):
                    yield Change("redefine", (f"{kind.id}.{key}", kind.id), adds.span)
            for key in _OF_KINDS:
                there = {d.id: d for d in getattr(kind, key)}
                for new in getattr(adds, key):
                    if new.id in there:
                        yield from self._anew(new, there[new.id], (f"{kind.id}.{new.id}", kind.id))
                    elif key == "facts":
                        yield Change("define", (f"facts of {kind.id}",), new.span, free=True)
            things = {thing.id: thing for thing in kind.things}
            for thing in adds.things:
                if thing.id in things and adds.graph is not None and thing.is_bare:
                    continue
                if thing.id in things:
                    yield from self._thing_anew(kind, thing, things[thing.id])
                else:
                    yield from self._new_thing(kind, thing)
            if adds.rings or adds.graph is not None or adds.count is not None:
                yield Change("define", (kind.id,), adds.span)

    def _thing_anew(self, kind: m.Kind, new: m.Thing, old: m.Thing) -> Iterator[Change]:
        facts = dict(old.facts)
        leaves = [f"{kind.id}.{name}" for name, value in new.facts if _text(value) != _text(facts.get(name))]
        if not leaves and not different(new, old, ignored=frozenset({"facts"})):
            return
        names = (*leaves[:1], f"{kind.id}.{new.id}", new.id, kind.id)
        yield Change("redefine", names, new.span, touches=tuple(leaves[1:]))

    def _new_thing(self, kind: m.Kind, thing: m.Thing) -> Iterator[Change]:
        yield Change("define", (kind.id,), thing.span)
        for name, text in thing.facts:
            names = (f"{kind.id}.{name}", kind.id)
            yield Change("define", names, text.span, "set", self._printed(kind.id, thing, name))

    def _printed(self, kind: str, thing: m.Thing, fact: str) -> Interval | None:
        """The number that is printed on a thing; of several the range."""
        column = self.rules.columns.get((kind, fact)) if self.rules else None
        names = self.rules.kinds[kind].things if self.rules and kind in self.rules.kinds else ()
        name = thing.id if thing.copies == 1 else f"{thing.id}_1"
        if column is None or not column.constant or name not in names or not column.values:
            return None
        numbers = [value for value in column.printed(names.index(name) + 1) if isinstance(value, int)]
        return Interval(min(numbers), max(numbers)) if isinstance(column.type, NumberT) and numbers else None

    # --- what is attached ---

    def _attached(self) -> Iterator[Change]:
        placeholders = {event.id for event in self.core.events if event.placeholder}
        for filling in self.pack.fills:
            kind = "fill" if filling.id in placeholders else "redefine"
            if any(event.id == filling.id for event in self.core.events):
                yield Change(kind, (filling.id,), filling.span)
        for holding in self.pack.holds:
            yield Change("forbid", (holding.of,), holding.that.span if holding.that else holding.span)
        for chosen in self.pack.chooses:
            figure = self.rules.numbers.get(chosen.id) if self.rules else None
            amount = Interval(figure, figure) if figure is not None else None
            yield Change("choose", (chosen.id,), chosen.span, "set", amount)

    def _flow(self) -> Iterator[Change]:
        known = set(_names(self.core.flow))
        for hung in self.pack.hung:
            if hung.phase in known:
                places = _places(self.core.flow, hung.side, hung.phase)
                inside = tuple(_names(hung.phases))
                yield Change("step", places, hung.span, touches=("flow",), windows=inside)
            for phase in _all(hung.phases):
                if phase.id in known:
                    yield Change("redefine", (phase.id, "flow"), phase.span)
        for section in self.tree.sections("flow"):
            for item in section.value.items if isinstance(section.value, SequenceNode) else ():
                named = item.get("phase") if isinstance(item, MappingNode) else None
                if isinstance(named, ScalarNode) and item.span:
                    yield Change("redefine", ("flow",), named.span)

    def _endings(self) -> Iterator[Change]:
        known = {ending.id for ending in self.core.endings}
        for ending in self.pack.adds.endings:
            if ending.id not in known:
                edge = "win" if self._wins(ending) else "loss"
                yield Change("end", (edge,), ending.span)

    def _wins(self, ending: m.Ending) -> bool:
        """Whether some player wins by the ending, by its own watch or by an effect that finishes the game."""
        if self.rules is None:
            return True
        watches = (w for e, w in self.rules.watches.items() if e.name == ending.id)
        if ending.winners is not None and not all(_is_empty(watch.winners) for watch in watches):
            return True
        finishes = (n for root in roots(self.rules) for n in all_nodes(root) if isinstance(n, t.Finish))
        return any(node.ending.name == ending.id and not _is_empty(node.winners) for node in finishes)

    def _players_span(self) -> Span:
        head = next(iter(self.tree.sections("pack")), None)
        given = head.value.entry("players") if head and isinstance(head.value, MappingNode) else None
        return given.key.span if given else self.pack.manifest.span


def different(new: m.Named, old: m.Named, ignored: frozenset[str] = frozenset()) -> list[str]:
    """The parts that two definitions of one name do not have in common."""
    names = [f.name for f in fields(new) if f.name not in _WORDS | ignored]
    return [name for name in names if _plain(getattr(new, name)) != _plain(getattr(old, name, None))]


def _plain(value: object) -> object:
    """A value without its places."""
    if isinstance(value, SourceText):
        return _text(value)
    if isinstance(value, tuple):
        return tuple(_plain(item) for item in value)
    if isinstance(value, m.Named):
        return (value.id, *(_plain(getattr(value, f.name)) for f in fields(value) if f.name not in _WORDS))
    return value


def _text(value: SourceText | None) -> str:
    return " ".join(value.text.split()) if value else ""


def _places(flow: tuple[m.Phase, ...], side: str, phase: str) -> tuple[str, ...]:
    """A place of the flow by all its names, its own first: what is last in a phase comes after its last step."""
    rows = [("", flow), *((whole.id, whole.steps) for whole in _all(flow) if whole.steps)]
    for whole, steps in rows:
        ids = [step.id for step in steps]
        for number in range(len(ids) + 1):
            names = [f"after {ids[number - 1]}" if number else f"first in {whole}"]
            names.append(f"before {ids[number]}" if number < len(ids) else f"last in {whole}")
            if (own := f"{side} {phase}") in names:
                return (own, *(name for name in names if name != own and not name.endswith(" ")))
    return (f"{side} {phase}",)


def _names(flow: tuple[m.Phase, ...]) -> list[str]:
    return [phase.id for phase in _all(flow)]


def _all(flow: tuple[m.Phase, ...]) -> Iterator[m.Phase]:
    for phase in flow:
        yield phase
        yield from _all(phase.steps)


def _is_empty(winners: t.Expr | None) -> bool:
    """Whether there are no winners, by omission or explicitly."""
    return winners is None or (isinstance(winners, t.SetOf) and not winners.members)

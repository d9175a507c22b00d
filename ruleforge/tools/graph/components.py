"""Checked rules -> how things wander: from place to place, into the game and out of it, and by whose effect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.tools.graph.diagram import Arrow, Box, Diagram
from ruleforge.tools.graph.doers import Doer, doers

_BEGIN, _NEW, _GONE = "begin", "new", "gone"


def component_diagram(rules: t.Checked) -> Diagram:
    """Places as boxes; an arrow says which definitions move things from the one to the other."""
    found: dict[tuple[str, str], list[str]] = {}
    for place in rules.starts:
        found.setdefault((_BEGIN, place.name), [])
    origins = Origins(rules)
    for doer in origins.doers:
        for start, end in _moves(doer, origins):
            names = found.setdefault((start, end), [])
            if doer.box.label not in names:
                names.append(doer.box.label)
    used = dict.fromkeys(end for pair in found for end in pair)
    boxes = tuple(_box(rules, name) for name in used)
    arrows = tuple(Arrow(_id(a), _id(b), ", ".join(names)) for (a, b), names in found.items())
    return Diagram(f"{rules.title}: components", boxes, arrows)


class Origins:
    """Where a thing may come from that a variable names: the places that bind it, through events and their callers."""

    def __init__(self, rules: t.Checked) -> None:
        self.doers = tuple(doers(rules))
        self._bound: dict[t.Variable, list[object]] = {}
        for doer in self.doers:
            for node in doer.nodes():
                self._note(node)
        for action in rules.actions.values():
            for part in action.binders:
                for node in all_nodes(part):
                    self._note(node)

    def _note(self, node: object) -> None:
        match node:
            case t.Binder(variable=variable, source=value) | t.Assign(variable=variable, value=value):
                self._bound.setdefault(variable, []).append(value)
            case t.Several(chosen=variable, binder=binder) | t.RandomPick(variable=variable, binder=binder):
                self._bound.setdefault(variable, []).append(binder.source)
            case t.New(variable=t.Variable() as variable):
                self._bound.setdefault(variable, []).append(node)
            case t.Perform(event=event, arguments=arguments):
                for parameter, value in zip(event.parameters, arguments, strict=True):
                    self._bound.setdefault(parameter, []).append(value)

    def of(self, value: object) -> tuple[str, ...]:
        """The names of places, or `new`; nothing if it cannot be told."""
        return tuple(dict.fromkeys(self._of([value])))

    def _of(self, values: Iterable[object]) -> Iterator[str]:
        todo, seen = list(values), set[int]()
        while todo:
            value = todo.pop(0)
            if id(value) in seen:
                continue
            seen.add(id(value))
            match value:
                case t.Content(place=place):
                    yield place.name
                case t.New():
                    yield _NEW
                case t.Use(variable=variable):
                    todo += self._bound.get(variable, ())
                case t.Selection(binder=binder) | t.Aggregate(binder=binder):
                    todo.append(binder.source)
                case t.Conditional(then=yes, other=no):
                    todo += [yes, no]
                case t.Sure(value=inner):
                    todo.append(inner)


def _moves(doer: Doer, origins: Origins) -> Iterator[tuple[str, str]]:
    made = []
    for node in doer.nodes():
        match node:
            case t.Move(thing=thing, place=place):
                for start in origins.of(thing) or ("anywhere",):
                    yield start, place.name
            case t.Remove(thing=thing):
                for start in origins.of(thing) or (_in_play(thing),):
                    yield start, _GONE
            case t.New(kind=kind):
                made.append(kind.name)
    yield from ((_NEW, f"{kind} in play") for kind in made)


def _in_play(thing: t.Expr) -> str:
    return f"{thing.type.kind} in play" if isinstance(thing.type, ThingT) else "anywhere"


def _id(name: str) -> str:
    return f"place {name}"


def _box(rules: t.Checked, name: str) -> Box:
    place = rules.places.get(name)
    if place is None:
        words = {_BEGIN: "at the start", _NEW: "made in play", _GONE: "out of the game"}
        return Box(_id(name), words.get(name, name), "moment")
    of = " of each ".join(("", *(kind.name for _, kind in place.of)))
    hidden = ("hidden",) if place.hidden else ()
    return Box(_id(name), name.replace("_", " "), "place", (f"{place.holds.plural}{of}", *hidden))

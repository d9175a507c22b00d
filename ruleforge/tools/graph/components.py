"""The diagram of components: moves between places, creation, removal, and the effects that cause them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruleforge.analysis.dataflow import reach
from ruleforge.analysis.effects.definitions import Definition, definitions
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.tools.graph.diagram import Arrow, Box, Diagram, definition_box

_BEGIN, _NEW, _GONE = "begin", "new", "gone"


def component_diagram(rules: t.Checked) -> Diagram:
    """Places as boxes; an arrow says which definitions move things from the one to the other."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for place in rules.starts:
        found.setdefault((_BEGIN, place.name), {})
    origins = Origins(rules)
    for definition in definitions(rules):
        for way in _moves(definition, origins):
            found.setdefault(way, {})[definition_box(definition).label] = None
    used = dict.fromkeys(end for pair in found for end in pair)
    boxes = tuple(_box(rules, name) for name in used)
    arrows = tuple(Arrow(_id(a), _id(b), ", ".join(names)) for (a, b), names in found.items())
    return Diagram(f"{rules.title}: components", boxes, arrows)


class Origins:
    """The possible places of a thing in a variable, through events and their callers."""

    def __init__(self, rules: t.Checked) -> None:
        self._bound: dict[t.Variable, list[object]] = {}
        for definition in definitions(rules):
            self._note(definition.nodes())
        for action in rules.actions.values():
            self._note(node for binder in action.binders for node in all_nodes(binder))

    def _note(self, nodes: Iterable[object]) -> None:
        for node in nodes:
            for variable, value in _bound_by(node):
                self._bound.setdefault(variable, []).append(value)

    def of(self, value: object) -> tuple[str, ...]:
        """The names of places, or `new`; nothing if it cannot be told."""
        return tuple(dict.fromkeys(name for one in reach([value], self._further) for name in _name(one)))

    def _further(self, value: object) -> Iterable[object]:
        match value:
            case t.Use(variable=variable):
                return self._bound.get(variable, ())
            case t.Selection(binder=binder) | t.Aggregate(binder=binder):
                return (binder.source,)
            case t.Conditional(then=yes, other=no):
                return yes, no
            case t.Sure(value=inner):
                return (inner,)
        return ()


def _bound_by(node: object) -> Iterator[tuple[t.Variable, object]]:
    """The variables to which a node gives a value, each with where that comes from."""
    match node:
        case t.Binder(variable=variable, source=value) | t.Assign(variable=variable, value=value):
            yield variable, value
        case t.Several(chosen=variable, binder=binder) | t.RandomPick(variable=variable, binder=binder):
            yield variable, binder.source
        case t.New(variable=t.Variable() as variable):
            yield variable, node
        case t.Perform(event=event, arguments=arguments):
            yield from zip(event.parameters, arguments, strict=True)


def _name(value: object) -> tuple[str, ...]:
    match value:
        case t.Content(place=place):
            return (place.name,)
        case t.New():
            return (_NEW,)
    return ()


def _moves(definition: Definition, origins: Origins) -> Iterator[tuple[str, str]]:
    made = []
    for node in definition.nodes():
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

"""Adds one pack to a ruleset: kinds, phases and definitions. Existing definitions stay; new ones record their
origin.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from ruleforge.lang.model.pack import Chosen, Pack
from ruleforge.lang.model.ruleset import Action, Graph, Kind, Named, Phase, Ruleset, Thing
from ruleforge.lang.packs.clashes import Clashes

D = TypeVar("D", bound=Named)
# Sections in which a pack's definitions stand beside those of the game, with what a message calls them.
SECTIONS = {
    "options": "the option",
    "numbers": "the number",
    "places": "the place",
    "formulas": "the formula",
    "events": "the event",
    "actions": "the action",
    "windows": "the window",
    "manners": "the manner",
    "positions": "the position",
    "rules": "the rule",
    "keywords": "the keyword",
    "invariants": "the invariant",
    "checks": "the check",
    "endings": "the ending",
    "profiles": "the profile",
}
Flow = tuple[Phase, ...]
Hooks = dict[tuple[str, str], Flow]  # (side, phase) -> the phases hung there
# The keys that define a kind; only the author of the kind can set them.
FIXED = (
    "product",
    "copies",
    "called",
    "grid",
    "track",
    "edges",
    "corners",
    "lines",
    "pool",
    "lasts",
    "controller",
    "works",
    "trigger_order",
)
_TEXT_KEYS = ("title", "text")
_LISTS = {
    "things": "the thing",
    "facts": "the fact",
    "has": "the attribute",
    "rules": "the rule",
    "actions": "the action",
}


def merged(whole: Ruleset, pack: Pack, clashes: Clashes) -> Ruleset:
    """`whole` is the core with the packs before this one, and with the phases of all packs in its flow."""
    adds = stamped(pack.adds, pack.manifest.id)
    found: dict[str, Any] = {section: _joined(whole, adds, section, clashes) for section in SECTIONS}
    joined = replace(
        whole,
        players=_players(whole, pack),
        kinds=with_kinds(whole.kinds, adds.kinds, clashes),
        setup=(*whole.setup, *adds.setup),
        files=(*whole.files, *adds.files),
        error_nodes=whole.error_nodes | adds.error_nodes,
        **found,
    )
    return _attached(joined, pack, clashes)


def _joined(whole: Ruleset, adds: Ruleset, section: str, clashes: Clashes) -> tuple[Named, ...]:
    there: tuple[Named, ...] = getattr(whole, section)
    known = {definition.id: definition for definition in there}
    more = []
    for definition in getattr(adds, section):
        if definition.id in known:
            clashes.redefined(SECTIONS[section], definition, known[definition.id])
        else:
            more.append(definition)
    return (*there, *more)


def _players(whole: Ruleset, pack: Pack) -> tuple[int, int]:
    given = pack.manifest.players
    low, high = whole.players
    return whole.players if given is None else (min(low, given[0]), max(high, given[1]))


def _attached(whole: Ruleset, pack: Pack, clashes: Clashes) -> Ruleset:
    """Add the fillings, settings and further choices of the pack to the definitions that they name."""
    events = whole.events
    for filling in pack.fills:
        target = clashes.target("the event", filling, events)
        if target is not None and clashes.may_fill(filling, target):
            filled = replace(target, do=filling.do, filled_by=pack.manifest.id, filled_at=filling.span)
            events = _put(events, target, filled)
    for chosen in pack.chooses:
        whole = _settled(whole, chosen, pack.manifest.id, clashes)
    return _with_holds(replace(whole, events=events), pack, clashes)


def _settled(whole: Ruleset, chosen: Chosen, pack: str, clashes: Clashes) -> Ruleset:
    """The value that a pack gives to an option of the game, or to a number."""
    by = {"settled_by": pack, "settled_at": chosen.span}
    number = next((n for n in whole.numbers if n.id == chosen.id), None)
    if number is not None:
        if clashes.may_choose(chosen, number, number.value):
            fresh = replace(number, value=chosen.value, **by)  # type: ignore[arg-type]
            return replace(whole, numbers=_put(whole.numbers, number, fresh))
        return whole
    option = clashes.target("the option", chosen, whole.options)
    if option is not None and clashes.may_choose(chosen, option, option.default):
        settled = replace(option, default=chosen.value, **by)  # type: ignore[arg-type]
        return replace(whole, options=_put(whole.options, option, settled))
    return whole


def _with_holds(whole: Ruleset, pack: Pack, clashes: Clashes) -> Ruleset:
    actions, flow = whole.actions, whole.flow
    for holding in pack.holds:
        if holding.that is None:
            continue
        action = next((a for a in actions if a.id == holding.of), None)
        if action is not None:
            actions = _put(actions, action, replace(action, holds=(*action.holds, holding.that)))
            continue
        with_it = tuple(_phase_holding(phase, holding.of, holding.that) for phase in flow)
        if with_it == flow:
            clashes.unknown("phase or action", holding.of, holding.span, _names(actions, flow))
        flow = with_it
    return replace(whole, actions=actions, flow=flow)


def _phase_holding(phase: Phase, wanted: str, that: object) -> Phase:
    if phase.id == wanted:
        return replace(phase, holds=(*phase.holds, that))  # type: ignore[arg-type]
    return replace(phase, steps=tuple(_phase_holding(step, wanted, that) for step in phase.steps))


def _names(actions: tuple[Action, ...], flow: tuple[Phase, ...]) -> list[str]:
    return [*(action.id for action in actions), *phase_names(flow)]


def _put(definitions: tuple[D, ...], old: D, new: D) -> tuple[D, ...]:
    return tuple(new if definition is old else definition for definition in definitions)


# The definitions of a pack with the pack as their origin.


def stamped(adds: Ruleset, origin: str) -> Ruleset:
    return replace(adds, **_inside(adds, origin))


def stamped_phase(phase: Phase, origin: str) -> Phase:
    return _stamped(phase, origin)  # type: ignore[return-value]


def _stamped(definition: Named, origin: str) -> Named:
    return replace(definition, origin=origin, **_inside(definition, origin))


def _inside(definition: Any, origin: str) -> dict[str, Any]:
    """The fields that hold definitions, with all of those stamped."""
    found: dict[str, Any] = {}
    for field in fields(definition):
        value = getattr(definition, field.name)
        if isinstance(value, tuple) and value and all(isinstance(item, Named) for item in value):
            found[field.name] = tuple(_stamped(item, origin) for item in value)
    return found


# The places of a pack's phases in the flow of the game.


def hang(flow: Flow, packs: tuple[Pack, ...], clashes: Clashes) -> Flow:
    """The flow with the phases of all packs in it; those at one place come in the order of the packs."""
    names = phase_names(flow) + [
        name for pack in packs for hung in pack.hung for name in phase_names(hung.phases)
    ]
    hooks: Hooks = {}
    for pack in packs:
        for hung in pack.hung:
            if hung.phase not in names:
                clashes.unknown("phase", hung.phase, hung.span, names)
            more = tuple(stamped_phase(phase, pack.manifest.id) for phase in hung.phases)
            hooks[hung.side, hung.phase] = (*hooks.get((hung.side, hung.phase), ()), *more)
    return _with(flow, hooks)


def phase_names(flow: Flow) -> list[str]:
    """The names of all phases, those inside others too."""
    return [name for phase in flow for name in (phase.id, *phase_names(phase.steps))]


def _with(flow: Flow, hooks: Hooks) -> Flow:
    """Every phase between what hangs before and after it; each hook is used up where it is met."""
    found: list[Phase] = []
    for phase in flow:
        before, after, first, last = (
            hooks.pop((side, phase.id), ()) for side in ("before", "after", "first in", "last in")
        )
        steps = _with((*first, *phase.steps, *last), hooks)
        found += [*_with(before, hooks), replace(phase, steps=steps), *_with(after, hooks)]
    return tuple(found)


# Kinds of a game with the additions of a pack.


def with_kinds(there: tuple[Kind, ...], adds: tuple[Kind, ...], clashes: Clashes) -> tuple[Kind, ...]:
    """The kinds there are, with what a pack adds to them, and the new ones behind them."""
    more = {kind.id: kind for kind in adds}
    found = [_extended(kind, more.pop(kind.id), clashes) if kind.id in more else kind for kind in there]
    return (*found, *more.values())


def _extended(kind: Kind, adds: Kind, clashes: Clashes) -> Kind:
    for key in (*_TEXT_KEYS, *FIXED):
        if getattr(adds, key):
            clashes.changed(adds, key, kind)
    if adds.plural not in (kind.plural, f"{kind.id}s"):
        clashes.changed(adds, "plural", kind)
    lists: dict[str, Any] = {key: _joined_kinds(kind, adds, key, clashes) for key in _LISTS}
    return replace(
        kind,
        count=_sum(kind, adds, clashes),
        rings=_rings(kind, adds, clashes),
        graph=_graph(kind, adds, clashes),
        **lists,
    )


def _joined_kinds(kind: Kind, adds: Kind, key: str, clashes: Clashes) -> tuple[Named, ...]:
    there: tuple[Named, ...] = getattr(kind, key)
    known = {definition.id: definition for definition in there}
    more = []
    for definition in getattr(adds, key):
        if isinstance(definition, Thing) and adds.graph is not None and _only_linked(definition, known):
            continue  # a link from or to a thing of the game does not name it anew
        if definition.id in known:
            clashes.redefined(f"{_LISTS[key]} of `{kind.id}`", definition, known[definition.id])
        else:
            more.append(definition)
    if key == "things" and more and not _lists_things(kind):
        clashes.changed(adds, "things", kind)
        return there
    return (*there, *more)


def _only_linked(thing: Thing, known: Mapping[str, Named]) -> bool:
    return thing.id in known and thing.is_bare


def _lists_things(kind: Kind) -> bool:
    """Whether the things of a kind are named one by one, so that more can be named."""
    return not kind.is_drawn and not kind.pool and kind.id != "game"


def _sum(kind: Kind, adds: Kind, clashes: Clashes) -> int | None:
    if adds.count is None:
        return kind.count
    if kind.count is None or kind.things or adds.things:
        clashes.changed(adds, "count", kind)
        return kind.count
    return kind.count + adds.count


def _rings(kind: Kind, adds: Kind, clashes: Clashes) -> tuple[int, ...]:
    """More rings lie outside of those there are."""
    if adds.rings and not kind.rings:
        clashes.changed(adds, "rings", kind)
        return ()
    return (*kind.rings, *adds.rings)


def _graph(kind: Kind, adds: Kind, clashes: Clashes) -> Graph | None:
    if adds.graph is None or kind.graph is None:
        if adds.graph is not None:
            clashes.changed(adds, "graph", kind)
        return kind.graph
    links = dict(kind.graph.links)
    for name, others in adds.graph.links:
        links[name] = (*links.get(name, ()), *others)
    return replace(kind.graph, links=tuple(links.items()))

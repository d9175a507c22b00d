"""Leads for the search of a counterexample: the rules that must act, and positions in which they can."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from ruleforge.analysis.effects.summary import EffectSummary, Key
from ruleforge.analysis.effects.values import conjuncts
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.trial import Trial
from ruleforge.engine.errors import PlayError
from ruleforge.engine.state import State
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FlagT, NumberT, ThingT
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.support.records import dataclass

FAR = 4  # links of a chain from an action to the rule; what is further off is left to luck
LEAST = 12  # of an attribute that is worth setting
MOST_PLACES = 24
Values = dict[str, object]


@dataclass(frozen=True)
class Lead:
    """A search target: the effects of a fault, and actions by their distance from them."""

    fault: Fault
    trial: Trial
    effects: tuple[EffectSummary, ...]
    pull: Mapping[str, int]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(effect.name for effect in self.effects)


def lead_from(fault: Fault, trial: Trial) -> Lead:
    effects = tuple(effect for effect in trial.summaries.effects if effect.name in fault.rules)
    return Lead(fault, trial, effects, _pull(trial, effects))


def _pull(trial: Trial, effects: tuple[EffectSummary, ...]) -> dict[str, int]:
    """Actions that lead to these effects: by what they emit, or by the things they make."""
    every = (*trial.summaries.effects, *trial.summaries.core)
    found: dict[str, int] = {}
    known: set[str] = set()
    near = list(effects)
    for distance in range(FAR):
        further: list[EffectSummary] = []
        for effect in near:
            if effect.action is not None:
                found.setdefault(effect.name, distance)
            if effect.name not in known:
                known.add(effect.name)
                further += [other for other in every if _leads_to(other, effect)]
        near = further
    return found


def _leads_to(one: EffectSummary, other: EffectSummary) -> bool:
    keys: set[Key] = {other.listens} if other.listens is not None else set()
    if any(emission.key in keys for emission in one.emits):
        return True
    carrier = other.carrier
    made = {occasion.about for occasion in one.occasions if occasion.what == "new"}
    return carrier is not None and carrier.kind.pool and carrier.kind.name in made


# The positions of a lead: values to write into a game so that the rules of a fault can act.


@dataclass(frozen=True, slots=True)
class Position:
    """The places of the things of a fault, and the resources of each player."""

    place: str
    things: tuple[str, ...]
    level: int
    flags: bool = True


class Positions:
    """All positions that are worth a try, the likeliest first."""

    def __init__(self, lead: Lead, players: tuple[str, ...], levels: tuple[int, ...]) -> None:
        self._lead, self._players, self._levels = lead, players, levels
        self._rules = lead.trial.rules
        self._things = {kind: tuple(things) for kind, things in self._carried().items()}
        self._numbers, self._flags = self._attributes()

    def all(self) -> list[Position]:
        places: list[tuple[str, tuple[str, ...]]] = []
        for kind, things in self._things.items():
            places += [(path, things) for path in self._places(kind)][:MOST_PLACES]
        places = places or [("", ())]
        levels = self._levels if self._numbers else self._levels[:1]
        found = [Position(place, things, level) for level in levels for place, things in places]
        return [*found, Position("", (), levels[0], False)]

    def given(self, position: Position, state: State) -> Values:
        """The values of a position that fit a state, each by itself and all together."""
        values: Values = {}
        for path, value in self._wanted(position, state):
            try:
                if state[path] == value:
                    continue
                state.patched({**values, path: value})
            except PlayError:
                continue
            values[path] = value
        return values

    def _wanted(self, position: Position, state: State) -> Iterator[tuple[str, object]]:
        if position.place:
            try:
                there = state[position.place]
            except PlayError:
                return
            own = list(position.things)
            if isinstance(there, list):
                rest = [thing for thing in there if thing not in own]
                yield position.place, [*own, *rest]
                yield position.place, own
            else:
                yield position.place, own[0]
        yield from self._hidden_values(state)
        for seat in self._players:
            for column in self._numbers:
                assert isinstance(column.type, NumberT)
                yield f"{seat}.{column.name}", max(column.type.low, min(column.type.high, position.level))
            for column in self._flags if position.flags else ():
                yield f"{seat}.{column.name}", True

    def _hidden_values(self, state: State) -> Iterator[tuple[str, object]]:
        """Something in the places that stay hidden, where a fault is about what lies there."""
        keep = {name for s in self._lead.trial.contract.secrecy for name in s.keep}
        if self._lead.fault.code != "RF915":
            return
        for place in self._rules.places.values():
            if place.name not in keep or place.single or len(place.of) > 1:
                continue
            paths = [f"{seat}.{place.name}" for seat in self._players] if place.of else [place.name]
            empty = [path for path in paths if state[path] == []]
            things = [thing for thing in place.holds.things if not place.holds.pool]
            for number, path in enumerate(empty):
                share = max(1, len(things) // (len(empty) + 1))
                yield path, things[number * share : (number + 1) * share][:4]

    # --- things ---

    def _carried(self) -> Mapping[str, list[str]]:
        """The things that carry the rules of the fault; where such lie nowhere, those on which they are printed."""
        found: dict[str, list[str]] = {}
        for effect in self._lead.effects:
            carrier = effect.carrier
            if carrier is None or carrier.kind.pool or carrier.kind.seats:
                continue
            things = carrier.kind.things
            if carrier.things is not None:
                things = tuple(things[number - 1] for number in carrier.things)
            for kind, thing in self._lying(carrier.kind, things[:2]):
                own = found.setdefault(kind, [])
                own += [thing] if thing not in own else []
        return found

    def _lying(self, kind: t.Kind, things: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        if any(place.holds is kind for place in self._rules.places.values()):
            yield from ((kind.name, thing) for thing in things)
            return
        for column in self._rules.columns.values():
            if column.constant and isinstance(column.type, ThingT) and column.type.kind == kind.name:
                numbers = {kind.things.index(thing) + 1 for thing in things}
                owner = column.kind
                bearers = [
                    name for i, name in enumerate(owner.things, 1) if numbers.intersection(column.printed(i))
                ]
                yield from ((owner.name, bearer) for bearer in bearers[:2])

    def _places(self, kind: str) -> Iterator[str]:
        """The paths of places that hold a kind: those of players first."""
        places = [place for place in self._rules.places.values() if place.holds.name == kind]
        for place in sorted(places, key=lambda place: not any(k.seats for _, k in place.of)):
            choices = [self._players if k.seats else k.things[:3] for _, k in place.of]
            for index in itertools.product(*choices):
                inner = f"[{', '.join(index[1:])}]" if len(index) > 1 else ""
                yield f"{index[0]}.{place.name}{inner}" if index else place.name

    # --- attributes ---

    def _attributes(self) -> tuple[tuple[t.Column, ...], tuple[t.Column, ...]]:
        """The attributes of players that the fault's rules take, read or ask for."""
        found: dict[t.Column, None] = {}
        for effect in self._lead.effects:
            for column in (*(w.column for w in effect.writes if w.op == "down"), *_read_by(effect)):
                found[column] = None
        for action in self._wanted_actions():
            wanted = [need for need in conjuncts(*action.needs) if not isinstance(need, t.Not)]
            for node in (n for need in wanted for n in all_nodes(need)):
                if isinstance(node, t.Read):
                    found[node.column] = None
            for node in all_nodes(action.cost) if action.cost is not None else ():
                if isinstance(node, t.Pay):
                    found |= dict.fromkeys(pool.column for pool in node.pools)
        own = [c for c in found if c.kind.seats and not c.per and not c.constant]
        numbers = tuple(c for c in own if isinstance(c.type, NumberT) and c.type.high >= LEAST)
        return numbers, tuple(c for c in own if isinstance(c.type, FlagT))

    def _wanted_actions(self) -> list[t.Action]:
        """The action that is denied, which must be possible without the pack."""
        if self._lead.fault.code != "RF913":
            return []
        names = [denial.of for denial in self._lead.trial.contract.denial]
        return [self._rules.actions[name] for name in names if name in self._rules.actions]


def _read_by(effect: EffectSummary) -> Iterator[t.Column]:
    blocks: list[object] = [effect.action.cost, effect.action.body] if effect.action else []
    if effect.rule is not None:
        blocks += [effect.rule.cost, effect.rule.body]
    for node in (n for block in blocks if block is not None for n in all_nodes(block)):
        if isinstance(node, t.Read):
            yield node.column
        elif isinstance(node, t.Pay):
            yield from (pool.column for pool in node.pools)

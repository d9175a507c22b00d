"""`loops` finds rules that trigger each other without end, with no rule among them that stops the circle."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ruleforge.analysis.effects.blocks import drained
from ruleforge.analysis.effects.standing_rules import keys_of, rests
from ruleforge.analysis.effects.summary import EffectSummary, Emission, Who, Write
from ruleforge.analysis.effects.things import ACTIVE
from ruleforge.analysis.effects.values import Known
from ruleforge.contracts.conditions import removes_itself, usual_limit
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.model import Loops
from ruleforge.contracts.trial import Trial, broken
from ruleforge.lang.checker import typed as t

if TYPE_CHECKING:
    import networkx as nx

MOST_CYCLES = 10_000
SHORT = (2, 3)  # circles that are looked at first: where there are many, these tell it all
SEATS = (0, 1)  # one player and another one: enough to tell them apart
# A rule, whose it is, and the players its trigger is about.
Node = tuple[int, int, tuple[int, ...]]


def breaches(trial: Trial, loops: Loops) -> list[Fault]:
    return _Search(trial, loops).run()


class _Search:
    def __init__(self, trial: Trial, loops: Loops) -> None:
        self.trial, self.loops = trial, loops
        every = (*trial.summaries.effects, *trial.summaries.core)
        self.effects = [d for d in every if d.form in ("after", "instead") and d.listens is not None]
        self.effects += [d for d in every if d.form == "always"]
        self.standing_keys = {
            n: keys_of(d) for n, d in enumerate(self.effects) if d.form == "always" and d.origin
        }

    def run(self) -> list[Fault]:
        import networkx as nx  # a fifth of a second, and only judges want it

        graph: nx.DiGraph[Node] = nx.DiGraph()
        nodes = [node for number in range(len(self.effects)) for node in self._nodes(number)]
        waiting: dict[tuple[str, ...], list[Node]] = {}
        for node in nodes:
            listens = self.effects[node[0]].listens
            for key in (listens,) if listens is not None else self.standing_keys.get(node[0], ()):
                waiting.setdefault(key, []).append(node)
            if node[0] in self.standing_keys and not rests(self.effects[node[0]]):
                graph.add_edge(node, node)
        for node in nodes:
            for emission in self.effects[node[0]].emits:
                for after in waiting.get(emission.key, ()):
                    if self._fits(node, emission, after) and not (
                        node == after and node[0] in self.standing_keys
                    ):
                        graph.add_edge(node, after)
            made = (o.about for o in self.effects[node[0]].occasions if o.what == "new")
            graph.add_edges_from((node, after) for kind in made for after in waiting.get(("new", kind), ()))
        graph.remove_nodes_from([n for n in nodes if n in graph and self._is_limited(self.effects[n[0]])])
        return [*self._circles(graph)]

    def _nodes(self, number: int) -> Iterator[Node]:
        effect = self.effects[number]
        owners = SEATS if effect.carrier is not None and effect.carrier.me is not None else (0,)
        for owner in owners:
            for subjects in itertools.product(SEATS, repeat=len(effect.subjects)):
                if self._possible(effect, owner, subjects):
                    yield number, owner, subjects

    def _possible(self, effect: EffectSummary, owner: int, subjects: tuple[int, ...]) -> bool:
        """Do the tests about players allow these?"""
        seats = dict(zip(effect.subjects, subjects, strict=True))
        for test in effect.conditions:
            if isinstance(test, t.Compare) and test.op in ("==", "!="):
                one, two = (self._seat(side, effect, owner, seats) for side in (test.left, test.right))
                if one is not None and two is not None and (one == two) is not (test.op == "=="):
                    return False
        return True

    def _seat(
        self, node: t.Expr, effect: EffectSummary, owner: int, seats: dict[t.Variable, int]
    ) -> int | None:
        match node:
            case t.Use(variable=variable) if variable in seats:
                return seats[variable]
            case t.Use(variable=variable):
                known = effect.environment.get(variable)
                is_me = isinstance(known, Known) and known.who == Who("me")
                return owner if is_me else None
            case t.Active():
                return seats.get(ACTIVE)
            case t.Opponent(of=of) | t.Builtin(name="next" | "previous", arguments=(of,)):
                found = self._seat(of, effect, owner, seats)
                return None if found is None else 1 - found
        return None

    def _fits(self, node: Node, emission: Emission, after: Node) -> bool:
        """Whether one effect can trigger the other: with the same players, direction and place."""
        waiting = self.effects[after[0]]
        wanted = direction(waiting)
        if wanted and emission.op and emission.op not in (wanted, "set"):
            return False
        if _are_others(emission, waiting) or _goes_elsewhere(emission, waiting):
            return False
        for who, seat in zip(emission.who, after[2], strict=False):
            if who is None:
                continue
            base = node[1] if who.base == "me" else node[2][who.base] if isinstance(who.base, int) else None
            if base is not None and (1 - base if who.other else base) != seat:
                return False
        return True

    # --- what settles ---

    def _is_limited(self, effect: EffectSummary) -> bool:
        if "limit" not in self.loops.settled_by:
            return False
        return effect.limit is not None or self._removes_itself(effect)

    def _removes_itself(self, effect: EffectSummary) -> bool:
        """A thing that goes when its rule acts, and that nothing waiting makes anew."""
        made = {o.about for d in self.effects for o in d.occasions if o.what == "new"}
        carrier = effect.carrier
        return carrier is not None and removes_itself(effect) and carrier.kind.name not in made

    def _settles(self, effect: EffectSummary, component: list[EffectSummary]) -> bool:
        by_hand = "limit" in self.loops.settled_by and _by_hand(effect, component)
        return by_hand or self._spends(effect, component) or self._drains(effect, component)

    def _drains(self, effect: EffectSummary, component: list[EffectSummary]) -> bool:
        """Whether it takes things out of a place that no effect of the circle fills."""
        if effect.rule is None or not {"spend", "descend"} & set(self.loops.settled_by):
            return False
        filled = {emission.into for d in component for emission in d.emits}
        return bool(drained(effect.rule.body) - filled)

    def _spends(self, effect: EffectSummary, component: list[EffectSummary]) -> bool:
        """Whether it must use up something with a floor that no effect of the circle refills."""
        ways = [w for w in effect.writes if w.op == "down" and w.amount.high <= -1 and not w.conditions]
        if "descend" not in self.loops.settled_by:
            ways = [w for w in ways if w.paid]
        if not {"spend", "descend"} & set(self.loops.settled_by):
            return False
        refilled = {w.column for d in component for w in d.writes if w.op in ("up", "set")}
        return any(write.column not in refilled and _has_floor(write) for write in ways)

    # --- circles ---

    def _circles(self, graph: nx.DiGraph[Node]) -> Iterator[Fault]:
        import networkx as nx  # a fifth of a second, and only judges want it

        for component in list(nx.strongly_connected_components(graph)):
            if len(component) == 1 and not graph.has_edge(*(list(component) * 2)):
                continue
            effects = [self.effects[node[0]] for node in component]
            endless = [n for n in component if not self._settles(self.effects[n[0]], effects)]
            inner = graph.subgraph(endless).copy()
            every, found = {node[0] for node in inner}, set[int]()
            short = (nx.simple_cycles(inner, length_bound=length) for length in SHORT)
            cycles = itertools.chain(*short, nx.simple_cycles(inner))
            for number, cycle in enumerate(cycles):
                rules = {node[0] for node in cycle}
                if (
                    not rules <= found
                    and any(self.effects[n].origin for n in rules)
                    and self._is_possible(cycle)
                ):
                    found |= rules
                if found == every:
                    break  # there is nothing more to tell
                if number > MOST_CYCLES:
                    if not found and any(self.effects[n].origin for n in every):
                        yield self._undecided(every)
                    break
            if found:
                yield self._fault(found)

    def _is_possible(self, cycle: list[Node]) -> bool:
        """A single card cannot belong to two players at once."""
        owners: dict[int, set[int]] = {}
        for number, owner, _ in cycle:
            owners.setdefault(number, set()).add(owner)
        return not any(
            len(seats) > 1 and _is_single(self.effects[number]) for number, seats in owners.items()
        )

    def _undecided(self, every: set[int]) -> Fault:
        """Rules that hang together in more ways than can be looked at."""
        return replace(self._fault(every), answer="unknown", code="RF919")

    def _fault(self, found: set[int]) -> Fault:
        """One fault for rules that hang together, with all of them."""
        numbers = sorted(found, key=lambda n: self.effects[n].place)
        ours = [self.effects[n] for n in numbers if self.effects[n].origin]
        titles = list(dict.fromkeys(effect.title for effect in ours))
        names = " and ".join(f"`{title}`" for title in titles)
        each = "triggers itself" if len(titles) == 1 else "trigger each other"
        keys = [" ".join(effect.listens[1:]) for effect in ours if effect.listens]
        why = (
            f"{names} {each} without end ({' → '.join([*keys, keys[0]])})"
            if keys
            else f"{names} {each} without end"
        )
        repair = f"add `{usual_limit(self.trial.rules)}`" + (" to one of them" if len(ours) > 1 else "")
        fault = broken("RF911", ours[0], self.loops, why, repair, *(effect.place for effect in ours))
        return replace(fault, rules=tuple(effect.name for effect in ours))


def _are_others(emission: Emission, waiting: EffectSummary) -> bool:
    """Whether it is surely about other things than those in the rule's trigger."""
    pattern = waiting.rule.pattern if waiting.rule else None
    for things, variable in zip(emission.things, pattern.parameters if pattern else (), strict=False):
        known = waiting.environment.get(variable)
        wanted = known.things if isinstance(known, Known) else None
        if things is not None and wanted is not None and not things & wanted:
            return True
    return False


def _goes_elsewhere(emission: Emission, waiting: EffectSummary) -> bool:
    """Whether it moves things to another place than the one in the rule's trigger."""
    goal = goal_of(waiting)
    return bool(emission.into and goal) and goal != emission.into


def goal_of(waiting: EffectSummary) -> str:
    """The place to which things must move for a rule to act; nothing if any will do."""
    pattern = waiting.rule.pattern if waiting.rule else None
    if pattern is None or not isinstance(pattern.subject, t.Kind):
        return ""
    for test in pattern.tests:
        match test:
            case t.AtPlace(
                number=t.Use(variable=where), place=t.Content(place=place) | t.Family(place=place)
            ):
                if where is pattern.parameters[-1]:
                    return place.name
    return ""


def direction(effect: EffectSummary) -> str:
    """Which way a rule that waits for an attribute wants it to go: `new > old`."""
    pattern = effect.rule.pattern if effect.rule else None
    if pattern is None or not isinstance(pattern.subject, t.Column):
        return ""
    old, new = pattern.parameters[-2:]
    for test in effect.conditions:
        if isinstance(test, t.Compare) and test.op in ("<", "<=", ">", ">="):
            match test.left, test.right:
                case t.Use(variable=a), t.Use(variable=b) if {a, b} == {old, new}:
                    up = (test.op in (">", ">=")) is (a is new)
                    return "up" if up else "down"
    return ""


def _by_hand(effect: EffectSummary, component: list[EffectSummary]) -> bool:
    """A limit that a pack keeps itself: it asks for a mark and sets it, and nothing in the circle takes it back."""
    for write in effect.writes:
        if write.sealed or write.conditions or write.column.constant:
            continue
        back = ("up", "set") if write.op == "down" else ("down", "set")
        others = [w for d in component for w in d.writes if w.column is write.column and w is not write]
        undone = any(w.op in back and (w.op != "set" or w.amount.low < 1) for w in others)
        if not undone and any(asks_unmarked(test, write) for test in effect.conditions):
            return True
    return False


def asks_unmarked(test: t.Expr, write: Write) -> bool:
    """Must there be no mark yet, or fewer than so many, where this one is made?"""
    match test:
        case t.Not(value=t.Read(column=column)):
            return column is write.column and write.op == "set" and write.amount.low >= 1
        case t.Compare(op="==", left=t.Read(column=column), right=t.Constant(value=0)):
            return column is write.column and write.op in ("set", "up") and write.amount.low >= 1
        case t.Compare(op="<" | "<=", left=t.Read(column=column)):
            return column is write.column and write.op == "up" and write.amount.low >= 1
        case t.Compare(op=">" | ">=", left=t.Read(column=column)):
            return column is write.column and write.op == "down" and write.amount.high <= -1
    return False


def _has_floor(write: Write) -> bool:
    from ruleforge.lang.checker.types import INT_MIN, NumberT

    return isinstance(write.column.type, NumberT) and write.column.type.low > INT_MIN


def _is_single(effect: EffectSummary) -> bool:
    carrier = effect.carrier
    return carrier is not None and carrier.things is not None and len(carrier.things) == 1

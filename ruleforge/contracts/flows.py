"""`flows` finds forbidden exchanges: a payment with one resource that gives another, directly or by detours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from ruleforge.analysis.dataflow import reach
from ruleforge.analysis.effects.calls import performed_nodes
from ruleforge.analysis.effects.summary import EffectSummary, Occasion, Who, Write, name_of
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.loops import goal_of
from ruleforge.contracts.model import Flow
from ruleforge.contracts.predicates import can_hold
from ruleforge.contracts.trial import Trial, broken, subject
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FLAG, NumberT
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import with_article

Pool = str  # `player.sp`, an attribute of a pack, or `a kind` of things that come and go


@dataclass(frozen=True, slots=True)
class _Gift:
    pool: Pool
    who: Who | None
    write: Write | None


def breaches(trial: Trial, flow: Flow) -> Iterator[Fault]:
    return _Search(trial, flow).run()


def _only_by(trial: Trial, event: str) -> set[tuple[str, ...]]:
    """Attributes that nothing but this event of the core changes: to wait for them is to wait for it."""
    written: dict[tuple[str, str], set[str]] = {}
    for definition in trial.rules.events.values():
        if definition.body is not None and not trial.owner(definition.span):
            for node in all_nodes(definition.body):
                if isinstance(node, t.Store):
                    key = (node.column.kind.name, node.column.name)
                    written.setdefault(key, set()).add(definition.name)
    return {("set", *key) for key, by in written.items() if by == {event}}


# --- what is paid for what ---


class _Search:
    """Searches a graph: pools are nodes, effects are edges from cost to gain; an event may be a pool, too."""

    def __init__(self, trial: Trial, flow: Flow) -> None:
        self.trial, self.flow = trial, flow
        self.source = flow.source or f"the event {flow.after}"
        self.hung = {("event", flow.after), *_only_by(trial, flow.after)} if flow.after else set()

    def run(self) -> Iterator[Fault]:
        import networkx as nx  # a fifth of a second, and only judges want it

        graph: nx.DiGraph[Pool] = nx.DiGraph()
        steps: dict[tuple[Pool, Pool], list[tuple[EffectSummary, _Gift]]] = {}
        for effect in self.trial.summaries.effects:
            for spent, who in self._spent(effect):
                for gift in self._given(effect):
                    if spent != gift.pool and not _differ(who, gift.who):
                        graph.add_edge(spent, gift.pool)
                        steps.setdefault((spent, gift.pool), []).append((effect, gift))
        if self.source not in graph:
            return
        reached = {self.source, *nx.descendants(graph, self.source)}
        reported: set[object] = set()
        for (spent, target), effects in steps.items():
            if target not in self.flow.into or spent not in reached:
                continue
            way = nx.shortest_path(graph, self.source, spent)
            before = [steps[a, b][0][0] for a, b in pairwise(way)]
            for effect, gift in effects:
                if gift.write is not None and gift.write.span not in reported:
                    reported.add(gift.write.span)
                    yield self._fault((*before, effect), gift.write, self._why(way, target, effect))

    def _why(self, way: list[Pool], target: Pool, effect: EffectSummary) -> str:
        through = "".join(f" for {_description(pool)}, and that" for pool in way[1:])
        if self.flow.after:
            event = f"`{self.flow.after}`"
            if not through:
                return f"{subject(effect)} gives `{target}` for {event}"
            return f"{event} is exchanged{through} gives `{target}` by {subject(effect)}"
        if not through:
            return f"{subject(effect)} gives `{target}` for what can be paid with `{self.source}`"
        return f"`{self.source}` is paid{through} gives `{target}` by {subject(effect)}"

    def _fault(self, effects: tuple[EffectSummary, ...], write: Write, why: str) -> Fault:
        rules = tuple(dict.fromkeys(effect.name for effect in effects))
        repair = "let it depend on something else, or give something else"
        if not self.flow.after:
            repair = f"let it cost something other than `{self.source}`"
        fault = broken("RF910", effects[-1], self.flow, why, repair, write.span)
        return replace(fault, rules=rules)

    # --- what an effect takes ---

    def _spent(self, effect: EffectSummary) -> Iterator[tuple[Pool, Who | None]]:
        """Points, things of packs that it uses up, what it waits for, and itself where it comes and goes."""
        own = self._own_business(effect)
        if effect.listens in self.hung:
            yield self.source, None
        for write in effect.writes:
            name = name_of(write.column)
            counts = name == self.flow.source or bool(self.trial.owner(write.column.span))
            taken = _lowers(write) or (name == self.flow.source and _is_exchanged(write))
            if counts and write.sealed not in own and taken:
                yield name, write.who
        for column in self._read_in(effect):
            if not column.constant and self.trial.owner(column.span) and self._passes(column):
                yield name_of(column), None
        for occasion in effect.occasions:
            if occasion.what == "remove" and not occasion.sealed:
                yield with_article(occasion.about), None
            if occasion.what == "move" and not self._comes_back(effect, occasion):
                yield from (
                    (f"{with_article(occasion.about)} in {place}", None) for place in occasion.sources
                )
        whose = Who(0) if effect.subjects and effect.listens and effect.listens[0] == "set" else None
        for cause in self._causes(effect):
            yield cause, whose
        carrier = effect.carrier
        if carrier is not None and carrier.kind.pool and self.trial.circumstances.passing(effect):
            yield with_article(carrier.kind.name), None

    def _read_in(self, effect: EffectSummary) -> list[t.Column]:
        """The attributes that it reads, also by way of formulas and of events of its pack."""
        part = effect.action or effect.rule
        roots: tuple[object, ...] = (*effect.conditions, part.body if part is not None else None)

        def called(root: object) -> Iterator[object]:
            for node in all_nodes(root):
                match node:
                    case t.CallFormula(formula=used) | t.Perform(event=used) if self.trial.owner(used.span):
                        yield from (used.body,) if used.body is not None else ()

        texts = reach([root for root in roots if root is not None], called)
        reads = (node for root in texts for node in all_nodes(root) if isinstance(node, t.Read))
        return list(dict.fromkeys(node.column for node in reads))

    def _passes(self, column: t.Column) -> bool:
        """Whether an attribute of a pack goes back by itself, or is taken back. A lasting one is a final purchase."""
        if column.resets is not None:
            return True
        writes = [w for effect in self.trial.summaries.effects for w in effect.writes if w.column is column]
        return any(_lowers(write) for write in writes)

    def _comes_back(self, effect: EffectSummary, moved: Occasion) -> bool:
        """Whether a moved thing is put back for free: then it was not used up."""
        for other in self.trial.summaries.effects:
            free = not any(write.op == "down" for write in other.writes)
            for back in other.occasions if other is not effect and free else ():
                same = back.what == "move" and back.about == moved.about
                if same and moved.into in back.sources and back.into in moved.sources:
                    return True
        return False

    def _causes(self, effect: EffectSummary) -> Iterator[Pool]:
        """The triggers of a rule that effects of packs can cause: an attribute of theirs, an event, a move."""
        match effect.listens:
            case ("set", kind, name):
                every = self.trial.rules.columns.values()
                column = next((c for c in every if (c.kind.name, c.name) == (kind, name)), None)
                if column is not None and self.trial.owner(column.span):
                    yield name_of(column)
                elif (
                    column is not None
                    and name_of(column) == self.flow.source
                    and self._listens_to_falls(effect)
                ):
                    yield self.source  # it waits for the very payment
            case ("event", name) if not self._is_gain(name):
                yield f"the event {name}"
            case ("move", kind):
                goal = goal_of(effect)
                holding = [p.name for p in self.trial.rules.places.values() if p.holds.name == kind]
                yield from (f"{with_article(kind)} in {place}" for place in ([goal] if goal else holding))

    def _listens_to_falls(self, effect: EffectSummary) -> bool:
        """Whether a rule on an attribute's change can act when the attribute falls."""
        match effect.rule.pattern if effect.rule is not None else None:
            case t.Pattern(parameters=(*_, old, new)) if isinstance(old.type, NumberT):
                uses = [t.Use(variable.span, variable.type, variable) for variable in (new, old)]
                falls = t.Compare(old.span, FLAG, "<", *uses)
                return any(
                    can_hold([*effect.conditions, *tests, falls], self.trial.ranges, {}) is not False
                    for tests in self._conditions_to_give(effect)
                )
        return False

    def _conditions_to_give(self, effect: EffectSummary) -> Iterator[tuple[t.Expr, ...]]:
        """Under which conditions it gives anything, each way by itself."""
        yield from (write.conditions for write in effect.writes if write.op != "down")
        events = (emission.key for emission in effect.emits if emission.key[0] != "set")
        if any(o.what == "new" for o in effect.occasions) or any(
            key[0] == "move" or not self._is_gain(key[1]) for key in events
        ):
            yield ()

    def _is_gain(self, name: str) -> bool:
        """Whether this event is the core's own change of these pools. A rule on any gain waits for no price."""
        event = self.trial.rules.events[name]
        if self.trial.owner(event.span) or event.body is None:
            return False
        stores = [node for node in all_nodes(event.body) if isinstance(node, t.Store)]
        return any(name_of(node.column) in (self.flow.source, *self.flow.into) for node in stores)

    # --- what it gives ---

    def _given(self, effect: EffectSummary) -> Iterator[_Gift]:
        own = self._own_business(effect)
        for write in effect.writes:
            name = name_of(write.column)
            if write.op == "down" or write.amount.high <= 0 or write.sealed in own:
                continue
            if name in self.flow.into or self.trial.owner(write.column.span):
                yield _Gift(name, write.who, write)
        for occasion in effect.occasions:
            if occasion.what == "new" and not occasion.sealed:
                yield _Gift(with_article(occasion.about), None, None)
        for emission in effect.emits:
            match emission.key:
                case ("move", kind):
                    yield _Gift(f"{with_article(kind)} in {emission.into}", None, None)
                case ("event", name) if not emission.sealed and name not in price_of(effect):
                    yield _Gift(f"the event {name}", None, None)

    def _own_business(self, effect: EffectSummary) -> set[str]:
        """Core events that turn the one into the other themselves: that is the core's rate, not the pack's."""
        found = set()
        for event in {write.sealed for write in effect.writes if write.sealed}:
            writes = [w for w in effect.writes if w.sealed == event]
            takes = any(name_of(w.column) == self.flow.source and w.op == "down" for w in writes)
            if takes and any(name_of(w.column) in self.flow.into and w.op == "up" for w in writes):
                found.add(event)
        return found


def _lowers(write: Write) -> bool:
    """Whether it lowers the attribute, or sets it to zero."""
    return (write.op == "down" and write.amount.low < 0) or (write.op == "set" and write.amount.high <= 0)


def _is_exchanged(write: Write) -> bool:
    """Whether it is set to another present value. A fixed start value is no exchange."""
    return write.op == "set" and not write.amount.is_single


def price_of(effect: EffectSummary) -> set[str]:
    """The events in the cost of an action: they come with every payment."""
    cost = effect.action.cost if effect.action is not None else None
    return {node.event.name for node in performed_nodes(cost) if isinstance(node, t.Perform)}


def _differ(one: Who | None, other: Who | None) -> bool:
    """Whether these are surely two different players."""
    return one is not None and other is not None and one.base == other.base and one.other != other.other


def _description(pool: Pool) -> str:
    """An attribute by its name; `a token`, `a card in hand` and `the event toll` as they are."""
    match pool.split():
        case [article, name]:
            return f"{article} `{name}`"
        case [article, event, name] if article == "the":
            return f"the {event} `{name}`"
        case [article, name, preposition, place]:
            return f"{article} `{name}` {preposition} `{place}`"
    return f"`{pool}`"

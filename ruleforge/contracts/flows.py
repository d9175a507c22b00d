"""A trial -> faults of flows: what can be paid with one resource and gives another, also by detours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ruleforge.check import typed as t
from ruleforge.check.walk import all_nodes
from ruleforge.contracts.footprints.facts import Deed, Who, Write
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.model import Flow
from ruleforge.contracts.trial import Trial, subject

Pool = str  # `player.sp`, an attribute of a pack, or `a kind` of things that come and go


@dataclass(frozen=True, slots=True)
class _Gift:
    pool: Pool
    who: Who | None
    write: Write | None


def faults(trial: Trial) -> list[Fault]:
    found: list[Fault] = []
    for flow in trial.contract.flows:
        found += _from(trial, flow) if flow.source else _after(trial, flow)
        if not any(fault.clauses == flow.cites for fault in found):
            what = flow.source or flow.after
            trial.note(flow.cites, f"no way leads from `{what}` to {' or '.join(flow.into)}")
    return found


# --- what hangs on an event ---


def _after(trial: Trial, flow: Flow) -> Iterator[Fault]:
    keys = {("event", flow.after), *_only_by(trial, flow.after)}
    for deed in trial.prints.deeds:
        if deed.listens not in keys:
            continue
        for write in deed.writes:
            if name_of(write.column) in flow.into and write.op in ("up", "set") and write.amount.high > 0:
                why = f"{subject(deed)} gives `{name_of(write.column)}` for `{flow.after}`"
                repair = "let it hang on something else, or give something else"
                yield _fault(deed.origin, (deed,), write, why, flow, repair)


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


def _from(trial: Trial, flow: Flow) -> Iterator[Fault]:
    import networkx as nx  # a fifth of a second, and only judges want it

    graph: nx.DiGraph[Pool] = nx.DiGraph()
    steps: dict[tuple[Pool, Pool], list[tuple[Deed, _Gift]]] = {}
    for deed in trial.prints.deeds:
        for spent, who in _spent(trial, deed, flow):
            for gift in _given(trial, deed, flow):
                if spent != gift.pool and not _differ(who, gift.who):
                    graph.add_edge(spent, gift.pool)
                    steps.setdefault((spent, gift.pool), []).append((deed, gift))
    told: set[object] = set()
    for target in flow.into:
        if flow.source not in graph or target not in graph or not nx.has_path(graph, flow.source, target):
            continue
        reached = {flow.source, *nx.descendants(graph, flow.source)}
        for (spent, given), deeds in steps.items():
            if given != target or spent not in reached:
                continue
            way = nx.shortest_path(graph, flow.source, spent)
            before = [steps[a, b][0][0] for a, b in pairwise(way)]
            for deed, gift in deeds:
                if gift.write is None or gift.write.span in told:
                    continue
                told.add(gift.write.span)
                through = "".join(f" for {_said(pool)}, and that" for pool in way[1:])
                why = f"{subject(deed)} gives `{target}` for what can be paid with `{flow.source}`"
                if through:
                    why = f"`{flow.source}` is paid{through} gives `{target}` by {subject(deed)}"
                repair = f"let it cost something else than `{flow.source}`"
                yield _fault(deed.origin, (*before, deed), gift.write, why, flow, repair)


def _spent(trial: Trial, deed: Deed, flow: Flow) -> Iterator[tuple[Pool, Who | None]]:
    """What a deed takes: points, things of its own that it uses up, and itself where it comes and goes."""
    own = _own_business(deed, flow)
    for write in deed.writes:
        name = name_of(write.column)
        counts = name == flow.source or bool(trial.owner(write.column.span))
        if counts and write.op == "down" and write.amount.low < 0 and write.sealed not in own:
            yield name, write.who
    read = {node.column for test in deed.conditions for node in all_nodes(test) if isinstance(node, t.Read)}
    for column in read:
        if not column.constant and trial.owner(column.span) and _passes(trial, column):
            yield name_of(column), None
    cause = _own_cause(trial, deed)
    if cause:
        yield cause, None
    carrier = deed.carrier
    if carrier is not None and carrier.kind.pool and trial.circumstances.timed(deed):
        yield f"a {carrier.kind.name}", None


def _own_cause(trial: Trial, deed: Deed) -> Pool:
    """What of its own pack a rule waits for: an attribute that changes, an event."""
    match deed.listens:
        case ("set", kind, name):
            column = next(
                (c for c in trial.rules.columns.values() if (c.kind.name, c.name) == (kind, name)), None
            )
            return name_of(column) if column is not None and trial.owner(column.span) else ""
        case ("event", name):
            event = trial.rules.events.get(name)
            return f"the event {name}" if event is not None and trial.owner(event.span) else ""
    return ""


def _given(trial: Trial, deed: Deed, flow: Flow) -> Iterator[_Gift]:
    own = _own_business(deed, flow)
    for write in deed.writes:
        name = name_of(write.column)
        if write.op == "down" or write.amount.high <= 0 or write.sealed in own:
            continue
        if name in flow.into or trial.owner(write.column.span):
            yield _Gift(name, write.who, write)
    for occasion in deed.occasions:
        if occasion.what == "new" and not occasion.sealed:
            yield _Gift(f"a {occasion.about}", None, None)
    for emission in deed.emits:
        event = trial.rules.events.get(emission.key[1]) if emission.key[0] == "event" else None
        if event is not None and trial.owner(event.span):
            yield _Gift(f"the event {event.name}", None, None)


def _own_business(deed: Deed, flow: Flow) -> set[str]:
    """Core events that turn the one into the other themselves: that is the core's rate, not the pack's."""
    found = set()
    for event in {write.sealed for write in deed.writes if write.sealed}:
        writes = [w for w in deed.writes if w.sealed == event]
        takes = any(name_of(w.column) == flow.source and w.op == "down" for w in writes)
        if takes and any(name_of(w.column) in flow.into and w.op == "up" for w in writes):
            found.add(event)
    return found


def _passes(trial: Trial, column: t.Column) -> bool:
    """Does an attribute of a pack go back by itself, or is it taken back? What stays is bought for good."""
    if column.resets is not None:
        return True
    writes = [w for deed in trial.prints.deeds for w in deed.writes if w.column is column]
    return any(w.op == "down" or (w.op == "set" and w.amount.high <= 0) for w in writes)


def _differ(one: Who | None, other: Who | None) -> bool:
    """Are these two different players for sure?"""
    return one is not None and other is not None and one.base == other.base and one.other != other.other


def _said(pool: Pool) -> str:
    """An attribute by its name; `a token` and `the event toll` as they are."""
    article, _, name = pool.rpartition(" ")
    return f"{article} `{name}`" if article else f"`{name}`"


def name_of(column: t.Column) -> str:
    return f"{column.kind.name}.{column.name}"


def _fault(pack: str, deeds: tuple[Deed, ...], write: Write, why: str, flow: Flow, repair: str) -> Fault:
    rules = tuple(dict.fromkeys(deed.name for deed in deeds))
    return Fault(
        "broken", "RF910", pack, rules, (write.span,), why, flow.cites, (("flow", flow.span),), repair
    )

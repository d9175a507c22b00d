"""Record writes of effects: as writes, as emissions that trigger rules, and as changes of the core."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ruleforge.analysis.effects.circumstances import Env, Found, Where
from ruleforge.analysis.effects.deltas import Deltas, consists_of
from ruleforge.analysis.effects.ranges import Ranges
from ruleforge.analysis.effects.summary import Change, Emission, Write
from ruleforge.analysis.intervals import Interval
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NumberT
from ruleforge.support.diagnostics import Span


class Changes:
    """Records the new values of attributes.

    `owner` gives the pack of a place in the files, empty for the core.
    """

    def __init__(self, rules: t.Checked, ranges: Ranges, owner: Callable[[Span], str]) -> None:
        self.rules, self.ranges, self.owner = rules, ranges, owner

    def change(self, found: Found, where: Where, change: Change) -> None:
        if where.sealed:
            return
        if where.beginning and change.kind in ("gain", "move", "create"):
            change = replace(change, kind="start")
        found.changes.append(replace(change, times=where.times))

    def store(self, node: t.Store, env: Env, where: Where, found: Found) -> None:
        column, value = node.column, node.value
        who = self.ranges.who(node.of, env) if column.kind.name == "player" else None
        delta = Deltas(self.ranges, env, node).of(value) if isinstance(column.type, NumberT) else None
        amount = delta if delta is not None else self.ranges.of(value, env)
        things = (self.ranges.things(node.of, env),)
        for op in ["set"] if delta is None else _directions(delta):
            write = Write(column, op, amount, node.span, who, where.sealed, where.times, where.paid)
            write = replace(
                write, conditions=where.conditions, uses=where.uses, store=node, counts=where.counts
            )
            change = self._noted(write, things, where, found)
            if change is not None:
                own = consists_of(value, column, env)
                self.change(found, where, replace(change, made_of_itself=own, value=value))

    def pay(self, node: t.Pay, env: Env, where: Where, found: Found) -> None:
        amount = self.ranges.of(node.amount, env)
        if amount.high <= 0:
            return
        part = Interval(-amount.high, 0 if len(node.pools) > 1 else -max(0, amount.low))
        for pool in node.pools:
            who = self.ranges.who(pool.of, env) if pool.column.kind.name == "player" else None
            write = Write(pool.column, "down", part, node.span, who, where.sealed, where.times, paid=True)
            change = self._noted(replace(write, conditions=where.conditions), (), where, found)
            if change is not None:
                self.change(found, where, change)

    def _noted(
        self, write: Write, things: tuple[frozenset[int] | None, ...], where: Where, found: Found
    ) -> Change | None:
        """An attribute is written, for which rules can wait; the change that this is if it is the core's."""
        column, op, span = write.column, write.op, write.span
        kind, base = column.kind.name, f"{column.kind.name}.{column.name}"
        of = (write.who,) if kind == "player" else ()
        found.writes.append(write)
        key = ("set", kind, column.name)
        found.emits.append(Emission(key, of, span, where.sealed, where.times, op, things))
        if self.owner(column.span):
            return None
        names = (f"{base}.{op}", *([f"{base}.down"] if _takes_all(write) else []), base)
        return Change("gain", names, span, op, write.amount, write.who, path=where.path)


def _directions(delta: Interval) -> list[str]:
    """The ways in which an attribute may go."""
    return [*(["up"] if delta.high > 0 else []), *(["down"] if delta.low < 0 else [])]


def _takes_all(write: Write) -> bool:
    """Whether a write sets an attribute to its minimum. It then goes down from any value."""
    type_ = write.column.type
    return write.op == "set" and isinstance(type_, NumberT) and write.amount.high <= type_.low

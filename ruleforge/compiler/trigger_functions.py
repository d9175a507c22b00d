"""Find the rules that an event triggers, with a function that tells whether each would act, and the queue in
the row.
"""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.effects import recall
from ruleforge.compiler.lower.flow.ruleset import begin, lower_reachable
from ruleforge.compiler.lower.sets import modifiers
from ruleforge.compiler.program import program_from_lowered
from ruleforge.lang.checker import typed as t
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class TriggerQuery:
    """A rule that listens to an event.

    `function` takes the words of the event and gives 1 if the rule would act now.
    """

    rule: t.Rule
    function: str


@dataclass(frozen=True, slots=True)
class Queue:
    """The queue of waiting rules. Entry n begins at slot + n * width with its rule (from 1) and carrier."""

    slot: int
    width: int
    rules: tuple[t.Rule, ...]


def trigger_program(
    rules: t.Checked, players: int, options: dict[str, int], event: t.Event
) -> tuple[ir.Program, tuple[TriggerQuery, ...]]:
    low = begin(rules, players, options)
    hooks = (low.hooks.forbid, low.hooks.instead, low.hooks.after)
    hanging = [rule for each in hooks for rule in each.get(event, ())]
    found = []
    for rule in hanging:
        assert rule.pattern is not None
        names, env = modifiers.parameters_of(low, rule.pattern.parameters)
        remembered, env, known = recall.recall_values(low, rule, env)
        match = modifiers.matching(low, rule, env, lambda _: (ir.Return(ir.Const(1)),), known=known)
        body = (*remembered, *match, ir.Return(ir.Const(0)))
        found.append(TriggerQuery(rule, low.define(low.fresh("listens"), names, body, rule.span)))
    return program_from_lowered(lower_reachable(low)), tuple(found)


def waiting_queue(rules: t.Checked, players: int, options: dict[str, int]) -> Queue | None:
    """The queue of triggered rules. None if no rule ever waits."""
    hooks = begin(rules, players, options).hooks
    if not hooks.queued:
        return None
    return Queue(hooks.queue_slot, hooks.entry, tuple(hooks.queued))

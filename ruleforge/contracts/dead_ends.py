"""A trial -> conditions of packs that may leave no way out of a phase of the core which only an action ends."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.analysis.effects.values import written_out
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.trial import Trial
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FlagT
from ruleforge.lang.checker.walk import all_nodes, phases_of

_EMPTY = {"count": 0, "any": 0, "all": 1, "sum": 0, "min": 0, "max": 0}


def faults(trial: Trial) -> list[Fault]:
    if trial.contract.loops is None:
        return []
    core = [phase for phase in phases_of(trial.rules.flow) if not trial.owner(phase.span)]
    endless = (p for p in core if p.window == "one" and p.stuck is None and _always(p.repeat))
    return [fault for phase in endless for fault in _cornering(trial, phase)]


def _cornering(trial: Trial, phase: t.Phase) -> Iterator[Fault]:
    ways = [action for action in trial.rules.actions.values() if _leaves(trial, action, phase)]
    chosen = _chosen_in(trial, phase)
    for test in (*phase.holds, *(test for way in ways[:1] if len(ways) == 1 for test in way.holds)):
        pack = trial.owner(test.span)
        if not pack or not ways or _known(test, chosen):
            continue
        way, loops = ways[0], trial.contract.loops
        cites = tuple(dict.fromkeys((*way.clauses, *(loops.cites if loops is not None else ()))))
        why = f"the condition of `{phase.name}` may fail before the first choice, and then no choice is left"
        place = ((f"`{way.name}` ends `{phase.name}`", way.span),)
        repair = f"let it hold before the first choice in `{phase.name}`"
        yield Fault("broken", "RF911", pack, (phase.name,), (test.span,), why, cites, place, repair)


def _always(repeat: t.Expr | None) -> bool:
    return isinstance(repeat, t.Constant) and bool(repeat.value)


def _leaves(trial: Trial, action: t.Action, phase: t.Phase) -> bool:
    """Is it an action of the core that ends the phase?"""
    if trial.owner(action.span) or phase.name not in action.during or action.body is None:
        return False
    return any(isinstance(node, t.Leave) and node.phase == phase.name for node in all_nodes(action.body))


def _chosen_in(trial: Trial, phase: t.Phase) -> frozenset[t.Column]:
    """The attributes that say what was chosen there: those that the actions of the phase write."""
    effects = (*trial.summaries.effects, *trial.summaries.core)
    acts = (effect for effect in effects if effect.action is not None and phase.name in effect.windows)
    return frozenset(write.column for effect in acts for write in effect.writes)


def _known(node: t.Expr | None, chosen: frozenset[t.Column]) -> int | None:
    """The value of an expression as long as nothing is chosen; None where it hangs on anything else."""
    match node:
        case t.Constant(value=value):
            return value
        case t.Sure(value=inner):
            return _known(inner, chosen)
        case t.Read(column=column) if column in chosen:
            return _known(column.start, chosen) if column.start is not None else _beginning(column)
        case t.CallFormula():
            inner = written_out(node)
            return _known(inner, chosen) if inner is not node else None
        case t.Logic(op=op, parts=parts):
            found = [_known(part, chosen) for part in parts]
            settles = 0 if op == "and" else 1
            if any(value is not None and bool(value) is bool(settles) for value in found):
                return settles
            return None if None in found else 1 - settles
        case t.Not(value=inner):
            value = _known(inner, chosen)
            return None if value is None else int(not value)
        case t.Compare(op=op, left=left, right=right):
            return _compared(op, _known(left, chosen), _known(right, chosen))
        case t.Arithmetic(op="+" | "-" | "*" as op, left=left, right=right):
            return _reckoned(op, _known(left, chosen), _known(right, chosen))
        case t.Negative(value=inner):
            return _reckoned("-", 0, _known(inner, chosen))
        case t.Builtin(name="min" | "max" as name, arguments=arguments):
            values = [_known(argument, chosen) for argument in arguments]
            known = [value for value in values if value is not None]
            return (min if name == "min" else max)(known) if len(known) == len(values) else None
        case t.Aggregate(op=op, binder=binder, value=value) if op in _EMPTY:
            return _gathered(op, binder, value, chosen)
    return None


def _beginning(column: t.Column) -> int:
    """Nothing: 0, false, none, the empty set, or the nearest end of a range."""
    low, high = getattr(column.type, "low", 0), getattr(column.type, "high", 0)
    return 0 if isinstance(column.type, FlagT) else min(max(0, low), high) if high else 0


def _compared(op: str, a: int | None, b: int | None) -> int | None:
    if a is None or b is None:
        return None
    return int({"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op])


def _reckoned(op: str, a: int | None, b: int | None) -> int | None:
    if op == "*" and 0 in (a, b):
        return 0
    if a is None or b is None:
        return None
    return a + b if op == "+" else a - b if op == "-" else a * b


def _gathered(op: str, binder: t.Binder, value: t.Expr | None, chosen: frozenset[t.Column]) -> int | None:
    """Of nothing there is nothing; a sum of zeros is zero, and what is true of each is true of all."""
    where = _known(binder.where, chosen) if binder.where is not None else None
    if where == 0 or _known(binder.source, chosen) == 0:
        return _EMPTY[op]
    each = _known(value, chosen) if value is not None else None
    return _EMPTY[op] if each is not None and each == _EMPTY[op] else None

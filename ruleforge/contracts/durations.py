"""`durations` computes the windows that one use of an effect covers, and the turns between two uses."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ruleforge.analysis.effects.summary import ME, EffectSummary, Who, Write
from ruleforge.analysis.effects.things import ACTIVE
from ruleforge.analysis.effects.values import Known, conjuncts
from ruleforge.contracts.trial import Trial
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import all_nodes, phases_of


def windows_covered(trial: Trial, window: str, effect: EffectSummary, by_call: bool) -> float:
    """How many windows of a victim one use reaches; the event of the core for it reaches one."""
    carrier = effect.carrier
    if carrier is None or not carrier.kind.pool:
        return 1 if by_call else math.inf
    lasts = trial.rules.lasts.get(carrier.kind)
    if lasts is not None and not trial.circumstances.renewed(carrier.kind):
        return 0 if not by_call and _ends_before(trial, window, carrier.kind, lasts) else 1
    return _lives(trial, carrier.kind)


def _ends_before(trial: Trial, window: str, kind: t.Kind, lasts: t.Pattern) -> bool:
    """Whether it ends before the victim's next window: at the end of the turn in which it was made."""
    if not isinstance(lasts.subject, tuple) or lasts.subject[0] != "end":
        return False
    phase = trial.phase(lasts.subject[1])
    inside = {p.name for p in phases_of((phase,))} if phase is not None else set()
    makers = [effect for effect in trial.summaries.effects if effect.makes(kind.name)]
    return {window, *(name for effect in makers for name in effect.windows)} <= inside


def _lives(trial: Trial, kind: t.Kind) -> float:
    """How many moments a thing of a pool lives through: one if a rule removes it, a counter if it counts down."""
    around = trial.circumstances
    own = (d for d in trial.summaries.effects if d.carrier is not None and d.carrier.kind is kind)
    removing = [effect for effect in own if around.ends_in_time(effect, kind)]
    if around.renewed(kind):
        return math.inf
    best = math.inf
    for effect in removing:
        counters = [w.column for w in effect.writes if w.column.kind is kind and w.op == "down"]
        best = min([best, *(_largest(trial, kind, column) for column in counters)] if counters else [best, 1])
    return best


def _largest(trial: Trial, kind: t.Kind, column: t.Column) -> float:
    """The most that a counter of a pool begins with."""
    blocks = (block for effect in trial.summaries.effects for block in effect.blocks)
    made = (n for block in blocks for n in all_nodes(block) if isinstance(n, t.New) and n.kind is kind)
    starts = [dict(node.given).get(column) for node in made]
    return (
        max((math.inf if s is None else trial.ranges.of(s, {}).high for s in starts), default=0) or math.inf
    )


def turns_between(trial: Trial, effect: EffectSummary) -> float:
    """From one use to the next, at least; 0 if no counter sees to it."""
    return max((_turns(trial, effect, write) for write in _counters(trial, effect)), default=0)


def _counters(trial: Trial, effect: EffectSummary) -> Iterator[Write]:
    """The attributes that each use of an action sets on its player, and that must be 0 before it."""
    tests = conjuncts(*effect.conditions)
    for write in effect.writes if effect.form == "action" else ():
        column = write.column
        sure = not write.conditions and not write.sealed and write.who == ME and write.op in ("set", "up")
        own = bool(trial.owner(column.span)) and column.resets is None
        if sure and own and any(_asks_for_nothing(test, column, effect) for test in tests):
            yield write


def _asks_for_nothing(test: t.Expr, column: t.Column, effect: EffectSummary) -> bool:
    match test:
        case t.Compare(op="==" | "<=", left=t.Read() as read, right=t.Constant(value=0)):
            pass
        case t.Compare(op="<", left=t.Read() as read, right=t.Constant(value=1)):
            pass
        case _:
            return False
    known = effect.environment.get(read.of.variable) if isinstance(read.of, t.Use) else None
    return read.column is column and isinstance(known, Known) and known.who == ME


def _turns(trial: Trial, effect: EffectSummary, counter: Write) -> float:
    """The turns of a counter that falls by one in each turn of its player, or of any player."""
    steps = 0.0
    for other in trial.summaries.effects:
        for write in other.writes:
            if write.column is not counter.column or write is counter or write.op == "up":
                continue
            if write.op != "down" or write.amount.low != -1 or write.times != 1:
                return 0
            steps += _steps(trial, other, write)
    if not steps or math.isinf(steps):
        return 0
    ticking = [d for d in trial.summaries.effects if any(w.column is counter.column for w in d.writes)]
    early = 0 if all(_is_around(trial, other, effect) for other in ticking) else 1
    return math.ceil((counter.amount.low - early) / steps)


def _steps(trial: Trial, effect: EffectSummary, write: Write) -> float:
    """How often it counts down from one turn of the player to the next."""
    if (
        effect.listens is None
        or effect.listens[0] != "phase"
        or not _once_in_a_turn(trial, effect.listens[2])
    ):
        return math.inf
    is_active = write.who == Who(0) and effect.subjects[:1] == (ACTIVE,)
    return 1 if is_active else trial.rules.kinds["player"].size


def _once_in_a_turn(trial: Trial, name: str) -> bool:
    """Whether the phase lies in one that goes from player to player, without a repeat there."""
    way = _way(trial.rules.flow, name)
    seats = [number for number, phase in enumerate(way) if phase.each is not None]
    below = way[seats[-1] + 1 :] if seats else ()
    return bool(below) and all(phase.repeat is None for phase in below)


def _way(flow: tuple[t.Phase, ...], name: str) -> tuple[t.Phase, ...]:
    for phase in flow:
        found = (phase,) if phase.name == name else _way(phase.steps, name)
        if found:
            return found if phase.name == name else (phase, *found)
    return ()


def _is_around(trial: Trial, ticking: EffectSummary, effect: EffectSummary) -> bool:
    """Does it count down before or after all windows of a use? Between two of them a turn would be lost."""
    if ticking.listens is None or ticking.listens[0] != "phase" or ticking is effect:
        return True
    phase = trial.phase(ticking.listens[2])
    inside = {p.name for p in phases_of((phase,))} if phase is not None else set()
    return len(effect.windows) == 1 or {*effect.windows} <= inside

"""A trial -> conditions of packs that may leave no way out of a phase of the core which only an action ends."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.analysis.effects.ranges import Ranges
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.trial import Trial
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import all_nodes, phases_of


def faults(trial: Trial) -> list[Fault]:
    if trial.contract.loops is None:
        return []
    core = [phase for phase in phases_of(trial.rules.flow) if not trial.owner(phase.span)]
    endless = (p for p in core if p.window == "one" and p.stuck is None and _always(p.repeat))
    return [fault for phase in endless for fault in _cornering(trial, phase)]


def _cornering(trial: Trial, phase: t.Phase) -> Iterator[Fault]:
    ways = [action for action in trial.rules.actions.values() if _leaves(trial, action, phase)]
    fresh = Ranges(trial.rules, fresh=_chosen_in(trial, phase))
    for test in (*phase.holds, *(test for way in ways[:1] if len(ways) == 1 for test in way.holds)):
        pack = trial.owner(test.span)
        if not pack or not ways or fresh.of(test, {}).low > 0:
            continue
        way, loops = ways[0], trial.contract.loops
        cites = tuple(dict.fromkeys((*way.clauses, *(loops.cites if loops is not None else ()))))
        why = f"what must hold of `{phase.name}` may fail before anything is chosen, and then nothing leads out of it"
        place = ((f"`{way.name}` ends `{phase.name}`", way.span),)
        repair = f"let it hold as long as nothing is chosen in `{phase.name}`"
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

"""A trial -> warnings, which never reject: large gains and raises, denials that add up, idle rules, free actions."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.contracts import bounds, denial, poverty
from ruleforge.contracts.conditions import usual_limit
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.trial import Trial, subject


def warnings(trial: Trial) -> list[Fault]:
    return [
        *bounds.warnings(trial),
        *denial.warnings(trial),
        *poverty.warnings(trial),
        *_never(trial),
        *_free(trial),
    ]


def _never(trial: Trial) -> Iterator[Fault]:
    """Rules whose condition no subject meets."""
    around = trial.circumstances
    for effect in trial.summaries.effects:
        if effect.conditions and effect.form != "action" and around.impossible(effect):
            why = f"{subject(effect)} never applies: its condition is never true"
            yield Fault("warning", "RF922", effect.origin, (effect.name,), (effect.place,), why)


def _free(trial: Trial) -> Iterator[Fault]:
    """Actions that cost nothing and can be taken again and again in one window."""
    for effect in trial.summaries.effects:
        action = effect.action
        if action is None or action.limit is not None or action.cost is not None or effect.writes:
            continue
        phases = [trial.phase(name) for name in action.during]
        if any(phase is not None and phase.window == "many" for phase in phases):
            why = f"{subject(effect)} costs nothing and can be repeated without end"
            repair = f"add a `cost`, or `{usual_limit(trial.rules)}`"
            yield Fault("warning", "RF923", effect.origin, (effect.name,), (effect.span,), why, repair=repair)

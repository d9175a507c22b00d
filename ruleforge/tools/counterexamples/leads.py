"""A fault and the effect summaries around it -> Lead: which rules must act, and which actions bring that about."""

from __future__ import annotations

from collections.abc import Mapping

from ruleforge.analysis.effects.summary import EffectSummary, Key
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.trial import Trial
from ruleforge.support.records import dataclass

FAR = 4  # links of a chain from an action to the rule; what is further off is left to luck


@dataclass(frozen=True)
class Lead:
    """What to look for: the effects of a fault, and actions by how many links they are away from them."""

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

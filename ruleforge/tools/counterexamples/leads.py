"""A fault and the footprints around it -> Lead: which rules must act, and which actions bring that about."""

from __future__ import annotations

from collections.abc import Mapping

from ruleforge.analysis.effects.facts import Deed, Key
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.trial import Trial
from ruleforge.support.records import dataclass

FAR = 4  # links of a chain from an action to the rule; what is further off is left to luck


@dataclass(frozen=True)
class Lead:
    """What to look for: the deeds of a fault, and actions by how many links they are away from them."""

    fault: Fault
    trial: Trial
    deeds: tuple[Deed, ...]
    pull: Mapping[str, int]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(deed.name for deed in self.deeds)


def lead_from(fault: Fault, trial: Trial) -> Lead:
    deeds = tuple(deed for deed in trial.prints.deeds if deed.name in fault.rules)
    return Lead(fault, trial, deeds, _pull(trial, deeds))


def _pull(trial: Trial, deeds: tuple[Deed, ...]) -> dict[str, int]:
    """Actions that lead to these deeds: by what they emit, or by the things they make."""
    every = (*trial.prints.deeds, *trial.prints.core)
    found: dict[str, int] = {}
    known: set[str] = set()
    near = list(deeds)
    for distance in range(FAR):
        further: list[Deed] = []
        for deed in near:
            if deed.action is not None:
                found.setdefault(deed.name, distance)
            if deed.name not in known:
                known.add(deed.name)
                further += [other for other in every if _leads_to(other, deed)]
        near = further
    return found


def _leads_to(one: Deed, other: Deed) -> bool:
    keys: set[Key] = {other.listens} if other.listens is not None else set()
    if any(emission.key in keys for emission in one.emits):
        return True
    carrier = other.carrier
    made = {occasion.about for occasion in one.occasions if occasion.what == "new"}
    return carrier is not None and carrier.kind.pool and carrier.kind.name in made

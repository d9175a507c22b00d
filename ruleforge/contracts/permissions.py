"""`Permissions` finds single changes that no point of the core admits, and those beyond a point's limits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from ruleforge.analysis.dataflow import reach
from ruleforge.analysis.effects.summary import Change, EffectSummary, Key
from ruleforge.contracts.admission import Admission, ChangeRequest, Judged
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.model import Clauses, Point
from ruleforge.contracts.terms import INSIDE, MOST
from ruleforge.contracts.trial import Trial, broken, label, subject
from ruleforge.support.diagnostics import Span


class Permissions:
    """Judges every change of every pack once."""

    def __init__(self, trial: Trial) -> None:
        self.trial, self.admission = trial, Admission(trial)
        self.judged: list[tuple[str, EffectSummary | None, Judged]] = []
        self._steps: dict[str, Point] = {}

        for pack, change in trial.summaries.structure:
            self._judge(change, None, pack)
        for effect in trial.summaries.effects:
            for change in effect.changes:
                if not self._inside(change, effect) and not self._is_beyond(change, effect):
                    self._judge(change, effect, effect.origin)

    def faults(self) -> Iterator[Fault]:
        """The changes that no point admits. A line with a fault of denial or secrecy needs no second fault here."""
        lines, fallback = self.trial.lines("RF913", "RF915"), set(self.trial.contract.fallback)
        for fault in (judged.fault for _, _, judged in self.judged if judged.fault is not None):
            if (fault.place.file, fault.place.line) not in lines or not set(fault.clauses) <= fallback:
                yield fault

    @cached_property
    def looks(self) -> frozenset[Span]:
        """The places where a point allows packs to show hidden information."""
        judged = (judged for _, _, judged in self.judged if judged.point is not None)
        return frozenset(one.change.span for one in judged if one.change.kind == "look")

    def crowded(self) -> Iterator[Fault]:
        """Points that more packs use for one target than they may."""
        users: dict[tuple[str, str], dict[str, Judged]] = {}
        points = {point.id: point for point in self.trial.contract.points if point[MOST] is not None}
        for pack, _, judged in self.judged:
            if judged.point is not None and judged.point.id in points:
                users.setdefault((judged.point.id, judged.change.name), {}).setdefault(pack, judged)
        for (id, name), packs in users.items():
            point = points[id]
            if len(packs) > (point[MOST] or 0):
                spans = tuple(judged.change.span for judged in packs.values())
                why = f"{' and '.join(f'`{pack}`' for pack in packs)} meet at the point `{id}` for `{name}`"
                core, first = ((label(point), point.span),), next(iter(packs))
                yield Fault("broken", "RF918", first, (), spans, why, point.cites, core, "use one of them")

    def warnings(self) -> list[Fault]:
        return [judged.warning for _, _, judged in self.judged if judged.warning is not None]

    def _judge(self, change: Change, effect: EffectSummary | None, pack: str) -> None:
        judged = self.admission.judge(ChangeRequest(change, effect, pack))
        self.judged.append((pack, effect, judged))
        if judged.point is not None:
            why = f"`{change.name}` by the point `{judged.point.id}`"
            self.trial.note(judged.point.cites, why)
            if change.kind == "step":
                self._steps |= dict.fromkeys(change.windows, judged.point)

    def _is_beyond(self, change: Change, effect: EffectSummary) -> bool:
        """In some windows an action, and what hangs on what such actions do, may do less than elsewhere."""
        for point in (p for p in self.trial.contract.points if p[INSIDE] and "act" in p.admits):
            allowed = point[INSIDE] or ()
            windows = frozenset(point.targets_of("act"))
            if not (windows & {*effect.windows} or effect.listens in self._listened(windows)):
                continue
            if change.kind in ("act", "listen") or any(name in allowed for name in change.names):
                continue
            if not self._listens_to(change, effect):
                where = f"during `{sorted(windows)[0]}`"
                self._refuse(
                    change, effect, point, f"does `{change.name}` {where}", point.bare or point.cites
                )
                return True
        return False

    def _listens_to(self, change: Change, effect: EffectSummary) -> bool:
        """Does a guard refuse it anyway, with words of its own?"""
        guarded = bool(self.admission.guards(change))
        return (
            guarded and self.admission.judge(ChangeRequest(change, effect, effect.origin)).fault is not None
        )

    def _listened(self, windows: frozenset[str]) -> set[Key]:
        """The events that actions in these windows cause, also by way of rules of packs."""
        acting = [effect for effect in self.trial.summaries.core if windows & {*effect.windows}]
        waiting = [effect for effect in self.trial.summaries.effects if effect.form == "after"]
        keys = (emission.key for effect in acting for emission in effect.emits)
        return set(reach(keys, lambda key: (e.key for d in waiting if d.listens == key for e in d.emits)))

    def _refuse(
        self, change: Change, effect: EffectSummary, point: Point, what: str, clauses: Clauses
    ) -> None:
        allowed = ", ".join(f"`{name}`" for name in point[INSIDE] or ())
        why = f"{subject(effect)} {what}, which is not an admitted place"
        repair = f"what belongs there is {allowed}, and what the pack brings"
        fault = replace(broken("RF903", effect, point, why, repair, change.span), clauses=clauses)
        self.judged.append((effect.origin, effect, Judged(change, None, fault)))

    def _inside(self, change: Change, effect: EffectSummary) -> bool:
        """Inside an added step a change needs no point of its own, but must be among those the step may contain."""
        if change.kind in ("act", "listen"):
            return False
        names = (effect.name,) if effect.form == "step" else effect.windows if effect.form == "action" else ()
        point = next((self._steps[name] for name in names if name in self._steps), None)
        if point is None or not point[INSIDE]:
            return False
        allowed = point[INSIDE] or ()
        if any(name in allowed for name in change.names):
            return True
        self._refuse(change, effect, point, f"does `{change.name}` in a step of its own", point.cites)
        return True

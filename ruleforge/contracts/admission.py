"""`Admission` judges each change of a pack: a point of the core admits it, or it is a fault with the clauses
of its guard.
"""

from __future__ import annotations

from dataclasses import replace

from ruleforge.analysis.effects.summary import Change, EffectSummary
from ruleforge.contracts.cited import cited_in
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.limit import Failure, LimitQuestion
from ruleforge.contracts.limits import failures
from ruleforge.contracts.model import Clauses, Guard, Point
from ruleforge.contracts.terms import WARN
from ruleforge.contracts.trial import Trial, label
from ruleforge.support.records import dataclass

# The message for a change that no point admits.
_WORDS = {
    "redefine": "repeats a definition of the core: `{}`",
    "define": "brings a new thing of `{}`",
    "modify": "modifies `{}`",
    "gain": "changes `{}`",
    "start": "lets a game start with other `{}`",
    "move": "moves `{}`",
    "create": "creates or removes things: `{}`",
    "call": "calls `{}`",
    "again": "opens the window `{}` again",
    "act": "offers an action",
    "listen": "listens to `{}`",
    "instead": "acts instead of `{}`",
    "forbid": "forbids `{}`",
    "step": "changes the flow: `{}`",
    "fill": "fills `{}`",
    "choose": "settles `{}`",
    "end": "ends the game: `{}`",
    "seat": "plays seats by a profile",
    "look": "shows hidden contents of `{}`",
}


@dataclass(frozen=True, slots=True)
class Judged:
    """A change with the point that admits it, or the fault it is."""

    change: Change
    point: Point | None = None
    fault: Fault | None = None
    warning: Fault | None = None


@dataclass(frozen=True, slots=True)
class ChangeRequest:
    """A change, and who makes it: an effect of a pack, or the pack by its definitions."""

    change: Change
    effect: EffectSummary | None
    pack: str

    def fault(self, code: str, why: str, clauses: Clauses, repair: str | None = None) -> Fault:
        """`why` continues a sentence that begins with the effect or pack that makes the change."""
        by = f"`{self.effect.title}`" if self.effect else f"the pack `{self.pack}`"
        rules, place = (self.effect.name,) if self.effect else (), (self.change.span,)
        return Fault("broken", code, self.pack, rules, place, f"{by} {why}", clauses, repair=repair)


class Admission:
    """Judges single changes of packs."""

    def __init__(self, trial: Trial) -> None:
        self.contract, self._around, ruleset = trial.contract, trial.circumstances, trial.analysis.ruleset
        self._pack_kinds = {r.pack.manifest.id: r.pack.manifest.kind for r in trial.analysis.packs}
        self._new_things = _new_things(trial)
        self._core = ruleset.id if ruleset is not None else "GAME"
        self._cited = cited_in(ruleset, trial.owner)

    def judge(self, request: ChangeRequest) -> Judged:
        change = request.change
        guards = self.guards(change)
        if change.free and not guards:
            return Judged(change)
        best: tuple[Point, list[Failure]] | None = None
        for point in self._points(change, bool(guards)):
            broken = failures(self._before(point, request))
            if not broken:
                return Judged(change, point, None, self._warning(point, request))
            if best is None or _badness(broken) < _badness(best[1]):
                best = point, broken
        if best is not None:
            return Judged(change, None, self._failed(*best, request))
        if not self.contract.closed and (change.kind == "listen" or not guards) and change.kind != "redefine":
            return Judged(change)
        return Judged(change, None, self._no_point(guards, request))

    def _before(self, point: Point, request: ChangeRequest) -> LimitQuestion:
        kind = self._pack_kinds.get(request.pack, "")
        return LimitQuestion(point, request.change, request.effect, kind, self._around, self._new_things)

    # --- guards and points ---

    def guards(self, change: Change) -> list[Guard]:
        """The guards of the most special name that has any; what is said anew breaks those of all its names."""
        first = (change.names[0], *change.touches, *change.perhaps)
        levels = [first, *((name,) for name in change.names[1:])]
        if change.kind == "redefine":
            levels = [tuple(name for names in levels for name in names)]
        for names in levels:
            found = [g for g in self.contract.guards if any(target.text in names for target in g.of)]
            if found:
                return found
        return []

    def _points(self, change: Change, guarded: bool) -> list[Point]:
        """The points for the most special name that has any; `any` is the least special, and never what is guarded."""
        for level, name in enumerate(change.names):
            found = [p for p in self.contract.points if name in p.targets_of(change.kind)]
            if found:
                return [] if self._is_guarded_closer(change, level) else found
        if guarded and change.kind != "listen":
            return []
        return [p for p in self.contract.points if "any" in p.targets_of(change.kind)]

    def _is_guarded_closer(self, change: Change, level: int) -> bool:
        """Whether a guard knows the change by a more special name than the point that would admit it.

        A trigger changes nothing, so no guard applies to it.
        """
        if change.kind == "listen":
            return False
        special = set() if change.kind == "define" else set(change.names[:level])
        if change.kind == "move":
            special |= set(change.touches)
        return any(target.text in special for guard in self.contract.guards for target in guard.of)

    # --- faults ---

    def _no_point(self, guards: list[Guard], request: ChangeRequest) -> Fault:
        change = request.change
        conserved = change.names[-1] in self.contract.conserve.of and change.kind in ("create", "define")
        code = "RF902" if change.kind == "redefine" else "RF916" if conserved else "RF903"
        what = _WORDS.get(change.kind, "changes `{}`").format(change.name)
        say = "; ".join(guard.say for guard in guards if guard.say)
        why = f"{what}: {say}" if say else f"{what}, which no point of the core admits"
        fix = next((guard.fix for guard in guards if guard.fix), None) or self._repair(change)
        clauses = tuple(dict.fromkeys(clause for guard in guards for clause in guard.clauses))
        clauses = clauses or (self.contract.conserve.cites if conserved else ()) or self._unguarded(change)
        core = tuple((f"guard of `{guard.of[0].text}`", guard.span) for guard in guards if guard.of)
        return replace(
            request.fault(code, why, clauses, fix), core=core or (("contract", self.contract.span),)
        )

    def _unguarded(self, change: Change) -> Clauses:
        """The clauses cited for a change without a guard, including those of its own definition."""
        own = next((self._cited[name] for name in change.names if name in self._cited), ())
        return tuple(dict.fromkeys((*own, *self.contract.fallback)))

    def _failed(self, point: Point, broken: list[Failure], request: ChangeRequest) -> Fault:
        first, why = broken[0], "; ".join(failure.why for failure in broken)
        clauses = dict.fromkeys(c for f in broken for c in self._clauses(f, point, request.change))
        fault = request.fault(first.code, why, tuple(clauses), first.repair)
        return replace(fault, answer=first.answer, places=(first.span,), core=((label(point), point.span),))

    def _clauses(self, failure: Failure, point: Point, change: Change) -> Clauses:
        if failure.clauses:
            return failure.clauses
        if failure.guarded:
            guarded = tuple(clause for guard in self.guards(change) for clause in guard.clauses)
            return guarded or (point.cites if failure.code == "RF908" else self._of_point(point))
        return self._of_point(point) if failure.code == "RF903" else point.cites or self.contract.fallback

    def _of_point(self, point: Point) -> Clauses:
        return tuple(dict.fromkeys((*point.cites, *self.contract.fallback)))

    def _repair(self, change: Change) -> str:
        chosen = (name for p in self.contract.points for name in p.targets_of("choose"))
        if change.kind == "redefine" and change.name in chosen:
            return f"set it with `chooses: {{{change.name}: ...}}`"
        listened = [n for p in self.contract.points for n in p.targets_of("listen") if n != "flow"]
        if change.kind == "listen" and listened:
            return f"listen to something else: {', '.join(f'`{name}`' for name in listened)}"
        if change.kind == "redefine":
            return "give yours another name; what the core says stays as it is"
        return f"use what the contract offers: `ruleforge contract {self._core}` lists it"

    def _warning(self, point: Point, request: ChangeRequest) -> Fault | None:
        most, change = point[WARN], request.change
        if most is None or change.amount is None or change.amount.high <= most:
            return None
        why = f"adds up to {change.amount} to `{change.name}`, more than {most}"
        fault, core = request.fault("RF921", why, point.cites), ((label(point), point.span),)
        return replace(fault, answer="warning", places=(change.amount_span or change.span,), core=core)


def _badness(broken: list[Failure]) -> tuple[int, int]:
    return len(broken), max(failure.weight for failure in broken)


def _new_things(trial: Trial) -> frozenset[tuple[str, int]]:
    """Things of packs, by kind and number."""
    found = set()
    for kind in trial.rules.kinds.values():
        ours = bool(trial.owner(kind.span))
        for number, name in enumerate(kind.things, 1):
            span = kind.spans.get(name)
            if ours or (span is not None and trial.owner(span)):
                found.add((kind.name, number))
    return frozenset(found)

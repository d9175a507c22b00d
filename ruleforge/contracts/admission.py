"""Changes -> those that a point of the core admits, and faults for the others, with the clauses of guards."""

from __future__ import annotations

from collections.abc import Callable

from ruleforge.analysis.effects.summary import Change, EffectSummary
from ruleforge.contracts.cited import Cited
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.limit import Failure, LimitQuestion
from ruleforge.contracts.limits import failures
from ruleforge.contracts.model import Clauses, Contract, Guard, Point
from ruleforge.contracts.terms import WARN
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

# What a message says of a change that nothing admits.
_WORDS = {
    "redefine": "says anew what the core says: `{}`",
    "define": "brings a new thing of `{}`",
    "modify": "modifies `{}`",
    "gain": "changes `{}`",
    "start": "lets a game start with other `{}`",
    "move": "moves `{}`",
    "create": "makes or unmakes things: `{}`",
    "call": "calls `{}`",
    "again": "opens the window `{}` again",
    "act": "offers an action",
    "listen": "waits for `{}`",
    "instead": "acts instead of `{}`",
    "forbid": "forbids `{}`",
    "step": "changes the flow: `{}`",
    "fill": "fills `{}`",
    "choose": "settles `{}`",
    "end": "ends the game: `{}`",
    "seat": "plays seats by a profile",
    "look": "shows what lies hidden in `{}`",
}


@dataclass(frozen=True, slots=True)
class Judged:
    """A change with the point that admits it, or the fault it is."""

    change: Change
    point: Point | None = None
    fault: Fault | None = None
    warning: Fault | None = None


class Admission:
    """Judges single changes of packs.

    `ask` puts a change of a pack before a point; `core` is what the core is called, `cited` what its definitions cite.
    """

    def __init__(
        self,
        contract: Contract,
        ask: Callable[[Point, Change, EffectSummary | None, str], LimitQuestion],
        core: str,
        cited: Cited,
    ) -> None:
        self.contract, self.ask, self.core, self.cited = contract, ask, core, cited

    def judge(self, change: Change, effect: EffectSummary | None, pack: str) -> Judged:
        guards = self.guards(change)
        if change.free and not guards:
            return Judged(change)
        points = self._points(change, bool(guards))
        best: tuple[Point, list[Failure]] | None = None
        for point in points:
            broken = failures(self.ask(point, change, effect, pack))
            if not broken:
                return Judged(change, point, None, self._warning(point, change, effect, pack))
            if best is None or _badness(broken) < _badness(best[1]):
                best = point, broken
        if best is not None:
            return Judged(change, None, self._failed(best[0], best[1], change, effect, pack))
        if not self.contract.closed and (change.kind == "listen" or not guards) and change.kind != "redefine":
            return Judged(change)
        return Judged(change, None, self._no_point(change, guards, effect, pack))

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
        """Does a guard know the change by a name more special than the one by which a point would admit it?

        To wait for something changes nothing, so nothing guards against it.
        """
        if change.kind == "listen":
            return False
        special = set() if change.kind == "define" else set(change.names[:level])
        if change.kind == "move":
            special |= set(change.touches)
        return any(target.text in special for guard in self.contract.guards for target in guard.of)

    # --- faults ---

    def _no_point(
        self, change: Change, guards: list[Guard], effect: EffectSummary | None, pack: str
    ) -> Fault:
        conserved = change.names[-1] in self.contract.conserve.of and change.kind in ("create", "define")
        code = "RF902" if change.kind == "redefine" else "RF916" if conserved else "RF903"
        what = _WORDS.get(change.kind, "changes `{}`").format(change.name)
        say = "; ".join(guard.say for guard in guards if guard.say)
        why = f"{_subject(effect, pack)} {what}" + (
            f": {say}" if say else ", which no point of the core admits"
        )
        fix = next((guard.fix for guard in guards if guard.fix), None)
        clauses = tuple(dict.fromkeys(clause for guard in guards for clause in guard.clauses))
        core = tuple((f"guard of `{guard.of[0].text}`", guard.span) for guard in guards if guard.of)
        return Fault(
            "broken",
            code,
            pack,
            (effect.name,) if effect else (),
            (change.span,),
            why,
            clauses or (self.contract.conserve.cites if conserved else ()) or self._unguarded(change),
            core or (("contract", self.contract.span),),
            fix or self._repair(change),
        )

    def _unguarded(self, change: Change) -> Clauses:
        """What is cited of something that no guard speaks of: also the clauses that it puts into effect itself."""
        own = next((self.cited[name] for name in change.names if name in self.cited), ())
        return tuple(dict.fromkeys((*own, *self.contract.fallback)))

    def _failed(
        self, point: Point, broken: list[Failure], change: Change, effect: EffectSummary | None, pack: str
    ) -> Fault:
        first = broken[0]
        clauses = tuple(dict.fromkeys(c for f in broken for c in self._clauses(f, point, change)))
        return Fault(
            first.answer,
            first.code,
            pack,
            (effect.name,) if effect else (),
            (first.span,),
            f"{_subject(effect, pack)} " + "; ".join(failure.why for failure in broken),
            clauses,
            ((f"point `{point.id}`", point.span),),
            first.repair,
        )

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
            return f"settle it: `chooses: {{{change.name}: ...}}`"
        listened = [n for p in self.contract.points for n in p.targets_of("listen") if n != "flow"]
        if change.kind == "listen" and listened:
            return f"wait for something else: {', '.join(f'`{name}`' for name in listened)}"
        if change.kind == "redefine":
            return "give yours another name; what the core says stays as it is"
        return f"use what the contract offers: `ruleforge contract {self.core}` lists it"

    def _warning(self, point: Point, change: Change, effect: EffectSummary | None, pack: str) -> Fault | None:
        most = point[WARN]
        if most is None or change.amount is None or change.amount.high <= most:
            return None
        span: Span = change.amount_span or change.span
        why = f"{_subject(effect, pack)} adds up to {change.amount} to `{change.name}`, more than {most}"
        place = ((f"point `{point.id}`", point.span),)
        return Fault(
            "warning", "RF921", pack, (effect.name,) if effect else (), (span,), why, point.cites, place
        )


def _badness(broken: list[Failure]) -> tuple[int, int]:
    return len(broken), max(failure.weight for failure in broken)


def _subject(effect: EffectSummary | None, pack: str) -> str:
    return f"`{effect.title}`" if effect else f"the pack `{pack}`"

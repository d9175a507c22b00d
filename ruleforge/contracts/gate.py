"""`gate_of` makes the gate of a pack set: the parts of the contract that the engine enforces in play."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from ruleforge.analysis.intervals import Interval
from ruleforge.contracts.model import Clauses, Contract, Denial, Point
from ruleforge.contracts.terms import EACH, FINAL, RESULT, SOURCES, SUM
from ruleforge.contracts.trial import owner_in
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.check_snippet import check_text
from ruleforge.lang.checker.types import INT_MAX, INT_MIN, NumberT, ThingT
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.project.pipeline import Analysis
from ruleforge.support.diagnostics import Span

IN_PLAY = ("change", "commit", "turn_end")


def gate_of(analysis: Analysis, contract: Contract | None, observe: bool = False) -> t.Gate | None:
    """None where no pack is loaded, or where the contract has nothing to say in play."""
    if contract is None or analysis.checked is None or not analysis.packs:
        return None
    return _Making(analysis, analysis.checked, contract).gate(observe)


class _Making:
    def __init__(self, analysis: Analysis, rules: t.Checked, contract: Contract) -> None:
        self.rules, self.contract = rules, contract
        self.files = frozenset(file.path for reading in analysis.packs for file in reading.source.files)
        self.owner: Callable[[Span], str] = owner_in(analysis)

    def gate(self, observe: bool) -> t.Gate | None:
        contract = self.contract
        caps = {cap.formula: cap for formula in self.rules.formulas.values() if (cap := self._cap(formula))}
        shares = tuple(share for share in self._shares() if share.claims)
        rests = tuple(rest for denial in contract.denial if (rest := self._rest(denial)))
        stands = tuple(self._stands())
        chain = contract.loops.cites if contract.loops else ()
        conserved = dict.fromkeys(contract.conserve.of, contract.conserve.cites)
        sure = {
            self.rules.events[name]: chance.cites
            for chance in contract.chance
            for name in chance.inside
            if name in self.rules.events
        }
        if not (caps or shares or rests or stands or contract.fuse or observe):
            return None
        name = _name(caps, shares, rests, stands, (chain, conserved, [*sure], contract.fuse, observe))
        return t.Gate(
            self.files, caps, shares, rests, stands, contract.fuse, chain, conserved, sure, observe, name
        )

    # --- caps of formulas ---

    def _cap(self, formula: t.Formula) -> t.Cap | None:
        if not isinstance(formula.result, NumberT):
            return None
        modifying = [rule for rule in self.rules.rules if _modifies(rule, formula)]
        ours = frozenset(rule for rule in modifying if self.owner(rule.span))
        points = self._points("modify", formula.name) if ours else []
        if not points:
            return None
        each, total = _widest([p[EACH] for p in points]), _widest([p[SUM] for p in points])
        result, final = _widest([p[RESULT] for p in points]), _widest([p[FINAL] for p in points])
        if each is total is result is final is None:
            return None
        alone = all(rule in ours for rule in modifying if rule.op == "add")
        summed = total is not None and not (alone and _inside(formula.sum, total))
        ended = any(ends is not None and not _inside(formula.clamp, ends) for ends in (result, final))
        clauses = _joined(p.over or p.cites or self.contract.fallback for p in points)
        span = points[0].span
        return t.Cap(formula, ours, clauses, span, each, total, result, final, summed or ended)

    def _points(self, kind: str, name: str) -> list[Point]:
        """The points that admit a kind of change to a target by its name, or else those that admit any."""
        named = [p for p in self.contract.points if name in p.targets_of(kind)]
        if named:
            return named
        guarded = any(target.text == name for guard in self.contract.guards for target in guard.of)
        return [] if guarded else [p for p in self.contract.points if "any" in p.targets_of(kind)]

    # --- shares ---

    def _shares(self) -> Iterator[t.Share]:
        """Points that count for the same are one share: a source is one, whichever of them it comes by."""
        groups: dict[tuple[str, int], list[Point]] = {}
        for point in self.contract.points:
            sources = point[SOURCES]
            if sources is not None:
                groups.setdefault((sources.per, sources.most), []).append(point)
        for (per, most), points in groups.items():
            claims = frozenset(claim for point in points for claim in self._claims(point))
            clauses = _joined(p.over or p.cites or self.contract.fallback for p in points)
            yield t.Share(most, self.rules.events.get(per, per), claims, clauses, points[0].span)

    def _claims(self, point: Point) -> Iterator[t.Event | t.Action | t.Rule]:
        """Called events, if any are named; else actions and rules of packs that the point admits."""
        called = [self.rules.events[name] for name in point.targets_of("call") if name in self.rules.events]
        if called:
            ours = self._called()
            yield from (event for event in called if event in ours)
            return
        if point.admits.get("act"):
            yield from (action for action in self.rules.actions.values() if self.owner(action.span))
        for form, kind in (("instead", "instead"), ("after", "listen")):
            names = point.targets_of(kind)
            for rule in self.rules.rules:
                subject = rule.pattern.subject if rule.pattern else None
                named = isinstance(subject, t.Event) and ("any" in names or subject.name in names)
                if rule.form == form and named and self.owner(rule.span):
                    yield rule

    def _called(self) -> set[t.Event]:
        """The events that effects of packs call."""
        rules = self.rules
        blocks = [b for r in rules.rules if self.owner(r.span) for b in (r.cost, r.body)]
        blocks += [b for a in rules.actions.values() if self.owner(a.span) for b in (a.cost, a.body)]
        blocks += [e.body for e in rules.events.values() if e.body and self.owner(e.body.span)]
        nodes = (node for block in blocks if block is not None for node in all_nodes(block))
        return {node.event for node in nodes if isinstance(node, t.Perform)}

    # --- denial ---

    def _rest(self, denial: Denial) -> t.Rest | None:
        """The core may remember by itself who denied last; then nothing is left to do here."""
        event = self.rules.events.get(denial.void)
        if event is None or denial.rests or event not in self._called():
            return None
        seats = [n for n, parameter in enumerate(event.parameters) if _is_seat(self.rules, parameter)]
        if not seats:
            return None
        by = seats[-2] if len(seats) > 1 else None
        return t.Rest(event, denial.window, seats[-1], by, denial.gap, denial.clause, denial.span)

    # --- what must hold ---

    def _stands(self) -> Iterator[t.Stand]:
        for holds in self.contract.holds:
            if holds.at in IN_PLAY and holds.that is not None:
                test = check_text(self.rules, holds.that.text).tree
                if isinstance(test, t.Expr):
                    yield t.Stand(test, holds.text, holds.at, holds.cites, holds.span)


def _modifies(rule: t.Rule, formula: t.Formula) -> bool:
    return rule.form == "modify" and rule.pattern is not None and rule.pattern.subject is formula


def _is_seat(rules: t.Checked, parameter: t.Variable) -> bool:
    return isinstance(parameter.type, ThingT) and rules.kinds[parameter.type.kind].seats


def _widest(limits: list[Interval | None]) -> t.Ends | None:
    """The range that the widest of several points admits; None if one of them has no limit."""
    known = [limit for limit in limits if limit is not None]
    if not known or len(known) < len(limits):
        return None
    low, high = min(limit.low for limit in known), max(limit.high for limit in known)
    return (int(low) if math.isfinite(low) else INT_MIN, int(high) if math.isfinite(high) else INT_MAX)


def _inside(limits: t.Ends | None, wider: t.Ends) -> bool:
    return limits is not None and wider[0] <= limits[0] and limits[1] <= wider[1]


def _joined(clauses: Iterator[Clauses]) -> Clauses:
    return tuple(dict.fromkeys(clause for some in clauses for clause in some))


def _name(
    caps: dict[t.Formula, t.Cap],
    shares: tuple[t.Share, ...],
    rests: tuple[t.Rest, ...],
    stands: tuple[t.Stand, ...],
    rest: tuple[object, ...],
) -> str:
    """All that makes one gate another than the next, in words."""
    shares_text: list[object] = [
        (c.formula.name, c.each, c.sum, c.result, c.final, c.clauses) for c in caps.values()
    ]
    shares_text += [
        (s.most, getattr(s.per, "name", s.per), sorted(c.name for c in s.claims), s.clauses) for s in shares
    ]
    shares_text += [(r.event.name, r.window, r.victim, r.by, r.gap, r.clauses) for r in rests]
    shares_text += [(s.text, s.at, s.clauses) for s in stands]
    chain, conserved, sure, longest_chain, observe = rest
    assert isinstance(sure, list)
    shares_text += [chain, conserved, [event.name for event in sure], longest_chain, observe]
    return repr(shares_text)

"""`denial` finds effects that forbid an action, raise its price or make it fail, for too long or too often."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from ruleforge.analysis.effects.calls import evaluated_nodes
from ruleforge.analysis.effects.summary import Change, EffectSummary, name_of
from ruleforge.analysis.effects.values import conjuncts
from ruleforge.contracts.durations import turns_between, windows_covered
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.model import Clauses, Denial
from ruleforge.contracts.trial import Trial, broken, label
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class _Denied:
    """One way in which an effect denies: how many windows of the victim it reaches."""

    effect: EffectSummary
    span: Span
    how: str
    cover: float


def breaches(trial: Trial, denial: Denial) -> list[Fault]:
    action = trial.rules.actions.get(denial.of)
    return _Search(trial, denial, action).run() if action is not None else []


def warnings(trial: Trial) -> Iterator[Fault]:
    """Several cards that deny past the core's own event, each as it may: they can act one after the other."""
    for denial in trial.contract.denial:
        action = trial.rules.actions.get(denial.of)
        if action is not None:
            yield from _Search(trial, denial, action).several()


class _Search:
    def __init__(self, trial: Trial, denial: Denial, action: t.Action) -> None:
        self.trial, self.denial, self.action = trial, denial, action
        self.events = _events_in(action)
        self.prices = _formulas_in(action.cost)
        self.needs = _formulas_in(*action.needs)
        tests = conjuncts(*action.needs)
        self.wanted = columns_of(tuple(test for test in tests if not isinstance(test, t.Not)))
        self.columns = columns_of(tuple(test for test in tests if isinstance(test, t.Not)))

    def _groups(self) -> dict[str, list[_Denied]]:
        """All that denies, by what lies behind it."""
        groups: dict[str, list[_Denied]] = {}
        for effect in self.trial.summaries.effects:
            for denied in self._denials(effect):
                for source in self._sources(effect):
                    groups.setdefault(source, []).append(denied)
        return groups

    def several(self) -> Iterator[Fault]:
        covered = {s: [p for p in parts if p.cover > 0] for s, parts in self._groups().items()}
        covered = {s: parts for s, parts in covered.items() if parts and self._judge(s, parts) is None}
        for source, parts in covered.items():
            past = [part for part in parts if part.how != "call"]
            others = sorted(other for other in covered if other != source)
            if past and others:
                why = f"`{past[0].effect.title}` denies `{self.denial.of}`, and so does {_listed(others)}"
                why += ": they can act one after the other"
                help = f"let them call `{self.denial.void}`" if self.denial.void else "leave one of them out"
                fault = broken("RF924", past[0].effect, self.denial, why, help, past[0].span)
                yield replace(fault, answer="warning", clauses=self.denial.clause)

    def run(self) -> list[Fault]:
        groups = self._groups()
        found = [fault for source, parts in groups.items() if (fault := self._judge(source, parts))]
        found += self._passive_holds()
        if not found:
            why = "no rule denies it" if not groups else "each denial covers one window and leaves one free"
            self.trial.note((*self.denial.clause, *self.denial.endless), why)
        return found

    # --- what denies ---

    def _denials(self, effect: EffectSummary) -> Iterator[_Denied]:
        for change in effect.changes:
            how = self._how(effect, change)
            if how and (how == "call" or how in self.denial.counts):
                yield _Denied(
                    effect,
                    change.span,
                    how,
                    windows_covered(self.trial, self.denial.window, effect, by_call=how == "call"),
                )

    def _how(self, effect: EffectSummary, change: Change) -> str:
        name = change.name
        match change.kind:
            case "call" if name == self.denial.void:
                return "call"
            case "forbid" if name in self.events:
                return "fail"
            case "instead" if name in self.events and change.acts in ("none", "less", "other"):
                return "fail"
            case "modify" if name in self.prices:
                return "raise" if self._raises(change) else ""
            case "modify" if name in self.needs:
                return "forbid"
            case "gain" if name.endswith(".set") and change.amount is not None:
                column, value = change.names[-1], change.amount
                takes = column in self.columns and value.high >= 1
                return "forbid" if takes or (column in self.wanted and value.high <= 0) else ""
        return ""

    def _raises(self, change: Change) -> bool:
        if change.amount is None:
            return False
        if change.op == "add":
            return change.amount.high > 0
        body = change.subject.body if change.subject else None
        base = self.trial.ranges.of(body, {}) if body is not None else None
        return base is None or change.amount.high > base.low

    def _passive_holds(self) -> Iterator[Fault]:
        """A condition that a pack adds to the action itself, for good."""
        for pack, change in self.trial.summaries.structure:
            if change.kind == "forbid" and change.name in (self.denial.of, self.denial.window):
                why = f"the pack `{pack}` restricts `{self.denial.of}` for good"
                clauses, core = self._clauses(endless=True), ((label(self.denial), self.denial.span),)
                yield Fault("broken", "RF913", pack, (), (change.span,), why, clauses, core, self._repair())

    # --- how long, how often ---

    def _sources(self, effect: EffectSummary) -> list[str]:
        """The effects behind a denial: the makers of a thing from a pool, else the effect itself."""
        carrier = effect.carrier
        if carrier is None or not carrier.kind.pool:
            return [effect.name]
        return [maker.name for maker in self.trial.summaries.effects if maker.makes(carrier.kind.name)] or [
            effect.name
        ]

    def _gap(self, source: str, parts: list[_Denied]) -> float:
        """How many windows lie between two uses at least."""
        effect = next((d for d in self.trial.summaries.effects if d.name == source), parts[0].effect)
        if self._asks_free(effect):
            return self.denial.gap + 1
        limit = effect.limit
        if limit is None or limit.per != "game":
            return max(1, turns_between(self.trial, effect))
        per_copy = limit.counter.kind.name not in ("player", "game")
        copies = len(effect.carrier.things or ()) if effect.carrier is not None else 1
        return 1 if limit.count > 1 or (per_copy and copies > 1) else math.inf

    def _asks_free(self, effect: EffectSummary) -> bool:
        """Whether it requires that the victim's latest window was free of denial."""
        for test in conjuncts(*effect.conditions):
            match test:
                case (
                    t.Not(value=t.Read(column=column))
                    | t.Compare(op="==", left=t.Read(column=column), right=t.Constant(value=0))
                ):
                    if name_of(column) in self.columns:
                        return True
        return self._rests(effect)

    def _rests(self, effect: EffectSummary) -> bool:
        """A mark of its own that a use sets, and that is only taken back after a window free of denial."""
        for write in effect.writes:
            if write.sealed or write.op != "set" or not self.trial.owner(write.column.span):
                continue
            needs_answer = any(
                isinstance(n, t.Read) and n.column is write.column
                for c in effect.conditions
                for n in all_nodes(c)
            )
            back = [
                d
                for d in self.trial.summaries.effects
                if d is not effect and any(w.column is write.column for w in d.writes)
            ]
            if needs_answer and back and all(self._watches(d) for d in back):
                return True
        return False

    def _watches(self, effect: EffectSummary) -> bool:
        read = {
            name_of(n.column) for test in effect.conditions for n in all_nodes(test) if isinstance(n, t.Read)
        }
        return bool(read & self.columns)

    # --- the verdict ---

    def _judge(self, source: str, parts: list[_Denied]) -> Fault | None:
        parts = [part for part in parts if part.cover > 0]
        if not parts:
            return None
        passive = [part for part in parts if part.how != "call" and math.isinf(part.cover)]
        cover = sum(part.cover for part in parts)
        gap = self._gap(source, parts)
        if cover <= self.denial.covers and gap >= 1 + self.denial.gap and not passive:
            return None
        endless = bool(passive) or (gap <= 1 and self._repeats(source, parts))
        titles = list(dict.fromkeys(part.effect.title for part in parts))
        names = " and ".join(f"`{title}`" for title in titles)
        denies = "denies" if len(titles) == 1 else "deny"
        if passive:
            why = f"{names} {denies} `{self.denial.of}` for good"
        elif cover > self.denial.covers:
            often = int(cover) if math.isfinite(cover) else "all"
            why = f"{names} {denies} `{self.denial.of}` in {often} windows in a row"
        else:
            why = f"{names} can deny `{self.denial.of}` again in the very next window"
        rules = tuple(dict.fromkeys(part.effect.name for part in parts))
        spans = tuple(sorted({part.span for part in parts}))
        fault = broken("RF913", parts[0].effect, self.denial, why, self._repair(), *spans)
        return replace(fault, rules=rules, clauses=self._clauses(endless))

    def _repeats(self, source: str, parts: list[_Denied]) -> bool:
        effect = next((d for d in self.trial.summaries.effects if d.name == source), parts[0].effect)
        return effect.form != "action" or effect.limit is None or effect.limit.per != "game"

    def _clauses(self, endless: bool) -> Clauses:
        denial = self.denial
        return tuple(dict.fromkeys((*denial.clause, *(denial.endless if endless else ()), *denial.cites)))

    def _repair(self) -> str:
        if not self.denial.void:
            return f"let it cover one `{self.denial.window}`, with `limit: once per game`"
        return f"call `{self.denial.void}` instead, in an action with `limit: once per game`"


def _listed(names: list[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _events_in(action: t.Action) -> set[str]:
    """The events that the action performs."""
    nodes = (n for block in (action.cost, action.body) if block is not None for n in all_nodes(block))
    return {node.event.name for node in nodes if isinstance(node, t.Perform)}


def _formulas_in(*texts: object) -> set[str]:
    """All formulas that are asked, also by other formulas."""
    return {node.formula.name for node in evaluated_nodes(*texts) if isinstance(node, t.CallFormula)}


def columns_of(tests: tuple[t.Expr, ...]) -> set[str]:
    """Attributes that the needs read, also by way of formulas."""
    columns = (node.column for node in evaluated_nodes(*tests) if isinstance(node, t.Read))
    return {name_of(column) for column in columns if not column.constant}

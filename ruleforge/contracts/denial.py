"""A trial -> faults of denial: an action forbidden, made dearer or made to fail for too long or too often."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ruleforge.analysis.effects.calls import evaluated_nodes
from ruleforge.analysis.effects.summary import Change, EffectSummary, name_of
from ruleforge.analysis.effects.values import conjuncts
from ruleforge.contracts.cooldowns import turns_between
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.model import Denial
from ruleforge.contracts.trial import Trial
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import all_nodes, phases_of
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class _Denied:
    """One way in which an effect denies: how many windows of the victim it reaches."""

    effect: EffectSummary
    span: Span
    how: str
    cover: float


def faults(trial: Trial) -> list[Fault]:
    found: list[Fault] = []
    for denial in trial.contract.denial:
        action = trial.rules.actions.get(denial.of)
        if action is not None:
            found += _Search(trial, denial, action).run()
    return found


def warnings(trial: Trial) -> list[Fault]:
    """Several cards that deny past the core's own event, each as it may: in play nothing keeps them apart."""
    found: list[Fault] = []
    for denial in trial.contract.denial:
        action = trial.rules.actions.get(denial.of)
        if action is not None:
            found += _Search(trial, denial, action).several()
    return found


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
                why += ": in play nothing keeps them apart"
                effect, place = past[0].effect, (f"denial of `{self.denial.of}`", self.denial.span)
                help = f"let them call `{self.denial.void}`" if self.denial.void else "leave one of them out"
                yield Fault(
                    "warning", "RF924", effect.origin, (effect.name,), (past[0].span,), why,
                    (*self.denial.clause,), (place,), help,
                )  # fmt: skip

    def run(self) -> list[Fault]:
        groups = self._groups()
        found = [fault for source, parts in groups.items() if (fault := self._judge(source, parts))]
        found += self._passive_holds()
        if not found:
            why = "nothing denies it" if not groups else "each denial covers one window and leaves one free"
            self.trial.note((*self.denial.clause, *self.denial.endless), why)
        return found

    # --- what denies ---

    def _denials(self, effect: EffectSummary) -> Iterator[_Denied]:
        for change in effect.changes:
            how = self._how(effect, change)
            if how and (how == "call" or how in self.denial.counts):
                yield _Denied(effect, change.span, how, self._cover(effect, how))

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
                yield self._fault(
                    pack, (), (change.span,), f"the pack `{pack}` restricts `{self.denial.of}` for good", True
                )

    # --- how long, how often ---

    def _cover(self, effect: EffectSummary, how: str) -> float:
        """How many windows of the victim one use reaches."""
        carrier = effect.carrier
        if carrier is None or not carrier.kind.pool:
            return 1 if how == "call" else math.inf
        lasts = self.trial.rules.lasts.get(carrier.kind)
        if lasts is not None and not self.trial.circumstances.renewed(carrier.kind):
            return 0 if how != "call" and self._ends_before(carrier.kind, lasts) else 1
        return self._lives(carrier.kind)

    def _ends_before(self, kind: t.Kind, lasts: t.Pattern) -> bool:
        """Is it over before the victim's next window opens: at the end of the turn in which it was made?"""
        if not isinstance(lasts.subject, tuple) or lasts.subject[0] != "end":
            return False
        phase = self.trial.phase(lasts.subject[1])
        inside = {p.name for p in phases_of((phase,))} if phase is not None else set()
        makers = [d for d in self.trial.summaries.effects if _makes(d, kind)]
        windows = {self.denial.window, *(name for effect in makers for name in effect.windows)}
        return windows <= inside

    def _lives(self, kind: t.Kind) -> float:
        """How many moments a thing of a pool lives through: one if a rule removes it, a counter if it counts down."""
        removing = [
            effect
            for effect in self.trial.summaries.effects
            if effect.carrier is not None
            and effect.carrier.kind is kind
            and any(o.what == "remove" and o.about == kind.name for o in effect.occasions)
        ]
        around = self.trial.circumstances
        removing = [effect for effect in removing if around.ends_in_time(effect, kind)]
        if not removing or around.renewed(kind):
            return math.inf
        best = math.inf
        for effect in removing:
            counters = [w.column for w in effect.writes if w.column.kind is kind and w.op == "down"]
            if not counters:
                best = min(best, 1)
            for column in counters:
                best = min(best, self._largest(kind, column))
        return best

    def _largest(self, kind: t.Kind, column: t.Column) -> float:
        """The most that a counter of a pool begins with."""
        most = 0.0
        for effect in self.trial.summaries.effects:
            blocks = [b for b in (_body(effect), _cost(effect)) if b is not None]
            for node in (n for block in blocks for n in all_nodes(block)):
                if isinstance(node, t.New) and node.kind is kind:
                    given = dict(node.given).get(column)
                    most = max(most, self.trial.ranges.of(given, {}).high if given is not None else math.inf)
        return most or math.inf

    def _sources(self, effect: EffectSummary) -> list[str]:
        """What lies behind a denial: of a thing that comes and goes, whatever makes it."""
        carrier = effect.carrier
        if carrier is None or not carrier.kind.pool:
            return [effect.name]
        return [maker.name for maker in self.trial.summaries.effects if _makes(maker, carrier.kind)] or [
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
        """Does it ask that the victim's latest window was free of denial?"""
        for test in conjuncts(*effect.conditions):
            match test:
                case (
                    t.Not(value=t.Read(column=column))
                    | t.Compare(op="==", left=t.Read(column=column), right=t.Constant(value=0))
                ):
                    if f"{column.kind.name}.{column.name}" in self.columns:
                        return True
        return self._rests(effect)

    def _rests(self, effect: EffectSummary) -> bool:
        """A mark of its own that a use sets, and that is only taken back after a window free of denial."""
        for write in effect.writes:
            if write.sealed or write.op != "set" or not self.trial.owner(write.column.span):
                continue
            is_asked = any(
                isinstance(n, t.Read) and n.column is write.column
                for c in effect.conditions
                for n in all_nodes(c)
            )
            back = [
                d
                for d in self.trial.summaries.effects
                if d is not effect and any(w.column is write.column for w in d.writes)
            ]
            if is_asked and back and all(self._watches(d) for d in back):
                return True
        return False

    def _watches(self, effect: EffectSummary) -> bool:
        read = {
            f"{n.column.kind.name}.{n.column.name}"
            for test in effect.conditions
            for n in all_nodes(test)
            if isinstance(n, t.Read)
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
        return self._fault(parts[0].effect.origin, rules, spans, why, endless)

    def _repeats(self, source: str, parts: list[_Denied]) -> bool:
        effect = next((d for d in self.trial.summaries.effects if d.name == source), parts[0].effect)
        return effect.form != "action" or effect.limit is None or effect.limit.per != "game"

    def _fault(
        self, pack: str, rules: tuple[str, ...], spans: tuple[Span, ...], why: str, endless: bool
    ) -> Fault:
        clauses = (*self.denial.clause, *(self.denial.endless if endless else ()))
        return Fault(
            "broken",
            "RF913",
            pack,
            rules,
            spans,
            why,
            tuple(dict.fromkeys((*clauses, *self.denial.cites))),
            ((f"denial of `{self.denial.of}`", self.denial.span),),
            self._repair(),
        )

    def _repair(self) -> str:
        if not self.denial.void:
            return f"let it cover one `{self.denial.window}`, with `limit: once per game`"
        return f"call `{self.denial.void}` instead, in an action with `limit: once per game`"


def _listed(names: list[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _makes(effect: EffectSummary, kind: t.Kind) -> bool:
    return any(o.what == "new" and o.about == kind.name for o in effect.occasions)


def _body(effect: EffectSummary) -> t.Block | None:
    return effect.action.body if effect.action else effect.rule.body if effect.rule else None


def _cost(effect: EffectSummary) -> t.Block | None:
    return effect.action.cost if effect.action else effect.rule.cost if effect.rule else None


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

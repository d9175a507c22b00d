"""Computes the gain of bounded resources in one turn: amount x rate x copies, with the rates of the contract."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from ruleforge.analysis.effects.blocks import certain
from ruleforge.analysis.effects.summary import EffectSummary, Key, Write, name_of
from ruleforge.analysis.effects.values import conjuncts
from ruleforge.contracts.conditions import usual_limit
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.loops import asks_unmarked, goal_of
from ruleforge.contracts.model import Bounded
from ruleforge.contracts.trial import Trial, broken, subject
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NumberT
from ruleforge.lang.checker.walk import all_nodes

ROUNDS = 60  # how often the least fixpoint is worked on before what still grows counts as endless


def warnings(trial: Trial) -> Iterator[Fault]:
    """Finite gains above the figure from which the contract warns."""
    for bounded in trial.contract.bounded:
        for effect, write in _gaining(trial, bounded):
            gain = trial.once(Rates).gain(effect, write)
            if bounded.warn is not None and bounded.warn < gain < math.inf:
                why = f"{subject(effect)} can bring {int(gain)} of `{bounded.of.text}` in a {bounded.per}"
                yield replace(broken("RF920", effect, bounded, why, None, write.span), answer="warning")


def _gaining(trial: Trial, bounded: Bounded) -> Iterator[tuple[EffectSummary, Write]]:
    for effect in trial.summaries.effects:
        if effect.form == "setup":
            continue
        yield from ((effect, write) for write in effect.writes if _is_gain(write, bounded))


def breaches(trial: Trial, bounded: Bounded) -> Iterator[Fault]:
    """Gains without an end; that of rules which set each other off without end follows from that."""
    looping = trial.blamed("RF911")
    return (fault for fault in _endless(trial, bounded) if not looping & set(fault.rules))


def _endless(trial: Trial, bounded: Bounded) -> Iterator[Fault]:
    rates, reasons = trial.once(Rates), []
    for effect, write in _gaining(trial, bounded):
        rate, live = rates.of(effect), rates.copies(effect)
        if math.isfinite(rates.gain(effect, write)):
            reasons.append(f"{effect.title} {write.amount} x {_figure(rate)} x {_figure(live)}")
            continue
        if not math.isfinite(write.amount.high):
            why = f"{subject(effect)} gives an amount of `{bounded.of.text}` without a limit"
            repair = "write `min(9, ...)`, or count something limited"
        else:
            why = f"{subject(effect)} gives `{bounded.of.text}` without a limit in a {bounded.per}"
            repair = f"add `{usual_limit(trial.rules)}`"
        yield broken("RF912", effect, bounded, why, repair, write.span)
    if all(math.isfinite(rates.gain(effect, write)) for effect, write in _gaining(trial, bounded)):
        yield from _made_endless(trial, rates, bounded)
    trial.note(
        bounded.cites, f"bounded: {', '.join(reasons)}" if reasons else f"no gain of `{bounded.of.text}`"
    )


def _made_endless(trial: Trial, rates: Rates, bounded: Bounded) -> Iterator[Fault]:
    """Gains of the core that end because a use marks something: a rule of a pack takes the mark back each time."""
    effects = [d for d in trial.summaries.core if d.action is not None]
    gains = [d for d in effects if any(_is_gain(write, bounded) for write in d.writes)]
    for other in (d for d in trial.summaries.effects if d.form == "after" and math.isinf(rates.of(d))):
        spoilt = next(
            (
                d
                for d in sorted(gains, key=lambda d: all(e.key != other.listens for e in d.emits))
                if any(rates.takes_back(other, w, d) for w in rates.marks(d))
            ),
            None,
        )
        if spoilt is not None:
            often = f"give `{bounded.of.text}` without a limit in a {bounded.per}"
            why = f"{subject(other)} lets {subject(spoilt)} {often}"
            yield broken("RF912", other, bounded, why, f"add `{usual_limit(trial.rules)}`")


def _is_gain(write: Write, bounded: Bounded) -> bool:
    return name_of(write.column) == bounded.of.text and write.op in ("up", "set") and write.amount.high > 0


def _figure(value: float) -> str:
    return str(int(value)) if math.isfinite(value) else "as often as the core lets it"


# --- rates ---


class Rates:
    """The rates of all effects, as a least fixpoint."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self.declared = dict(trial.contract.rates or {})
        self.effects = (*trial.summaries.effects, *trial.summaries.core)
        self.at_work = [self.copies(effect) for effect in self.effects]
        self.rate: dict[int, float] = dict.fromkeys(range(len(self.effects)), 0)
        self.emitters: dict[Key, list[tuple[int, float]]] = {}
        for number, effect in enumerate(self.effects):
            for emission in effect.emits:
                self.emitters.setdefault(emission.key, []).append((number, emission.times))
        self._settle()

    def of(self, effect: EffectSummary) -> float:
        return next(self.rate[i] for i, d in enumerate(self.effects) if d is effect)

    def copies(self, effect: EffectSummary) -> float:
        """How many of it may be at work at once; a limit counts all of them, unless it is one for each."""
        carrier = effect.carrier
        if carrier is None or self._limit_counts_all(effect):
            return 1
        if carrier.things is not None:
            return max(1, len(carrier.things))
        return max(1, carrier.kind.size)

    def gain(self, effect: EffectSummary, write: Write) -> float:
        often = self.of(effect) * self.copies(effect)
        event = self.trial.rules.events.get(write.sealed)
        if event is not None and event.needs and write.sealed in self.declared:
            often = min(
                often, self.declared[write.sealed]
            )  # the event itself sees to how often it can happen
        if math.isinf(often) and write.uses:
            often = self._supply(write.uses)
        return write.amount.high * write.times * often

    def _supply(self, kind: str) -> float:
        """Things that a gain takes with it run out: those there can be, and those that are made in the meantime."""
        made = sum(self.of(d) * self.copies(d) for d in self.trial.summaries.effects if d.makes(kind))
        return self.trial.rules.kinds[kind].size + made

    def _limit_counts_all(self, effect: EffectSummary) -> bool:
        return effect.limit is not None and effect.limit.counter.kind.name in ("player", "game")

    # --- the least fixpoint ---

    def _settle(self) -> None:
        for _ in range(ROUNDS):
            before = dict(self.rate)
            for number, effect in enumerate(self.effects):
                self.rate[number] = self._rate(effect)
            if self.rate == before:
                return
        for number, effect in enumerate(self.effects):
            if self.rate[number] != before[number]:
                self.rate[number] = math.inf if effect.limit is None else self.rate[number]

    def _rate(self, effect: EffectSummary) -> float:
        most = float(effect.limit.count) if effect.limit is not None else math.inf
        if effect.form == "action":
            return min(most, self._of_action(effect))
        if effect.form in ("after", "instead", "fill"):
            often = self._of_key(effect.listens) if effect.listens else math.inf
            return min(most, often, self._arrivals(effect))
        if effect.form in ("step", "setup", "phase"):
            return min(most, 1)
        return most

    def _arrivals(self, effect: EffectSummary) -> float:
        """How often things of a pack can come to where a rule waits for them: once each, if none ever leaves."""
        key, goal = effect.listens, goal_of(effect)
        kind = self.trial.rules.kinds.get(key[1]) if key is not None and key[0] == "move" and goal else None
        if kind is None or kind.pool or not self.trial.owner(kind.span):
            return math.inf
        moves = [o for d in self.effects for o in d.occasions if o.what == "move" and o.about == kind.name]
        return math.inf if any(goal in o.sources and o.into != goal for o in moves) else kind.size

    def _of_action(self, effect: EffectSummary) -> float:
        """As often as its windows open, or as the events that it needs can happen."""
        cost = effect.action.cost if effect.action is not None else None
        called = [float(self.declared[name]) for name in certain(cost) if name in self.declared]
        own = self.declared.get(effect.name)
        used_up = self._marked(effect)
        return min([*called, self._of_windows(effect), used_up, *([float(own)] if own is not None else [])])

    def _marked(self, effect: EffectSummary) -> float:
        """A use that marks a thing which must be unmarked: no more uses than things, and than packs take marks back."""
        marks = self.marks(effect)
        for write in effect.writes:
            sure = (write.paid or not write.sealed) and not write.conditions
            back = self._taken_back(write, effect) if sure else math.inf
            if back < math.inf and any(write is mark for mark in marks):
                return write.column.kind.size + back
            if back == 0 and write.op == "up" and write.amount.low >= 1:
                return self._room(write)
        return math.inf

    def _taken_back(self, mark: Write, effect: EffectSummary) -> float:
        """How often packs take the mark back."""
        total = 0.0
        for number, other in enumerate(self.trial.summaries.effects):
            if self._keeps_from(other, mark) or (other is effect and self.takes_back(other, mark, effect)):
                return math.inf
            times = sum(w.times for w in other.writes if self._unmarks(w, mark, other, effect))
            often = self.rate[number] * self.at_work[number]
            total += often * times if often and times else 0
        return total

    def marks(self, effect: EffectSummary) -> list[Write]:
        """The marks that each use writes on a thing, and that the thing must not have before."""
        events = {n.event for b in effect.blocks for n in all_nodes(b) if isinstance(n, t.Perform)}
        tests = (*effect.conditions, *(test for event in events for test in conjuncts(*event.needs)))
        sure = [w for w in effect.writes if (w.paid or not w.sealed) and not w.conditions and w.op != "down"]
        return [write for write in sure if any(asks_unmarked(test, write) for test in tests)]

    def _room(self, write: Write) -> float:
        """How often an attribute can go up before it leaves its range, which nothing does."""
        type_ = write.column.type
        if not isinstance(type_, NumberT) or write.column.capped or not self.trial.owner(write.column.span):
            return math.inf
        return write.column.kind.size * (type_.high - type_.low) / write.amount.low

    def takes_back(self, other: EffectSummary, mark: Write, effect: EffectSummary) -> bool:
        """Whether it removes marks from things, or prevents marks."""
        return self._keeps_from(other, mark) or any(
            self._unmarks(write, mark, other, effect) for write in other.writes
        )

    def _unmarks(self, write: Write, mark: Write, other: EffectSummary, effect: EffectSummary) -> bool:
        """Whether a write removes the mark. A write inside an event of the core counts only in the same effect."""
        lowers = write.column is mark.column and write.op in ("set", "down") and write.amount.low < 1
        return lowers and (not write.sealed or other is effect)

    def _keeps_from(self, other: EffectSummary, mark: Write) -> bool:
        """Does it forbid or replace the verb of the core that sets the mark?"""
        event = (
            other.rule.pattern.subject if other.rule is not None and other.rule.pattern is not None else None
        )
        if other.form not in ("forbid", "instead") or not isinstance(event, t.Event) or not mark.sealed:
            return False
        writes = self.trial.happens_in(event).writes
        return any(w.column is mark.column and w.op == mark.op and w.amount.low >= 1 for w in writes)

    def _of_windows(self, effect: EffectSummary) -> float:
        total = 0.0
        for name in effect.windows:
            phase = self.trial.phase(name)
            total += (
                1
                if phase is not None and phase.window in ("maybe", "one") and phase.repeat is None
                else math.inf
            )
        return total

    def _of_key(self, key: Key) -> float:
        if key[0] == "phase":
            return 1
        declared = self.declared.get(key[1]) if key[0] == "event" else None
        total = 0.0
        for number, times in self.emitters.get(key, ()):
            if declared is not None and number >= len(self.trial.summaries.effects):
                continue  # what the core does is declared
            rate = self.rate[number] * self.at_work[number]
            total += 0 if rate == 0 else rate * times
        return total + (declared or 0)

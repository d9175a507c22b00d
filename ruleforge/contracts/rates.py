"""A trial -> how often things happen in a turn: as the contract says, else as the core and the packs bring it about."""

from __future__ import annotations

import math

from ruleforge.analysis.effects.blocks import certain
from ruleforge.analysis.effects.summary import EffectSummary, Key, Write
from ruleforge.analysis.effects.values import conjuncts
from ruleforge.contracts.loops import asks_unmarked, goal_of
from ruleforge.contracts.trial import Trial
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NumberT
from ruleforge.lang.checker.walk import all_nodes

ROUNDS = 60  # how often the least fixpoint is worked on before what still grows counts as endless


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
        """What a use writes in any case on a thing that must be without it."""
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
        """Does it unmark things, or keep them from being marked?"""
        return self._keeps_from(other, mark) or any(
            self._unmarks(write, mark, other, effect) for write in other.writes
        )

    def _unmarks(self, write: Write, mark: Write, other: EffectSummary, effect: EffectSummary) -> bool:
        """What a verb of the core does is the core's, but not in the same use."""
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

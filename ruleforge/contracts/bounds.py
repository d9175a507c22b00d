"""A trial -> faults of gains: what packs can bring of a bounded resource in one turn, as amount x rate x copies."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ruleforge.check import typed as t
from ruleforge.check.types import NumberT
from ruleforge.check.walk import all_nodes
from ruleforge.contracts.conditions import usual_limit
from ruleforge.contracts.flows import name_of
from ruleforge.contracts.footprints.facts import Deed, Key, Write
from ruleforge.contracts.footprints.regular import certain
from ruleforge.contracts.footprints.values import conjuncts
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.loops import asks_unmarked
from ruleforge.contracts.model import Bounded
from ruleforge.contracts.trial import Trial, subject

ROUNDS = 60  # how often the least fixpoint is worked on before what still grows counts as endless


def faults(trial: Trial) -> list[Fault]:
    rates = Rates(trial)
    found: list[Fault] = []
    for bounded in trial.contract.bounded:
        found += _gains(trial, rates, bounded)
    return found


def warnings(trial: Trial) -> list[Fault]:
    """Finite gains above the figure from which the contract warns."""
    rates = Rates(trial)
    found = []
    for bounded in trial.contract.bounded:
        for deed, write in _gaining(trial, bounded):
            gain = rates.gain(deed, write)
            if bounded.warn is not None and bounded.warn < gain < math.inf:
                why = f"{subject(deed)} can bring {int(gain)} of `{bounded.of.text}` in a {bounded.per}"
                place = (("bounded", bounded.of.span),)
                found.append(
                    Fault(
                        "warning",
                        "RF920",
                        deed.origin,
                        (deed.name,),
                        (write.span,),
                        why,
                        bounded.cites,
                        place,
                    )
                )
    return found


def _gaining(trial: Trial, bounded: Bounded) -> Iterator[tuple[Deed, Write]]:
    for deed in trial.prints.deeds:
        if deed.form == "setup":
            continue
        for write in deed.writes:
            if (
                name_of(write.column) == bounded.of.text
                and write.op in ("up", "set")
                and write.amount.high > 0
            ):
                yield deed, write


def _gains(trial: Trial, rates: Rates, bounded: Bounded) -> Iterator[Fault]:
    reasons = []
    for deed, write in _gaining(trial, bounded):
        rate, live = rates.of(deed), rates.copies(deed)
        if math.isfinite(rates.gain(deed, write)):
            reasons.append(f"{deed.title} {write.amount} x {_figure(rate)} x {_figure(live)}")
            continue
        if not math.isfinite(write.amount.high):
            why = f"{subject(deed)} gives an amount of `{bounded.of.text}` that nothing bounds"
            repair = "write `min(9, ...)`, or count something of which there is only so much"
        else:
            why = f"{subject(deed)} gives `{bounded.of.text}` as often as it likes in a {bounded.per}"
            repair = f"add `{usual_limit(trial.rules)}`"
        place = (("bounded", bounded.of.span),)
        yield Fault(
            "broken", "RF912", deed.origin, (deed.name,), (write.span,), why, bounded.cites, place, repair
        )
    trial.note(
        bounded.cites, f"bounded: {', '.join(reasons)}" if reasons else f"no gain of `{bounded.of.text}`"
    )


def _makes(deed: Deed, kind: str) -> bool:
    return any(o.what == "new" and o.about == kind for o in deed.occasions)


def _figure(value: float) -> str:
    return str(int(value)) if math.isfinite(value) else "as often as the core lets it"


def _blocks(action: t.Action | None) -> list[t.Block]:
    return [block for block in (action.cost, action.body) if block is not None] if action is not None else []


class Rates:
    """How often things happen in a turn: as the contract says, else as the core and the packs bring it about."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self.declared = dict(trial.contract.rates or {})
        self.deeds = (*trial.prints.deeds, *trial.prints.core)
        self.at_work = [self.copies(deed) for deed in self.deeds]
        self.rate: dict[int, float] = dict.fromkeys(range(len(self.deeds)), 0)
        self.emitters: dict[Key, list[tuple[int, float]]] = {}
        for number, deed in enumerate(self.deeds):
            for emission in deed.emits:
                self.emitters.setdefault(emission.key, []).append((number, emission.times))
        self._settle()

    def of(self, deed: Deed) -> float:
        return next(self.rate[i] for i, d in enumerate(self.deeds) if d is deed)

    def copies(self, deed: Deed) -> float:
        """How many of it may be at work at once; a limit counts all of them, unless it is one for each."""
        carrier = deed.carrier
        if carrier is None or self._limit_counts_all(deed):
            return 1
        if carrier.things is not None:
            return max(1, len(carrier.things))
        return max(1, carrier.kind.size)

    def gain(self, deed: Deed, write: Write) -> float:
        often = self.of(deed) * self.copies(deed)
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
        made = sum(self.of(d) * self.copies(d) for d in self.trial.prints.deeds if _makes(d, kind))
        return self.trial.rules.kinds[kind].size + made

    def _limit_counts_all(self, deed: Deed) -> bool:
        return deed.limit is not None and deed.limit.counter.kind.name in ("player", "game")

    # --- the least fixpoint ---

    def _settle(self) -> None:
        for _ in range(ROUNDS):
            before = dict(self.rate)
            for number, deed in enumerate(self.deeds):
                self.rate[number] = self._rate(deed)
            if self.rate == before:
                return
        for number, deed in enumerate(self.deeds):
            if self.rate[number] != before[number]:
                self.rate[number] = math.inf if deed.limit is None else self.rate[number]

    def _rate(self, deed: Deed) -> float:
        most = float(deed.limit.count) if deed.limit is not None else math.inf
        if deed.form == "action":
            return min(most, self._of_action(deed))
        if deed.form in ("after", "instead", "fill"):
            return min(most, self._of_key(deed.listens) if deed.listens else math.inf)
        if deed.form in ("step", "setup", "phase"):
            return min(most, 1)
        return most

    def _of_action(self, deed: Deed) -> float:
        """As often as its windows open, or as the events that it needs can happen."""
        cost = deed.action.cost if deed.action is not None else None
        called = [float(self.declared[name]) for name in certain(cost) if name in self.declared]
        own = self.declared.get(deed.name)
        used_up = self._marked(deed)
        return min([*called, self._of_windows(deed), used_up, *([float(own)] if own is not None else [])])

    def _marked(self, deed: Deed) -> float:
        """A use that marks a thing which must be unmarked: no more uses than things, unless packs take marks back."""
        action = deed.action
        events = {n.event for b in _blocks(action) for n in all_nodes(b) if isinstance(n, t.Perform)}
        tests = (*deed.conditions, *(test for event in events for test in conjuncts(*event.needs)))
        for write in deed.writes:
            sure = (write.paid or not write.sealed) and not write.conditions
            back = any(self._takes_back(other, write, deed) for other in self.trial.prints.deeds)
            if sure and not back and any(asks_unmarked(test, write) for test in tests):
                return float(write.column.kind.size)
            if sure and not back and write.op == "up" and write.amount.low >= 1:
                return self._room(write)
        return math.inf

    def _room(self, write: Write) -> float:
        """How often an attribute can go up before it leaves its range, which nothing does."""
        type_ = write.column.type
        if not isinstance(type_, NumberT) or write.column.capped or not self.trial.owner(write.column.span):
            return math.inf
        return write.column.kind.size * (type_.high - type_.low) / write.amount.low

    def _takes_back(self, other: Deed, mark: Write, deed: Deed) -> bool:
        """Does it unmark things itself? What a verb of the core does is the core's, but not in the same use."""
        return any(
            w.column is mark.column and w.op in ("set", "down") and w.amount.low < 1
            for w in other.writes
            if not w.sealed or other is deed
        )

    def _of_windows(self, deed: Deed) -> float:
        total = 0.0
        for name in deed.windows:
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
            if declared is not None and number >= len(self.trial.prints.deeds):
                continue  # what the core does is declared
            rate = self.rate[number] * self.at_work[number]
            total += 0 if rate == 0 else rate * times
        return total + (declared or 0)

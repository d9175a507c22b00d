"""A trial -> faults of gains: what packs can bring of a bounded resource in one turn, as amount x rate x copies."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from ruleforge.analysis.effects.summary import EffectSummary, Write, name_of
from ruleforge.contracts.conditions import usual_limit
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.model import Bounded
from ruleforge.contracts.rates import Rates
from ruleforge.contracts.trial import Trial, broken, subject


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

"""Print effect summaries: what each rule listens to, changes, writes, emits, rolls and asks."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.analysis.effects.summary import Change, EffectSummaries, EffectSummary, Who, Write
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class Shown:
    """The report of a rule or of the definitions of a pack: a line for each effect."""

    name: str
    span: Span | None
    does: tuple[str, ...]

    def __str__(self) -> str:
        place = f"  ({self.span.file}:{self.span.line})" if self.span is not None else ""
        return "\n".join([f"{self.name}{place}", *(f"  {line}" for line in self.does)])


def shown_effects(summaries: EffectSummaries, packs: frozenset[str] | None = None) -> Iterator[Shown]:
    """The reports of the named packs, or of all packs."""
    structure = [change for pack, change in summaries.structure if packs is None or pack in packs]
    if structure:
        yield Shown("definitions", None, tuple(map(_change, structure)))
    for effect in summaries.effects:
        if packs is None or effect.origin in packs:
            yield Shown(effect.name, effect.span, tuple(what_it_does(effect)))


def what_it_does(effect: EffectSummary) -> Iterator[str]:
    if effect.listens is not None:
        yield f"{effect.form} {' '.join(effect.listens[1:])}"
    elif effect.windows:
        yield f"during {', '.join(effect.windows)}"
    if effect.limit is not None:
        yield f"limit {effect.limit.count} per {effect.limit.per}"
    yield from map(_change, effect.changes)
    yield from map(_write, effect.writes)
    emitted = dict.fromkeys(" ".join(emission.key) for emission in effect.emits)
    if emitted:
        yield f"emits {', '.join(emitted)}"
    yield from dict.fromkeys(f"{o.what} {o.about}".strip() for o in effect.occasions)


def _change(change: Change) -> str:
    parts = [change.kind, change.name, change.op, change.acts]
    amount = f"{change.amount}" if change.amount is not None else ""
    return " ".join(part for part in (*parts, amount, _whose(change.who)) if part)


def _write(write: Write) -> str:
    verb = "pays" if write.paid and write.op == "down" else "writes"
    sealed = f"by {write.sealed}" if write.sealed else ""
    name = f"{write.column.kind.name}.{write.column.name}"
    often = f"x {int(write.times)}" if 1 < write.times < 10**6 else "x any number" if write.times > 1 else ""
    parts = (verb, name, write.op, str(write.amount), often, _whose(write.who), sealed)
    return " ".join(part for part in parts if part)


def _whose(who: Who | None) -> str:
    if who is None:
        return ""
    base = "me" if who.base == "me" else "the player of the trigger"
    return f"of another than {base}" if who.other else f"of {base}"

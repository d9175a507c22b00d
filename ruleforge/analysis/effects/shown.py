"""Footprints as text for people: each rule with what it hangs on, and what it changes, writes, emits, rolls and asks."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.analysis.effects.facts import Change, Deed, Footprints, Who, Write
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class Shown:
    """One rule, or the definitions of a pack: a line for each thing that it does."""

    name: str
    span: Span | None
    does: tuple[str, ...]

    def __str__(self) -> str:
        place = f"  ({self.span.file}:{self.span.line})" if self.span is not None else ""
        return "\n".join([f"{self.name}{place}", *(f"  {line}" for line in self.does)])


def shown_footprints(prints: Footprints, packs: frozenset[str] | None = None) -> Iterator[Shown]:
    """Those of the named packs; of all if none is named."""
    structure = [change for pack, change in prints.structure if packs is None or pack in packs]
    if structure:
        yield Shown("definitions", None, tuple(map(_change, structure)))
    for deed in prints.deeds:
        if packs is None or deed.origin in packs:
            yield Shown(deed.name, deed.span, tuple(what_it_does(deed)))


def what_it_does(deed: Deed) -> Iterator[str]:
    if deed.listens is not None:
        yield f"{deed.form} {' '.join(deed.listens[1:])}"
    elif deed.windows:
        yield f"during {', '.join(deed.windows)}"
    if deed.limit is not None:
        yield f"limit {deed.limit.count} per {deed.limit.per}"
    yield from map(_change, deed.changes)
    yield from map(_write, deed.writes)
    emitted = dict.fromkeys(" ".join(emission.key) for emission in deed.emits)
    if emitted:
        yield f"emits {', '.join(emitted)}"
    yield from dict.fromkeys(f"{o.what} {o.about}".strip() for o in deed.occasions)


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

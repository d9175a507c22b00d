"""Footprints as text for people: each rule with what it hangs on, and what it changes, writes, emits, rolls and asks."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.contracts.footprints.facts import Change, Deed, Footprints, Who, Write


def footprint_text(prints: Footprints, packs: frozenset[str] | None = None) -> str:
    """Those of the named packs; of all if none is named."""
    lines: list[str] = []
    structure = [change for pack, change in prints.structure if packs is None or pack in packs]
    if structure:
        lines += ["definitions", *(f"  {_change(change)}" for change in structure), ""]
    for deed in prints.deeds:
        if packs is None or deed.origin in packs:
            lines += [*deed_lines(deed), ""]
    return "\n".join(lines).rstrip() + "\n"


def deed_lines(deed: Deed) -> Iterator[str]:
    """One rule: a line with its name and place, then a line for each thing it does."""
    yield f"{deed.name}  ({deed.span.file}:{deed.span.line})"
    if deed.listens is not None:
        yield f"  {deed.form} {' '.join(deed.listens[1:])}"
    elif deed.windows:
        yield f"  during {', '.join(deed.windows)}"
    if deed.limit is not None:
        yield f"  limit {deed.limit.count} per {deed.limit.per}"
    yield from (f"  {_change(change)}" for change in deed.changes)
    yield from (f"  {_write(write)}" for write in deed.writes)
    emitted = dict.fromkeys(" ".join(emission.key) for emission in deed.emits)
    if emitted:
        yield f"  emits {', '.join(emitted)}"
    for what in dict.fromkeys(f"{o.what} {o.about}".strip() for o in deed.occasions):
        yield f"  {what}"


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

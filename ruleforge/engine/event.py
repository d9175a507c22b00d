"""`Event` is one record of a step, as one viewer is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

EventValue = str | int | bool | None | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the event log: a change, a move, a roll, a named event. `cause` is the enclosing event."""

    name: str
    arguments: tuple[tuple[str, EventValue], ...]
    span: Span
    clauses: tuple[str, ...] = ()
    cause: Event | None = field(default=None, repr=False, compare=False)
    depth: int = 0
    pack: str = ""  # the title of the pack in whose files the place is
    merged: bool = field(default=False, repr=False, compare=False)  # its place in the order tells nothing
    told: Mapping[str, EventValue] = field(  # what the author's sentence asks, as the reader may know it
        default_factory=dict, repr=False, compare=False
    )

    def __getitem__(self, name: str) -> EventValue:
        return dict(self.arguments)[name]

    def __str__(self) -> str:
        parts = " ".join(f"{name}={shown(value)}" for name, value in self.arguments)
        return f"{self.name} {parts}".rstrip() + (f" ({self.pack})" if self.pack else "")


def shown(value: EventValue) -> str:
    """As rules and paths are written."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case tuple():
            return f"[{','.join(value)}]"
    return str(value)

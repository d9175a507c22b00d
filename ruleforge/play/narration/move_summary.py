"""Summarises consecutive moves: one sentence for each pair of places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ruleforge.engine.event import Event
from ruleforge.engine.presentation.observation import HIDDEN
from ruleforge.engine.presentation.titles import Names
from ruleforge.play.narration.changes import counted, in_a_row
from ruleforge.support.spelling import with_article

MOST_NAMED = 8  # of more kinds of things it is told how many there are


SHOWN = "shown"


class Way(NamedTuple):
    """From where to where something went, or to whom it was shown."""

    kind: str
    start: object
    goal: object


class Moves:
    """Collects consecutive moves and disclosures."""

    def __init__(self, names: Names, cells: Mapping[str, str]) -> None:
        self._names, self._cells = names, cells
        self._ways: dict[Way, list[Event]] = {}
        self._moved: set[object] = set()

    def can_take(self, event: Event) -> bool:
        """A thing that goes on from where it came to is told again."""
        return event["thing"] == HIDDEN or event["thing"] not in self._moved

    def note(self, event: Event) -> None:
        word, _, kind = event.name.partition(" ")
        way = Way("", SHOWN, event["to"]) if word == "show" else Way(kind, event["from"], event["to"])
        self._ways.setdefault(way, []).append(event)
        self._moved.add(event["thing"])

    def sentences(self) -> list[tuple[str, list[Event]]]:
        """What is said, and the events it rests on; afterwards nothing is gathered."""
        found = [(self._text(way, events), events) for way, events in self._ways.items()]
        self._ways, self._moved = {}, set()
        return found

    def _text(self, way: Way, events: Sequence[Event]) -> str:
        what, several = self._things(way.kind, events), len(events) > 1
        if way.start == SHOWN:
            to = self._names.value(events[0]["to"])
            return f"{what} {'are' if several else 'is'} shown to {to}"
        start, goal = self._spot(way.start), self._spot(way.goal)
        if start and goal:
            return f"{what}: {start} → {goal}"
        if goal:
            return f"{what} {'come' if several else 'comes'} to {goal}"
        return f"{what} {'leave' if several else 'leaves'} {start}"

    def _things(self, kind: str, events: Sequence[Event]) -> str:
        """`Ash ×2, Fern and 3 more cards`: alike ones counted, hidden ones last."""
        seen = [self._names.thing(str(e["thing"]), kind) for e in events if e["thing"] != HIDDEN]
        named = counted(seen)
        if len(named) > MOST_NAMED:
            return f"{len(events)} {self._names.kind(kind, len(events))}"
        if hidden := len(events) - len(seen):
            named.append(_hidden(self._names.kind(kind, hidden), hidden, bool(named)))
        return in_a_row(named)

    def _spot(self, container: object) -> str:
        """A container in words: of a board just the cell."""
        if container is None:
            return ""
        name = str(container)
        owner = name.partition(".")[0]
        if "." in name and "[" not in name and owner in self._cells:
            return self._names.thing(owner, self._cells[owner])
        return self._names.where(name)


def _hidden(noun: str, number: int, more: bool) -> str:
    if number == 1:
        return f"another {noun}" if more else with_article(noun)
    return f"{number} {'more ' if more else ''}{noun}"

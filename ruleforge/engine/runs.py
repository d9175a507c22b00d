"""Changes one after the other -> what a seat is told of them where hidden things decide which are made, and when.

What a seat is told of a step hangs only on what it may know. Inside of what hidden things steer no names are told, and
all changes up to the next name or die are told as what they come to, in the order of their words: then the records
tell no more than a look at the table before and after.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ruleforge.compiler.ir import Changed, Meaning, Moved, Unveiled, Veiled
from ruleforge.engine.event import Event
from ruleforge.engine.witness import Witness
from ruleforge.present.seen import HIDDEN

_EVENT = None  # stands in the pile for an event that has begun


class Veils:
    """What we are inside of: events, and statements steered by what the viewer does not see."""

    def __init__(self, witness: Witness) -> None:
        self._witness = witness
        self._pile: list[bool | None] = []

    @property
    def hide(self) -> bool:
        """Whether names are left out."""
        return True in self._pile

    def note(self, means: Meaning, words: Sequence[int]) -> bool:
        """Whether the record was one of these marks."""
        if not isinstance(means, Veiled | Unveiled):
            return False
        if isinstance(means, Veiled):
            limited = self._witness.learns_only_what_is_open
            self._pile.append(limited and not self._witness.follows(means, words))
        elif self._pile and self._pile[-1] is not _EVENT:
            self._pile.pop()
        return True

    def event_began(self) -> None:
        self._pile.append(_EVENT)

    def event_ended(self) -> None:
        """With an event everything ends that was steered in it; it may have begun in an earlier step."""
        while self._pile and self._pile.pop() is not _EVENT:
            pass


class Run:
    """Changes between two names; `steered` if the viewer does not see what decides about some of them."""

    def __init__(self) -> None:
        self.steered = False
        self._events: list[tuple[Event, Meaning]] = []
        self._moves: dict[int, set[str]] = {}  # by the statement: how its moves of hidden things read

    def add(self, event: Event, means: Meaning, record: int) -> None:
        self._events.append((event, means))
        if isinstance(means, Moved):
            self._moves.setdefault(record, set()).add(str(event) if event.arguments[0][1] == HIDDEN else "")

    def over(self) -> Iterator[Event]:
        """The changes, and a new run begins."""
        # a statement that moves hidden things in several ways, or with others, would tell by the order which they are
        steered = self.steered or any(len(ways) > 1 for ways in self._moves.values())
        found = _net(self._events) if steered else [event for event, _ in self._events]
        self._events, self._moves, self.steered = [], {}, False
        yield from found


def _net(events: list[tuple[Event, Meaning]]) -> list[Event]:
    """What the changes come to: one for each value and each thing known by name, in the order of their words."""
    merged: dict[object, Event] = {}
    for number, (event, means) in enumerate(events):
        key = _whose(event, means) or number
        earlier = merged.get(key)
        merged[key] = event if earlier is None else _joined(earlier, event)
    kept = (event for key, event in merged.items() if isinstance(key, int) or _says_something(event))
    return [replace(event, merged=True) for event in sorted(kept, key=str)]


def _whose(event: Event, means: Meaning) -> object:
    """The value that was changed or the thing that was moved; None if it cannot be told from others."""
    match means:
        case Changed():
            return event.name, event.arguments[:-2]
        case Moved():
            thing = event.arguments[0]
            return None if thing[1] == HIDDEN else (event.name, thing)
    return None


def _joined(first: Event, last: Event) -> Event:
    """From where the first began to where the last led."""
    old, new = first.arguments[-2], last.arguments[-1]
    return replace(first, arguments=(*first.arguments[:-2], old, new))


def _says_something(event: Event) -> bool:
    old, new = (value for _, value in event.arguments[-2:])
    return old != new or old == HIDDEN

"""Summaries of a step: changed values by owner, and consecutive moves by places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ruleforge.engine.event import Event, EventValue
from ruleforge.engine.presentation.observation import HIDDEN
from ruleforge.engine.presentation.titles import Names
from ruleforge.lang.model.appearance import Appearance
from ruleforge.support.spelling import DISCLOSED, as_number, with_article

Owner = tuple[str, str, int]  # kind, name; a number distinguishes hidden things
Key = tuple[Owner, str, tuple[str, ...]]  # whose, attribute, index
COUNTED = ("player", "game")  # their counters are always reported
MOST_NAMED = 8  # above this only the number of things is reported
SHOWN = "shown"


class Ledger:
    """Adds up changes, so that a value that rises and falls again is reported at most once."""

    def __init__(self, names: Names, look: Appearance) -> None:
        self._names, self._look = names, look
        self._first: dict[Key, EventValue] = {}
        self._last: dict[Key, EventValue] = {}
        self._hidden = 0

    def note(self, event: Event, in_sentence: bool) -> None:
        kind, _, attribute = event.name.removeprefix("set ").partition(".")
        if not self._look.is_narrated(kind, attribute) or (in_sentence and kind not in COUNTED):
            return
        pairs = event.arguments
        index = tuple(str(value) for label, value in pairs if label == "index")
        if event["of"] == HIDDEN:  # its identity is unknown, so it cannot be the same as another
            self._hidden += 1
        key = ((kind, str(event["of"]), self._hidden if event["of"] == HIDDEN else 0), attribute, index)
        self._first.setdefault(key, event["old"])
        self._last[key] = event["new"]

    def lines(self) -> Iterator[str]:
        owners: dict[Owner, list[str]] = {}
        for key, old in self._first.items():
            new = self._last[key]
            if old != new:
                owners.setdefault(key[0], []).append(self._change(key, old, new))
        alike: dict[
            tuple[bool, str], list[str]
        ] = {}  # of several things to which the same happened it is said once
        for (kind, owner, _), changes in owners.items():
            summary = kind == "game", ", ".join(changes)
            alike.setdefault(summary, []).append(self._owner(kind, owner))
        for (game, text), things in alike.items():
            yield f"{capital(text)}." if game else f"{in_a_row(counted(things))}: {text}."

    def _owner(self, kind: str, name: str) -> str:
        hidden = name == HIDDEN
        return capital(with_article(self._names.kind(kind))) if hidden else self._names.thing(name, kind)

    def _change(self, key: Key, old: EventValue, new: EventValue) -> str:
        (kind, _, _), attribute, index = key
        if attribute.startswith(DISCLOSED) and isinstance(new, tuple):
            return self._disclosure(kind, attribute.removeprefix(DISCLOSED), index, new)
        label = self._names.label(attribute, kind)
        if index:
            label += f" {', '.join(map(self._names.thing, index))}"
        if isinstance(new, bool):
            return label if new else f"no longer {label}"
        if isinstance(new, tuple) and isinstance(old, tuple):
            return self._members(label, old, new)
        if new is None or new == HIDDEN:
            return f"{label} {self._names.value(new)}"
        if old is None or old == HIDDEN or not isinstance(new, int):
            return f"{label} {self._names.value(new)}"
        limit = self._look.of.get(f"{kind}.{attribute}", "")
        return f"{label} {old}→{new}{f' of {limit}' if as_number(limit) is not None else ''}"

    def _disclosure(self, kind: str, fact: str, to: Iterable[str], left: tuple[str, ...]) -> str:
        """The possible values of a fact of a hidden thing."""
        values = in_a_row([self._names.thing(value) for value in left], "or")
        return (
            f"{in_a_row([self._names.thing(p) for p in to])} learns: {self._names.label(fact, kind)} {values}"
        )

    def _members(self, label: str, old: tuple[str, ...], new: tuple[str, ...]) -> str:
        come = [f"+{self._names.thing(name)}" for name in new if name not in old]
        gone = [f"−{self._names.thing(name)}" for name in old if name not in new]
        return f"{label} {' '.join((*come, *gone))}"


def counted(names: Iterable[str]) -> list[str]:
    """Names in order, repeated names with their number."""
    return [name if number == 1 else f"{name} ×{number}" for name, number in Counter(names).items()]


def in_a_row(names: Sequence[str], word: str = "and") -> str:
    """`Ash, Elm and Fir`."""
    return f"{', '.join(names[:-1])} {word} {names[-1]}" if len(names) > 1 else "".join(names)


def capital(sentence: str) -> str:
    """The text with an upper-case first letter."""
    return f"{sentence[:1].upper()}{sentence[1:]}"


def number_text(value: int) -> str:
    return str(value).replace("-", "−")


# Summarises consecutive moves: one sentence for each pair of places.


class Way(NamedTuple):
    """The places between which a thing moved, or the players who saw it."""

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
        """Whether the moves can include this one.

        A thing that moves on from its new place starts a new sentence.
        """
        return event["thing"] == HIDDEN or event["thing"] not in self._moved

    def note(self, event: Event) -> None:
        word, _, kind = event.name.partition(" ")
        way = Way("", SHOWN, event["to"]) if word == "show" else Way(kind, event["from"], event["to"])
        self._ways.setdefault(way, []).append(event)
        self._moved.add(event["thing"])

    def sentences(self) -> list[tuple[str, list[Event]]]:
        """The sentences with their events. The collection is empty afterwards."""
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

"""Changes of values in one step -> one line for each owner: what it was and what it is now."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.engine.event import Event, EventValue
from ruleforge.model.look import Look
from ruleforge.present.names import Names
from ruleforge.present.seen import HIDDEN

Key = tuple[str, str, str, tuple[str, ...]]  # kind, owner, attribute, index
COUNTED = ("player", "game")  # whose counters are told whoever tells the rest


class Ledger:
    """Adds up what changed, so that a value that goes up and down again is told once or not at all."""

    def __init__(self, names: Names, look: Look) -> None:
        self._names, self._look = names, look
        self._first: dict[Key, EventValue] = {}
        self._last: dict[Key, EventValue] = {}

    def note(self, event: Event, told_elsewhere: bool) -> None:
        kind, _, attribute = event.name.removeprefix("set ").partition(".")
        if self._is_small(kind, attribute) or (told_elsewhere and kind not in COUNTED):
            return
        pairs = event.arguments
        index = tuple(str(value) for label, value in pairs if label == "index")
        key = (kind, str(event["of"]), attribute, index)
        self._first.setdefault(key, event["old"])
        self._last[key] = event["new"]

    def _is_small(self, kind: str, attribute: str) -> bool:
        shows = self._look.shows.get(kind)
        if attribute in self._look.small or f"{kind}.{attribute}" in self._look.small:
            return True
        return shows is not None and attribute not in shows

    def lines(self) -> Iterator[str]:
        owners: dict[tuple[str, str], list[str]] = {}
        for key, old in self._first.items():
            new = self._last[key]
            if old != new:
                owners.setdefault(key[:2], []).append(self._change(key, old, new))
        for (kind, owner), changes in owners.items():
            head = "" if kind == "game" else f"{self._names.thing(owner, kind)}: "
            text = f"{head}{', '.join(changes)}."
            yield text[:1].upper() + text[1:] if kind == "game" else text

    def _change(self, key: Key, old: EventValue, new: EventValue) -> str:
        kind, _, attribute, index = key
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
        return f"{label} {old}→{new}"

    def _members(self, label: str, old: tuple[str, ...], new: tuple[str, ...]) -> str:
        come = [f"+{self._names.thing(name)}" for name in new if name not in old]
        gone = [f"−{self._names.thing(name)}" for name in old if name not in new]
        return f"{label} {' '.join((*come, *gone))}"


def number_text(value: int) -> str:
    return str(value).replace("-", "−")

"""Checked rules -> what can be counted in play: things and actions by their names, keywords and packs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from ruleforge.backends.artifacts.info import GameInfo
from ruleforge.lang.checker.typed import Checked, Kind
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

_COPY = re.compile(r"_[0-9]+")


@dataclass(frozen=True, slots=True)
class Component:
    """A thing or an action: its name, the keywords on it, the pack it comes from.

    Copies have one name, without a number; what comes and goes is called as its kind.
    """

    name: str
    keywords: tuple[str, ...]
    pack: str  # empty: from the game itself


@dataclass(frozen=True, slots=True)
class Components:
    """Things by kind and name, actions by name, and all keywords."""

    things: Mapping[tuple[str, str], Component]
    actions: Mapping[str, Component]
    keywords: tuple[str, ...]


def components_of(checked: Checked, info: GameInfo) -> Components:
    keywords = tuple(checked.keywords)
    things = {
        (kind.name, name): component
        for kind in checked.kinds.values()
        for name, component in _things(checked, info, kind)
    }
    actions = {}
    for action in checked.actions.values():
        given = action.carrier.keyword if action.carrier else None
        actions[action.name] = Component(
            action.name, (given.name,) if given else (), _pack(info, action.span)
        )
    return Components(things, actions, keywords)


def _things(checked: Checked, info: GameInfo, kind: Kind) -> Iterator[tuple[str, Component]]:
    names = tuple(checked.keywords)
    column = checked.columns.get((kind.name, "keywords"))
    copies = Counter(kind.spans.values())  # the copies of a thing are declared at one place
    for number, name in enumerate(kind.things):
        span = kind.spans.get(name)
        printed = column.values[number] if column is not None and number < len(column.values) else ()
        marked = printed if isinstance(printed, tuple) else (printed,)
        yield (
            name,
            Component(
                kind.name
                if kind.name in kind.made
                else _COPY.sub("", name)
                if span and copies[span] > 1
                else name,
                tuple(names[word - 1] for word in marked),
                _pack(info, span or kind.span),
            ),
        )


def _pack(info: GameInfo, span: Span) -> str:
    pack = info.pack_of(span)
    return pack.id if pack else ""

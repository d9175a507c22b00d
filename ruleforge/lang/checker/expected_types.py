"""The names that may follow a word in a text: phases, windows, pools, edges."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.offered_choices import word_of
from ruleforge.lang.checker.walk import phases_of
from ruleforge.support.spelling import with_article

Named = tuple[str, str, str]  # a name, what it is, and a few words about it


def expected(rules: t.Checked, line: str) -> list[Named] | None:
    """`line` is what is written so far; None where nothing certain is wanted."""
    for before, wanted in _WANTED.items():
        if re.search(rf"(?<![\w.]){before}\Z", line):
            return list(dict.fromkeys(wanted(rules)))
    return None


def _endings(rules: t.Checked) -> Iterator[Named]:
    return ((e.name, "ending", e.text) for e in rules.endings.values())


def _keywords(rules: t.Checked) -> Iterator[Named]:
    return ((k.name, "keyword", k.text) for k in rules.keywords.values())


def _phases(rules: t.Checked) -> Iterator[Named]:
    return ((phase.name, "phase", "") for phase in phases_of(rules.flow))


def _windows(rules: t.Checked) -> Iterator[Named]:
    return ((name, "window", "") for name in rules.windows)


def _occasions(rules: t.Checked) -> Iterator[Named]:
    yield from _phases(rules)
    yield from _windows(rules)


def _wanted(rules: t.Checked) -> Iterator[Named]:
    yield from _occasions(rules)
    yield from ((word_of(action), "action", "") for action in rules.actions.values())


def _positions(rules: t.Checked) -> Iterator[Named]:
    return ((name, "position", "") for name in rules.positions)


def _made(rules: t.Checked) -> Iterator[Named]:
    """Pools, and things among others that are made in play."""
    for kind in rules.kinds.values():
        if kind.pool:
            yield kind.name, "kind", ""
        yield from ((thing, "thing", with_article(kind.name)) for thing in kind.made)


def _edges(rules: t.Checked) -> Iterator[Named]:
    for made in rules.geometry.values():
        if made.shape == "edges" and made.border is not None:
            yield made.kind.plural, "kind", f"edges of `{made.border.board.name}`"


_WANTED: Mapping[str, Callable[[t.Checked], Iterator[Named]]] = {
    "finish": _endings,
    "has": _keywords,
    "leave": _phases,
    "offer": _windows,
    "remember": _positions,
    "forget": _positions,
    r"repeats\(": _positions,
    r"during\(": _occasions,
    r"can_act\([^(),]*,": _wanted,
    "new": _made,
    r"across \w+ in": _edges,
}

"""`terms` lists the limits of a point: for each its key, its reader, and its words on the page of prose.

`limits.py` checks each of them for a change.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from ruleforge.analysis.intervals import Interval
from ruleforge.lang.source.tree import MappingNode, ScalarNode, SequenceNode, SourceNode
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

Value = TypeVar("Value")


def written(bounds: Interval) -> str:
    """As a contract writes it: `low..high`, also where both are one number."""
    return f"{_figure(bounds.low)}..{_figure(bounds.high)}"


def _figure(value: float) -> str:
    return str(int(value)) if math.isfinite(value) else ("" if value > 0 else "-") + "infinite"


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a guard or point, as it is written."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Sources:
    """At most so many sources act at once, for each of these events."""

    most: int
    per: str


class Term(Generic[Value]):
    """A limit that a point may have. `read` gives nothing where a key is empty."""

    def __init__(
        self, key: str, read: Callable[[SourceNode | None], Value | None], says: Callable[[Value], str]
    ) -> None:
        self.key, self.read, self.says = key, read, says

    def __repr__(self) -> str:
        return self.key


# --- values ---


def items_in(node: SourceNode | None) -> tuple[SourceNode, ...]:
    if node is None:
        return ()
    return node.items if isinstance(node, SequenceNode) else (node,)


def word_in(node: SourceNode | None) -> str:
    return node.text if isinstance(node, ScalarNode) and node.kind != "null" else ""


def words_in(node: SourceNode | None) -> tuple[str, ...]:
    return tuple(x.text for x in items_in(node) if isinstance(x, ScalarNode) and x.kind != "null")


def targets_in(node: SourceNode | None) -> tuple[Target, ...]:
    return tuple(Target(x.text, x.span) for x in items_in(node) if isinstance(x, ScalarNode))


def number_in(node: SourceNode | None) -> int | None:
    text = word_in(node)
    return int(text) if text.removeprefix("-").isdecimal() else None


def _names(node: SourceNode | None) -> tuple[str, ...] | None:
    return tuple(target.text for target in targets_in(node)) or None


def _bounds(node: SourceNode | None) -> Interval | None:
    """`-3..5`; a single number bounds what goes towards it from 0."""
    text = word_in(node)
    if not text:
        return None
    low, dots, high = text.partition("..")
    if not dots:
        figure = number_in(node)
        return None if figure is None else Interval(min(0, figure), max(0, figure))
    return Interval(_end(low, -math.inf), _end(high, math.inf))


def _end(text: str, open_end: float) -> float:
    stripped = text.strip()
    return float(stripped) if stripped.removeprefix("-").isdecimal() else open_end


def _sources(node: SourceNode | None) -> Sources | None:
    if not isinstance(node, MappingNode):
        return None
    most = number_in(node.get("most"))
    return Sources(1 if most is None else most, word_in(node.get("per")))


# --- words ---


def named(words: Sequence[str], joint: str = "and") -> str:
    return listed([f"`{word}`" for word in words], joint)


def listed(words: Sequence[str], joint: str = "and") -> str:
    return f" {joint} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


_WHEN = {
    "conditional": "only under a condition, for a time, or a limited number of times",
    "conditional both ways": "more or less only under a condition, for a time, or a limited number of times",
    "limited": "only a limited number of times",
    "timed": "only for a time",
    "printed": "only by what is printed and chosen before the game",
}
_WHOSE = {
    "new": "for things of their own",
    "own": "for what is the player's own",
    "enemy": "for what is the enemy's",
}
_PLACES = {"own": "the player's own place", "enemy": "a place of the enemy"}
_ACTS = {"none": "nothing at all", "less": "less of it", "same": "the same", "other": "anything else"}


def _sources_text(sources: Sources) -> str:
    most = "one source" if sources.most == 1 else f"{sources.most} sources"
    return f"{most} for each `{sources.per}`"


# --- the table, in the order of the page ---

Words = tuple[str, ...]


def _word(node: SourceNode | None) -> str | None:
    return word_in(node) or None


def _words(node: SourceNode | None) -> Words | None:
    return words_in(node) or None


OPS = Term[Words]("ops", _words, lambda _: "")  # said with what is modified
EACH = Term[Interval]("each", _bounds, lambda b: f"{written(b)} by one source")
SUM = Term[Interval]("sum", _bounds, lambda b: f"{written(b)} by all sources together")
RESULT = Term[Interval]("result", _bounds, lambda b: f"the result within {written(b)}")
FINAL = Term[Interval]("final", _bounds, lambda b: f"cut to {written(b)} in the end")
RANGE = Term[Interval]("range", _bounds, lambda b: f"within {written(b)}")
WHEN = Term[str]("when", _word, lambda word: _WHEN.get(word, word))
LIMIT = Term[str]("limit", _word, lambda word: f"at most {word}")
WHOSE = Term[str]("whose", _word, lambda word: _WHOSE.get(word, word))
OUT_OF = Term[str]("out_of", _word, lambda word: f"out of {_PLACES.get(word, word)}")
INTO = Term[str]("into", _word, lambda word: f"into {_PLACES.get(word, word)}")
SUBJECT = Term[str]("subject", _word, lambda word: f"of {word} thing")
SOURCES = Term[Sources]("sources", _sources, _sources_text)
ACTS = Term[Words]("as", _words, lambda ws: f"so that {' or '.join(_ACTS.get(w, w) for w in ws)} happens")
MADE_OF = Term[str]("made_of", _word, lambda _: "to a value that it had")
WINDOW = Term[Words]("window", _names, lambda names: f"during {named(names)}")
VIA = Term[Words]("via", _names, lambda names: f"by way of {named(names)}")
WITHOUT = Term[Words](
    "without", _names, lambda ns: f"in an effect that gives no {' and no '.join(f'`{n}`' for n in ns)}"
)
INSIDE = Term[Words]("inside", _names, lambda names: f"containing {named(names)}")
PACKS = Term[Words]("packs", _words, lambda kinds: f"packs of the kind {' or '.join(kinds)}")
MOST = Term[int]("most", number_in, lambda n: f"{'one pack' if n == 1 else f'{n} packs'} at a time")
WARN = Term[int]("warn", number_in, lambda n: f"with a warning above {n}")
TERMS: tuple[Term[Any], ...] = (
    *(OPS, EACH, SUM, RESULT, FINAL, RANGE, WHEN, LIMIT, WHOSE, OUT_OF, INTO, SUBJECT, SOURCES, ACTS),
    *(MADE_OF, WINDOW, VIA, WITHOUT, INSIDE, PACKS, MOST, WARN),
)

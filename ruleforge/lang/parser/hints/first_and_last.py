"""Hints for the first or last of a set in the words of a rulebook: `the top card of the deck`."""

from __future__ import annotations

import re

from ruleforge.lang.parser.hints.hint_table import table
from ruleforge.lang.parser.parse_failure import Trouble, span_of
from ruleforge.lang.parser.syntax_problem import Problem

HINTS, hint = table()

_SET = r"(?P<set>[a-z_][\w.]*(?:\[[^\[\]]*\])?)"
_END = re.compile(
    r"(?:the\s+)?(?P<end>top|first|bottom|last)(?:\s+(?P<many>[0-9]+))?(?:\s+(?!of\b|from\b)\w+)?"
    rf"\s+(?:of|from)\s+(?:the\s+)?{_SET}"
)
_MOVED = re.compile(rf"move\s+{_END.pattern}\s+to\s+(?P<to>[^:;#\n]+?)(?=[ \t]*(?:[;#\n]|\Z))")
_FIRST = ("top", "first")
_NUMBERED = re.compile(r"\.\s*(?P<number>[0-9]+)\b")


@hint(
    ("block", "move top of deck to p.hand"),
    ("block", "move top card of deck to p.hand"),
    ("block", "move the top 3 of deck to p.hand"),
)
def moved_from_an_end(t: Trouble) -> Problem | None:
    for found in _MOVED.finditer(t.source.text):
        if not found.start() <= t.word.offset < found.end("set"):
            continue
        right = f"for one x in {found['set']}: move x to {found['to']}"
        once = found["end"] in _FIRST and int(found["many"] or 1) == 1
        return _written(t, found, right) if once else _one_by_one(t, found)
    return None


def _one_by_one(t: Trouble, found: re.Match[str]) -> Problem:
    if found["end"] in _FIRST:
        advice = f"write `repeat {found['many']}:`, and under it `for one x in {found['set']}: move x to {found['to']}`"
    else:
        advice = f"the last of them is `{_last(found['set'])}`"
    return Problem("RF401", "this is written differently", span_of(t.source, *found.span()), advice)


@hint(("expr", "top of deck"), ("expr", "the first card of deck"), ("expr", "last of p.row"))
def an_end(t: Trouble) -> Problem | None:
    for found in _END.finditer(t.source.text):
        if found.start() <= t.word.offset < found.end() and not found["many"]:
            place = found["set"]
            return _written(t, found, f"{place}[1]" if found["end"] in _FIRST else _last(place))
    return None


@hint(("expr", "deck.1"))
def number_behind_a_dot(t: Trouble) -> Problem | None:
    found = _NUMBERED.match(t.source.text, t.word.offset - 1) if t.after("NAME", "DOT") else None
    if found is None:
        return None
    right = f"[{found['number']}]"
    message = "put the number of a thing in a set in brackets"
    span = span_of(t.source, *found.span())
    return Problem("RF401", message, span, f"write `{right}`", instead=right)


def _last(place: str) -> str:
    return f"{place}[count(x in {place})]"


def _written(t: Trouble, found: re.Match[str], right: str) -> Problem:
    span = span_of(t.source, *found.span())
    return Problem("RF401", "this is written differently", span, f"write `{right}`", instead=right)

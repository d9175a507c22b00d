"""Words that English wants and the language does not: they are taken away."""

from __future__ import annotations

import re

from ruleforge.lang.parser.hints.hint_table import table
from ruleforge.lang.parser.parse_failure import Trouble, span_of, with_space
from ruleforge.lang.parser.syntax_problem import Problem

HINTS, hint = table()

_FROM = re.compile(r"\s*from\s+(?:the\s+)?[\w.]+(?=\s+to\b)")


@hint(("block", "shuffle the deck"), ("block", "move c to the deck"), ("expr", "x is the player"))
def article(t: Trouble) -> Problem | None:
    last = t.seen()
    if last is None or last.text != "the" or t.word.type != "NAME":
        return None
    help, over = f"write `{t.word.text}`", with_space(last.span)
    return Problem("RF401", "`the` is not needed here", last.span, help, instead="", over=over)


@hint(("block", "repeat 3 times: skip"))
def times(t: Trouble) -> Problem | None:
    if t.word.text != "times" or t.opener != "REPEAT" or "COLON" not in t.expected:
        return None
    span = span_of(t.source, t.word.offset - 1, t.word.offset + len(t.word.text))
    return Problem("RF401", "`times` is not needed here", t.word.span, "delete it", instead="", over=span)


@hint(("block", "move c from deck to p.hand"))
def from_where(t: Trouble) -> Problem | None:
    found = _FROM.match(t.source.text, t.word.offset - 1)
    if t.word.text != "from" or t.opener != "MOVE" or found is None:
        return None
    message, help = (
        "`move` does not say where a thing comes from: it lies in one place",
        "write `move ... to ...`",
    )
    return Problem("RF401", message, t.word.span, help, instead="", over=span_of(t.source, *found.span()))

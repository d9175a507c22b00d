"""Operations over many things, written in the order of another language -> how they are written here.

`all(x in S where C)`, `all(x in S for C)`, `all(x in S: C)` and `sum(x in S, V)` all mean `all(C for x in S)`.
"""

from __future__ import annotations

import re

from ruleforge.lang.parser.hints.hint_table import table
from ruleforge.lang.parser.parse_failure import Trouble, span_of
from ruleforge.lang.parser.syntax_problem import Problem

HINTS, hint = table()

_ALL = ("all", "every", "forall")
_GATHERING = (*_ALL, "sum", "min", "max")
_PARTS = re.compile(
    r"\s*(?P<binder>\w+\s+in\s+(?P<source>[\w.]+(?:\([^()]*\))?)(?P<where>\s+where\s+[^,:]+?)?)"
    r"\s*(?P<sign>\bwhere\b|\bfor\b|,|:)\s*(?P<value>[^,:]+?)\s*\Z"
)


@hint(
    ("expr", "all(c in cells where c.a > 3)"),
    ("expr", "all(c in cells for c.a > 3)"),
    ("expr", "all(c in cells: c.a > 3)"),
    ("expr", "sum(c in cells, c.a)"),
    ("expr", "every(c in cells where c.a)"),
)
def value_behind(t: Trouble) -> Problem | None:
    """What is asked of each stands first."""
    if not t.open or t.open[-1] == 0:
        return None
    name, opened = t.before[t.open[-1] - 1], t.before[t.open[-1]]
    end = _closing(t.source.text, opened.offset)
    if name.text not in _GATHERING or end is None:
        return None
    found = _PARTS.match(t.source.text[opened.offset + 1 : end])
    if found is None or (found["sign"] == "where" and name.text not in _ALL):
        return None
    word = "all" if name.text in _ALL else name.text
    right = f"{word}({found['value']} for {found['binder']})"
    span = span_of(t.source, name.offset, end + 1)
    message = f"the value of `{word}` comes first"
    return Problem("RF401", message, span, f"write `{right}`", instead=right)


def _closing(text: str, begin: int) -> int | None:
    """Where the bracket is closed that is opened there."""
    depth = 0
    for place in range(begin, len(text)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if depth == 0:
            return place
    return None

"""Signs that a plain text cannot begin with, and quotation marks -> answers."""

from __future__ import annotations

import re

from ruleforge.lang.source.repairs import Change, end_of, inserted, is_flow, quoted
from ruleforge.lang.source.yaml_problems.answer import Answer, ParserMessage

_OPENS = re.compile(r"""(?:^|[:\[{,-]\s+)(?P<sign>["'])""")
_VALUE = re.compile(r"""^\s*(?:- )*(?:[\w.]+:\s+)?(?P<value>["'\[{])""")


def sign(p: ParserMessage) -> Answer:
    change = None if is_flow(p.before) else quoted(p.lines, p.at)
    return Answer(f"a plain text cannot begin with `{p.sign}`", p.at, "put the text in quotes", change)


def reference(p: ParserMessage) -> Answer:
    at = p.began or p.at
    change = None if is_flow(p.line_at(at[0])[: at[1]]) else quoted(p.lines, at)
    return Answer("a plain text cannot begin with `&` or `*`", at, "put the text in quotes", change)


def escape(p: ParserMessage) -> Answer:
    return Answer("unknown escape in double quotes", p.at, "use single quotes for a text with backslashes")


def content(p: ParserMessage) -> Answer:
    return Answer(f"`{p.sign}` is not expected here", p.at, "put the text in quotes if it is one")


def quote(p: ParserMessage) -> Answer:
    row, column = at = p.began or p.at
    sign, end = p.line_at(row)[column : column + 1], end_of(p.line_at(row))
    help = "close it on the same line"
    change = inserted(row, end, sign) if sign and sign in "\"'" else None
    return Answer("the quotation mark opened here is never closed", at, help, change)


def open_quote(p: ParserMessage) -> Answer | None:
    """A quotation mark that was opened above and is not closed on its line: the text swallowed what follows."""
    for row in range(p.at[0], (p.began or (0, 0))[0] - 1, -1):
        line = p.line_at(row)
        for opened in _OPENS.finditer(line):
            place, sign = opened.start("sign"), opened["sign"]
            if sign not in line[place + 1 :]:
                message = "the quotation mark opened here is not closed on its line"
                return Answer(message, (row, place), "close it", inserted(row, end_of(line), sign))
    return None


def after_the_end(p: ParserMessage) -> Answer | None:
    """A value that begins with a quotation mark or a bracket ends with it; here more follows on the line."""
    found = _VALUE.match(p.line)
    if not p.before.strip() or found is None or found.start("value") >= p.at[1]:
        return None
    opened, place = found["value"], (p.at[0], found.start("value"))
    rest = p.line[p.at[1] : end_of(p.line)]
    if opened in "[{" and rest and not rest.strip("]} "):
        change = Change(p.at[0], p.at[1], p.at[1] + len(rest), "")
        return Answer(f"`{rest}` closes a bracket that was never opened", p.at, "delete it", change)
    if opened in "\"'":
        message = f"the text ends at the second `{opened}`, and more follows"
        help = (
            "put it in double quotes" if opened == "'" else f"put it in single quotes, or write `\\{opened}`"
        )
        last = p.line[: end_of(p.line)]
        inner = last[place[1] + 1 : -1] if last.endswith(opened) else last[place[1] + 1 :]
        return Answer(message, p.at, help, quoted(p.lines, place, inner))
    message = f"YAML reads text that begins with `{opened}` as a list or mapping, and more follows"
    return Answer(message, place, "put the text in quotes", quoted(p.lines, place))

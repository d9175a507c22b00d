"""Brackets and braces that are not closed, or are of another sort -> answers."""

from __future__ import annotations

import re

from ruleforge.lang.source.repairs import Change, end_of, indent_of, inserted
from ruleforge.lang.source.yaml_problems.answer import KEY_AND_VALUE, QUOTE_OR_BLOCK, Answer, ParserMessage

_BRACKETED = re.compile(r"""\[[^\[\]{}]*\]|\{[^\[\]{}]*\}|"[^"]*"|'[^']*'""")
_ROUND = re.compile(r"\s*(?:- )*[\w.]+:\s+(?P<open>\()(?P<inside>\w+:\s[^()]*)\)\s*\Z")


def unclosed(p: ParserMessage) -> Answer | None:
    """Nothing follows any more, and a bracket is still open."""
    if "".join((p.line[p.at[1] :], *p.lines[p.at[0] + 1 :])).strip():
        return None
    for row in range(p.at[0], -1, -1):
        text = _BRACKETED.sub(_blank, p.line_at(row))
        column = max(text.rfind("["), text.rfind("{"))
        if column >= 0:
            return _not_closed(p, (row, column))
        if KEY_AND_VALUE.match(text):
            return None
    return None


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def brace(p: ParserMessage) -> Answer:
    if p.sign in ("[", "{"):
        message = f"`{p.sign}` cannot stand inside a plain text in braces or brackets"
        return Answer(
            message, p.at, "put the text in quotes, or write one `key: value` a line without braces"
        )
    if p.began and p.began[0] != p.at[0]:
        return _not_closed(p, p.began)
    return Answer("a comma or a closing bracket is missing here", p.at, QUOTE_OR_BLOCK)


def _not_closed(p: ParserMessage, at: tuple[int, int]) -> Answer:
    row, column = at
    opened = p.lines[row][column : column + 1]
    help = "close it, or write one item a line"
    end = end_of(p.lines[row])
    change = inserted(row, end, {"[": "]", "{": "}"}.get(opened, "")) if _is_last(p, row) else None
    return Answer(f"the `{opened}` opened here is not closed", at, help, change)


def _is_last(p: ParserMessage, row: int) -> bool:
    """Does the line after this one begin something else, so that the bracket was meant to be closed on it?"""
    below = next((r for r in range(row + 1, len(p.lines)) if p.lines[r].strip()), None)
    return below is None or indent_of(p.lines[below]) <= indent_of(p.lines[row])


def round_brackets(p: ParserMessage) -> Answer | None:
    """A mapping in the brackets of another language."""
    found = _ROUND.match(p.line)
    if found is None:
        return None
    right, place = f"{{{found['inside']}}}", (p.at[0], found.start("open"))
    change = Change(p.at[0], found.start("open"), end_of(p.line), right)
    return Answer("names with their values stand in braces", place, f"write `{right}`", change)

"""Answers for missing, misplaced and surplus colons."""

from __future__ import annotations

import re

from ruleforge.lang.source.repairs import (
    INDENT,
    Change,
    filled_above,
    indent_of,
    inserted,
    is_flow,
    opens_more,
    quoted,
)
from ruleforge.lang.source.yaml_problems.answer import (
    KEY,
    KEY_AND_VALUE,
    QUOTE_OR_BLOCK,
    Answer,
    ParserMessage,
)

_ONLY_KEY = re.compile(r"\s*(?:- )*(?P<key>[\w.]+):\s*\Z")
_CALLED = re.compile(r"\s+(?P<name>\w+)(?P<takes>\((?P<inside>[^()]*)\):)\s*(?P<value>\S.*)?\Z")
_GLUED = re.compile(r"\s*(?:- )*(?P<key>\w+):(?=\S)")
_EQUATION = re.compile(r"\s*(?P<key>[\w.\[\]]+)\s*(?:==?|\bis\b)\s*(?P<value>-?\w+)(?=\s*\Z)")
_WORD = re.compile(r"\s*(?P<word>[a-z_]+)\s*\Z")


def called(p: ParserMessage) -> Answer | None:
    """A definition that is written as it is called, or as other languages declare it."""
    found = _CALLED.match(p.line)
    if found is None or not found.start("takes") < p.at[1] < found.end("takes"):
        return None
    name, takes = found["name"], f"takes: {{{found['inside']}}}"
    message = f"write the parameters of `{name}` below its name, not after it"
    below = f":\n{' ' * (indent_of(p.line) + INDENT)}{takes}"
    change = None if found["value"] else Change(p.at[0], *found.span("takes"), below)
    place = (p.at[0], found.start("name"))
    return Answer(message, place, f"write `{name}:` and below it `{takes}`", change)


def no_bar(p: ParserMessage) -> Answer | None:
    """A text of several lines under a key that lacks its `|`; the first colon in it is one too many."""
    row = p.at[0] - 1
    while row >= 0 and (not p.line_at(row).strip() or indent_of(p.line_at(row)) >= indent_of(p.line)):
        if KEY_AND_VALUE.match(p.line_at(row)):
            return None
        row -= 1
    opened, own = _ONLY_KEY.match(p.line_at(row)), KEY_AND_VALUE.match(p.line)
    if row < 0 or opened is None or KEY.match(p.before):
        return None
    if own is not None and own.end() <= p.at[1] and not own[0].lstrip().startswith("else:"):
        return None  # a key of its own, whose value has the colon
    end = opened.end("key") + 1
    message = f"a text of several lines needs a `|` after `{opened['key']}:`"
    help = f"write `{opened['key']}: |`"
    return Answer(message, (row, opened.start("key")), help, inserted(row, end, " |"))


def bare_key_above(p: ParserMessage) -> Answer | None:
    """A key without its colon, above what it was to hold: YAML takes both lines for one text."""
    above = filled_above(p.lines, p.at[0])
    word = _WORD.match(p.lines[above]) if above is not None and KEY.match(p.before) else None
    if word is None or above is None or indent_of(p.lines[above]) >= indent_of(p.line):
        return None
    return _colon_missing(above, word)


def no_colon_above(p: ParserMessage) -> Answer | None:
    """A line without its colon among lines that have one: YAML takes it and the next one for one text."""
    above = filled_above(p.lines, p.at[0])
    if above is None or KEY.match(p.before) is None or indent_of(p.lines[above]) != indent_of(p.line):
        return None
    opener = filled_above(p.lines, above)
    while opener is not None and indent_of(p.lines[opener]) >= indent_of(p.line):
        opener = filled_above(p.lines, opener)
    if KEY_AND_VALUE.match(p.lines[above]) or opener is None or not _ONLY_KEY.match(p.lines[opener]):
        return None
    return _no_key(p, (above, indent_of(p.lines[above])))


def colon(p: ParserMessage) -> Answer:
    start = re.match(r"\s*(?:- )*[\w.]+:\s+", p.line)
    free = start is not None and start.end() <= p.at[1] and not is_flow(p.before)
    change = quoted(p.lines, (p.at[0], start.end())) if free and start else None
    return Answer("a plain text cannot contain `: `", p.at, QUOTE_OR_BLOCK, change)


def no_space(p: ParserMessage) -> Answer | None:
    row = (p.began or p.at)[0]
    found = _GLUED.match(p.line_at(row))
    if found is None:
        return None
    place = (row, found.end() - 1)
    message = f"a space is missing after `{found['key']}:`"
    return Answer(
        message, place, "YAML needs a space after the colon of a key", inserted(row, found.end(), " ")
    )


def bare_key(p: ParserMessage) -> Answer | None:
    row = (p.began or p.at)[0]
    word = _WORD.match(p.line_at(row))
    if word is None or not opens_more(p.lines, row):
        return None
    return _colon_missing(row, word)


def _colon_missing(row: int, word: re.Match[str]) -> Answer:
    message, place = f"a colon is missing after `{word['word']}`", (row, word.start("word"))
    return Answer(message, place, f"write `{word['word']}:`", inserted(row, word.end("word"), ":"))


def no_colon(p: ParserMessage) -> Answer:
    return _no_key(p, p.began or p.at)


def _no_key(p: ParserMessage, at: tuple[int, int]) -> Answer:
    message = "this line is neither `key: value` nor a list item"
    if equation := _EQUATION.match(p.line_at(at[0])):
        right = f"{equation['key']}: {equation['value']}"
        return Answer(
            message, at, f"write `{right}`", Change(at[0], equation.start("key"), equation.end(), right)
        )
    help = "write `key: value` with a space after the colon, or indent it as part of the text above"
    return Answer(message, at, help)

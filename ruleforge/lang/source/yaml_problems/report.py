"""Turns an error of the YAML parser into one diagnostic."""

from __future__ import annotations

import re

import yaml

from ruleforge.lang.source.repairs import Change, aligned, end_of, indent_of, inserted, is_flow, quoted
from ruleforge.lang.source.yaml_problems.answer import (
    KEY_AND_VALUE,
    QUOTE_OR_BLOCK,
    Answer,
    Explain,
    ParserMessage,
)
from ruleforge.lang.source.yaml_problems.colons import (
    bare_key,
    bare_key_above,
    called,
    colon,
    no_bar,
    no_colon,
    no_colon_above,
    no_space,
)
from ruleforge.lang.source.yaml_problems.indents import (
    begins_indented,
    dash_before_a_key,
    head_too_deep,
    head_too_shallow,
    indent,
    item,
    item_among_keys,
    too_deep,
    too_shallow,
)
from ruleforge.support.diagnostics import Edit, Report, Span

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


def brace(p: ParserMessage) -> Answer:
    if p.sign in ("[", "{"):
        message = f"`{p.sign}` cannot stand inside a plain text in braces or brackets"
        return Answer(
            message, p.at, "put the text in quotes, or write one `key: value` a line without braces"
        )
    if p.began and p.began[0] != p.at[0]:
        return _not_closed(p, p.began)
    return Answer("a comma or a closing bracket is missing here", p.at, QUOTE_OR_BLOCK)


def round_brackets(p: ParserMessage) -> Answer | None:
    """A mapping in the brackets of another language."""
    found = _ROUND.match(p.line)
    if found is None:
        return None
    right, place = f"{{{found['inside']}}}", (p.at[0], found.start("open"))
    change = Change(p.at[0], found.start("open"), end_of(p.line), right)
    return Answer("names with their values stand in braces", place, f"write `{right}`", change)


# Words of the YAML parser with the functions that may recognise the mistake; the last one always does.
_ANSWERS: tuple[tuple[str, tuple[Explain, ...]], ...] = (
    ("cannot start any token", (sign,)),
    (
        "mapping values are not allowed",
        (called, round_brackets, too_deep, bare_key_above, no_bar, no_colon_above, colon),
    ),
    ("expected ',' or", (brace,)),
    ("unexpected end of stream", (quote,)),
    (
        "did not find expected key",
        (open_quote, after_the_end, item_among_keys, head_too_deep, head_too_shallow, indent),
    ),
    ("expected <document start>", (begins_indented,)),
    ("did not find expected '-' indicator", (open_quote, after_the_end, dash_before_a_key, indent)),
    (
        "expected <block end>",
        (open_quote, after_the_end, item_among_keys, head_too_deep, head_too_shallow, indent),
    ),
    ("could not find expected ':'", (no_space, bare_key, too_shallow, no_colon)),
    ("sequence entries are not allowed", (item,)),
    ("unknown escape", (escape,)),
    ("node content", (unclosed, content)),
    ("expected alphabetic or numeric character", (reference,)),
)
_BRACKETED = re.compile(r"""\[[^\[\]{}]*\]|\{[^\[\]{}]*\}|"[^"]*"|'[^']*'""")
_ROUND = re.compile(r"\s*(?:- )*[\w.]+:\s+(?P<open>\()(?P<inside>\w+:\s[^()]*)\)\s*\Z")


def report_problem(error: yaml.YAMLError, file: str, lines: list[str], report: Report) -> Change | None:
    """Adds the one diagnostic about a place that is not YAML; what breaks because of it is not told again.

    The edit that repairs it is given back, if there is one.
    """
    problem = _problem(error, lines)
    answer = _answer(problem)
    row, column = min(answer.at[0], len(lines) - 1), answer.at[1]
    span = Span(file, row + 1, column + 1, row + 1, column + 2)
    if any(d.span == span and d.message == answer.message for d in report):
        return None
    notes: tuple[tuple[str, Span], ...] = ()
    if problem.began and problem.began[0] != row and answer.change is None:
        began, col = problem.began
        notes = (("it belongs to what begins", Span(file, began + 1, col + 1, began + 1, col + 2)),)
    fix = (Edit(answer.change.span(file), answer.change.text),) if answer.change else ()
    report.add("RF108", answer.message, span, answer.help, notes, fix)
    return answer.change


def _problem(error: yaml.YAMLError, lines: list[str]) -> ParserMessage:
    if not isinstance(error, yaml.MarkedYAMLError):
        return ParserMessage(str(error).splitlines()[0], (0, 0), None, lines)
    mark = error.problem_mark or error.context_mark
    began = error.context_mark
    return ParserMessage(
        error.problem or error.context or "",
        (mark.line, mark.column) if mark else (0, 0),
        (began.line, began.column) if began else None,
        lines,
    )


def _answer(p: ParserMessage) -> Answer:
    if "\t" in p.line[: p.at[1] + 1] and not p.before.strip():
        return Answer("a tab cannot be used to indent", p.at, "indent with spaces", aligned(p.lines, p.at[0]))
    for words, explanations in _ANSWERS:
        if words in p.message:
            return next(answer for explain in explanations if (answer := explain(p)))
    return Answer(f"this is not YAML: {p.message}", p.at, None)


# Answers for brackets and braces that are not closed, or are of another sort.


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


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


# Answers for signs that a plain text cannot begin with, and for quotation marks.

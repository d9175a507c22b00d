"""A YAML parser's complaint -> what an author did, in an author's words."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import yaml

from ruleforge.diagnostics import Report, Span

QUOTE_OR_BLOCK = "put the text in quotes, or under `|` on lines of its own"


@dataclass(frozen=True, slots=True)
class Said:
    """What the parser said, and the two places it may name, as (line, column) from 0."""

    said: str
    at: tuple[int, int]
    began: tuple[int, int] | None
    lines: list[str]

    @property
    def line(self) -> str:
        return self.lines[self.at[0]] if self.at[0] < len(self.lines) else ""

    @property
    def sign(self) -> str:
        return self.line[self.at[1] : self.at[1] + 1]


Answer = tuple[str, tuple[int, int], str | None]


def report_problem(error: yaml.YAMLError, file: str, lines: list[str], report: Report) -> None:
    """Adds the one complaint about a file that is not YAML."""
    problem = _problem(error, lines)
    message, (line, column), help = _answer(problem)
    line = min(line, len(lines) - 1)
    span = Span(file, line + 1, column + 1, line + 1, column + 2)
    notes: tuple[tuple[str, Span], ...] = ()
    if problem.began and problem.began[0] != line:
        row, col = problem.began
        notes = (("it belongs to what begins", Span(file, row + 1, col + 1, row + 1, col + 2)),)
    report.add("RF108", message, span, help, notes)


def _problem(error: yaml.YAMLError, lines: list[str]) -> Said:
    if not isinstance(error, yaml.MarkedYAMLError):
        return Said(str(error).splitlines()[0], (0, 0), None, lines)
    mark = error.problem_mark or error.context_mark
    began = error.context_mark
    return Said(
        error.problem or error.context or "",
        (mark.line, mark.column) if mark else (0, 0),
        (began.line, began.column) if began else None,
        lines,
    )


def _answer(p: Said) -> Answer:
    if "\t" in p.line[: p.at[1] + 1] and not p.line[: p.at[1]].strip():
        return ("a tab cannot be used to indent", p.at, "indent with spaces")
    for words, answer in _ANSWERS:
        if words in p.said:
            return answer(p)
    return (f"this is not YAML: {p.said}", p.at, None)


def _sign(p: Said) -> Answer:
    return (f"a plain text cannot begin with `{p.sign}`", p.at, "put the text in quotes")


def _colon(p: Said) -> Answer:
    return ("a plain text cannot contain `: `", p.at, QUOTE_OR_BLOCK)


def _brace(p: Said) -> Answer:
    if p.sign in ("[", "{"):
        message = f"`{p.sign}` cannot stand inside a plain text in braces or brackets"
        return (message, p.at, "put the text in quotes, or write one `key: value` a line without braces")
    if p.began and p.began[0] != p.at[0]:
        opened = p.lines[p.began[0]][p.began[1] : p.began[1] + 1]
        return (f"the `{opened}` opened here is not closed", p.began, "close it, or write one item a line")
    return ("a comma or a closing bracket is missing here", p.at, QUOTE_OR_BLOCK)


def _quote(p: Said) -> Answer:
    return ("the quotation mark opened here is never closed", p.began or p.at, "close it on the same line")


_OPENS = re.compile(r"""(?:^|[:\[{,-]\s+)(?P<sign>["'])""")


def _open_quote(p: Said) -> tuple[int, int] | None:
    """Where a quotation mark was opened above that is not closed on its line: the text swallowed what follows."""
    for row in range(p.at[0], (p.began or (0, 0))[0] - 1, -1):
        for opened in _OPENS.finditer(p.lines[row] if row < len(p.lines) else ""):
            place = opened.start("sign")
            if opened["sign"] not in p.lines[row][place + 1 :]:
                return row, place
    return None


def _indent(p: Said) -> Answer:
    if (opened := _open_quote(p)) is not None:
        return ("the quotation mark opened here is not closed on its line", opened, "close it")
    message = "this line does not fit the indentation around it"
    return (message, p.at, "keys of one mapping begin in the same column; texts under `|` are indented alike")


def _no_colon(p: Said) -> Answer:
    help = "write `key: value` with a space after the colon, or indent it as part of the text above"
    return ("this line is neither `key: value` nor a list item", p.began or p.at, help)


def _item(p: Said) -> Answer:
    return ("a list item cannot begin here", p.at, "begin the list on the next line, or write `[a, b]`")


def _escape(p: Said) -> Answer:
    return ("unknown escape in double quotes", p.at, "use single quotes for a text with backslashes")


def _content(p: Said) -> Answer:
    return (f"`{p.sign}` is not expected here", p.at, "put the text in quotes if it is one")


def _reference(p: Said) -> Answer:
    return ("a plain text cannot begin with `&` or `*`", p.began or p.at, "put the text in quotes")


_ANSWERS: tuple[tuple[str, Callable[[Said], Answer]], ...] = (
    ("cannot start any token", _sign),
    ("mapping values are not allowed", _colon),
    ("expected ',' or", _brace),
    ("unexpected end of stream", _quote),
    ("did not find expected key", _indent),
    ("did not find expected '-' indicator", _indent),
    ("expected <block end>", _indent),
    ("could not find expected ':'", _no_colon),
    ("sequence entries are not allowed", _item),
    ("unknown escape", _escape),
    ("node content", _content),
    ("expected alphabetic or numeric character", _reference),
)

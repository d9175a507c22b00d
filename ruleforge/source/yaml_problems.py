"""A YAML parser's complaint -> what an author did, in an author's words, and the edit that takes it back."""

from __future__ import annotations

import re
from collections.abc import Callable

import yaml

from ruleforge.diagnostics import Edit, Report, Span
from ruleforge.quick import dataclass
from ruleforge.source.mending import (
    INDENT,
    Change,
    aligned,
    end_of,
    filled_above,
    indent_of,
    inserted,
    is_flow,
    is_item_below,
    opens_more,
    quoted,
)

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
        return self.line_at(self.at[0])

    @property
    def sign(self) -> str:
        return self.line[self.at[1] : self.at[1] + 1]

    @property
    def before(self) -> str:
        """What stands on the line before the place."""
        return self.line[: self.at[1]]

    def line_at(self, row: int) -> str:
        return self.lines[row] if 0 <= row < len(self.lines) else ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was done, where, and what would mend it."""

    message: str
    at: tuple[int, int]
    help: str | None
    change: Change | None = None


_CONFLICT = re.compile(r"(<<<<<<<|>>>>>>>)( |\Z)")


def conflict_in(text: str, lines: list[str]) -> int | None:
    """The first line that a program for versions wrote around two texts between which it could not choose."""
    if "<<<<<<<" not in text and ">>>>>>>" not in text:
        return None
    return next((row for row, line in enumerate(lines) if _CONFLICT.match(line)), None)


Explain = Callable[[Said], Answer | None]


def report_problem(error: yaml.YAMLError, file: str, lines: list[str], report: Report) -> None:
    """Adds the one complaint about a place that is not YAML."""
    problem = _problem(error, lines)
    answer = _answer(problem)
    row, column = min(answer.at[0], len(lines) - 1), answer.at[1]
    span = Span(file, row + 1, column + 1, row + 1, column + 2)
    notes: tuple[tuple[str, Span], ...] = ()
    if problem.began and problem.began[0] != row and answer.change is None:
        began, col = problem.began
        notes = (("it belongs to what begins", Span(file, began + 1, col + 1, began + 1, col + 2)),)
    fix = (Edit(answer.change.span(file), answer.change.text),) if answer.change else ()
    report.add("RF108", answer.message, span, answer.help, notes, fix)


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
    if "\t" in p.line[: p.at[1] + 1] and not p.before.strip():
        return Answer("a tab cannot be used to indent", p.at, "indent with spaces", aligned(p.lines, p.at[0]))
    for words, explanations in _ANSWERS:
        if words in p.said:
            return next(answer for explain in explanations if (answer := explain(p)))
    return Answer(f"this is not YAML: {p.said}", p.at, None)


# --- signs and quotation marks ---


def _sign(p: Said) -> Answer:
    change = None if is_flow(p.before) else quoted(p.lines, p.at)
    return Answer(f"a plain text cannot begin with `{p.sign}`", p.at, "put the text in quotes", change)


def _reference(p: Said) -> Answer:
    at = p.began or p.at
    change = None if is_flow(p.line_at(at[0])[: at[1]]) else quoted(p.lines, at)
    return Answer("a plain text cannot begin with `&` or `*`", at, "put the text in quotes", change)


def _escape(p: Said) -> Answer:
    return Answer("unknown escape in double quotes", p.at, "use single quotes for a text with backslashes")


def _unclosed(p: Said) -> Answer | None:
    """Nothing follows any more, and a bracket is still open."""
    if "".join((p.line[p.at[1] :], *p.lines[p.at[0] + 1 :])).strip():
        return None
    for row in range(p.at[0], -1, -1):
        text = _BRACKETED.sub(_blank, p.line_at(row))
        column = max(text.rfind("["), text.rfind("{"))
        if column >= 0:
            return _not_closed(p, (row, column))
        if _KEY_AND_VALUE.match(text):
            return None
    return None


_BRACKETED = re.compile(r"""\[[^\[\]{}]*\]|\{[^\[\]{}]*\}|"[^"]*"|'[^']*'""")


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _content(p: Said) -> Answer:
    return Answer(f"`{p.sign}` is not expected here", p.at, "put the text in quotes if it is one")


_OPENS = re.compile(r"""(?:^|[:\[{,-]\s+)(?P<sign>["'])""")


def _quote(p: Said) -> Answer:
    row, column = at = p.began or p.at
    sign, end = p.line_at(row)[column : column + 1], end_of(p.line_at(row))
    help = "close it on the same line"
    change = inserted(row, end, sign) if sign and sign in "\"'" else None
    return Answer("the quotation mark opened here is never closed", at, help, change)


def _open_quote(p: Said) -> Answer | None:
    """A quotation mark that was opened above and is not closed on its line: the text swallowed what follows."""
    for row in range(p.at[0], (p.began or (0, 0))[0] - 1, -1):
        line = p.line_at(row)
        for opened in _OPENS.finditer(line):
            place, sign = opened.start("sign"), opened["sign"]
            if sign not in line[place + 1 :]:
                message = "the quotation mark opened here is not closed on its line"
                return Answer(message, (row, place), "close it", inserted(row, end_of(line), sign))
    return None


_VALUE = re.compile(r"""^\s*(?:- )*(?:[\w.]+:\s+)?(?P<value>["'\[{])""")


def _after_the_end(p: Said) -> Answer | None:
    """A value that begins with a quotation mark or a bracket ends with it; here more follows on the line."""
    found = _VALUE.match(p.line)
    if not p.before.strip() or found is None or found.start("value") >= p.at[1]:
        return None
    opened, place = found["value"], (p.at[0], found.start("value"))
    rest = p.line[p.at[1] : end_of(p.line)]
    if opened in "[{" and rest and not rest.strip("]} "):
        change = Change(p.at[0], p.at[1], p.at[1] + len(rest), "")
        return Answer(f"`{rest}` closes a bracket that was never opened", p.at, "take it away", change)
    if opened in "\"'":
        message = f"the text ends at the second `{opened}`, and more follows"
        help = (
            "put it in double quotes" if opened == "'" else f"put it in single quotes, or write `\\{opened}`"
        )
        last = p.line[: end_of(p.line)]
        inner = last[place[1] + 1 : -1] if last.endswith(opened) else last[place[1] + 1 :]
        return Answer(message, p.at, help, quoted(p.lines, place, inner))
    message = f"YAML reads what begins with `{opened}` as a list or mapping, and more follows"
    return Answer(message, place, "put the text in quotes", quoted(p.lines, place))


# --- colons ---


_KEY = re.compile(r"\s*(?:- )*(?P<key>[\w.]+)\Z")
_ONLY_KEY = re.compile(r"\s*(?:- )*(?P<key>[\w.]+):\s*\Z")
_KEY_AND_VALUE = re.compile(r"\s*(?:- )*[\w.\"\[\]]+:(\s|\Z)")


_CALLED = re.compile(r"\s+(?P<name>\w+)(?P<takes>\((?P<inside>[^()]*)\):)\s*(?P<value>\S.*)?\Z")


def _called(p: Said) -> Answer | None:
    """A definition that is written as it is called, or as other languages declare it."""
    found = _CALLED.match(p.line)
    if found is None or not found.start("takes") < p.at[1] < found.end("takes"):
        return None
    name, takes = found["name"], f"takes: {{{found['inside']}}}"
    message = f"what `{name}` takes stands below its name, not behind it"
    below = f":\n{' ' * (indent_of(p.line) + INDENT)}{takes}"
    change = None if found["value"] else Change(p.at[0], *found.span("takes"), below)
    place = (p.at[0], found.start("name"))
    return Answer(message, place, f"write `{name}:` and below it `{takes}`", change)


def _no_bar(p: Said) -> Answer | None:
    """A text of several lines under a key that lacks its `|`; the first colon in it is one too many."""
    row = p.at[0] - 1
    while row >= 0 and (not p.line_at(row).strip() or indent_of(p.line_at(row)) >= indent_of(p.line)):
        if _KEY_AND_VALUE.match(p.line_at(row)):
            return None
        row -= 1
    opened, own = _ONLY_KEY.match(p.line_at(row)), _KEY_AND_VALUE.match(p.line)
    if row < 0 or opened is None or _KEY.match(p.before):
        return None
    if own is not None and own.end() <= p.at[1] and not own[0].lstrip().startswith("else:"):
        return None  # a key of its own, whose value has the colon
    end = opened.end("key") + 1
    message = f"a text of several lines needs a `|` after `{opened['key']}:`"
    help = f"write `{opened['key']}: |`"
    return Answer(message, (row, opened.start("key")), help, inserted(row, end, " |"))


def _too_deep(p: Said) -> Answer | None:
    """A key that is indented deeper than the one above, which has a value already."""
    found, above = _KEY.match(p.before), filled_above(p.lines, p.at[0])
    if found is None or above is None or _KEY_AND_VALUE.match(p.lines[above]) is None:
        return None
    depth = indent_of(p.lines[above])
    if indent_of(p.line) <= depth:
        return None
    if is_item_below(p.lines, p.at[0], depth):
        return _lost_dash(p, above, inserted(above, depth, "- "))
    message = f"`{found['key']}` is indented deeper than the line above, which has its value already"
    place = (p.at[0], found.start("key"))
    return Answer(message, place, "align it with the line above", aligned(p.lines, p.at[0]))


def _bare_key_above(p: Said) -> Answer | None:
    """A key without its colon, above what it was to hold: YAML takes both lines for one text."""
    above = filled_above(p.lines, p.at[0])
    word = _WORD.match(p.lines[above]) if above is not None and _KEY.match(p.before) else None
    if word is None or above is None or indent_of(p.lines[above]) >= indent_of(p.line):
        return None
    return _colon_missing(above, word)


_ROUND = re.compile(r"\s*(?:- )*[\w.]+:\s+(?P<open>\()(?P<inside>\w+:\s[^()]*)\)\s*\Z")


def _round_brackets(p: Said) -> Answer | None:
    """A mapping in the brackets of another language."""
    found = _ROUND.match(p.line)
    if found is None:
        return None
    right, place = f"{{{found['inside']}}}", (p.at[0], found.start("open"))
    change = Change(p.at[0], found.start("open"), end_of(p.line), right)
    return Answer("names with their values stand in braces", place, f"write `{right}`", change)


def _colon(p: Said) -> Answer:
    start = re.match(r"\s*(?:- )*[\w.]+:\s+", p.line)
    free = start is not None and start.end() <= p.at[1] and not is_flow(p.before)
    change = quoted(p.lines, (p.at[0], start.end())) if free and start else None
    return Answer("a plain text cannot contain `: `", p.at, QUOTE_OR_BLOCK, change)


_GLUED = re.compile(r"\s*(?:- )*(?P<key>\w+):(?=\S)")
_WORD = re.compile(r"\s*(?P<word>[a-z_]+)\s*\Z")


def _no_space(p: Said) -> Answer | None:
    row = (p.began or p.at)[0]
    found = _GLUED.match(p.line_at(row))
    if found is None:
        return None
    place = (row, found.end() - 1)
    message = f"a space is missing after `{found['key']}:`"
    return Answer(message, place, "YAML wants one after the colon of a key", inserted(row, found.end(), " "))


def _too_shallow(p: Said) -> Answer | None:
    """A line that was meant to belong to the text under the `|` above it."""
    row = (p.began or p.at)[0]
    above = filled_above(p.lines, row)
    if above is None or indent_of(p.lines[above]) <= indent_of(p.line_at(row)):
        return None
    opener = above
    while opener > 0 and indent_of(p.lines[opener]) >= indent_of(p.lines[above]):
        opener -= 1
    if not p.lines[opener].rstrip().endswith(("|", ">")):
        return None
    message = "this line is indented less than the text above, and is no `key: value`"
    place = (row, indent_of(p.line_at(row)))
    return Answer(message, place, "indent it as the line above", aligned(p.lines, row))


def _bare_key(p: Said) -> Answer | None:
    row = (p.began or p.at)[0]
    word = _WORD.match(p.line_at(row))
    if word is None or not opens_more(p.lines, row):
        return None
    return _colon_missing(row, word)


def _colon_missing(row: int, word: re.Match[str]) -> Answer:
    message, place = f"a colon is missing after `{word['word']}`", (row, word.start("word"))
    return Answer(message, place, f"write `{word['word']}:`", inserted(row, word.end("word"), ":"))


def _no_colon(p: Said) -> Answer:
    row, column = p.began or p.at
    help = "write `key: value` with a space after the colon, or indent it as part of the text above"
    return Answer("this line is neither `key: value` nor a list item", (row, column), help)


# --- lists and indentation ---


def _brace(p: Said) -> Answer:
    if p.sign in ("[", "{"):
        message = f"`{p.sign}` cannot stand inside a plain text in braces or brackets"
        return Answer(
            message, p.at, "put the text in quotes, or write one `key: value` a line without braces"
        )
    if p.began and p.began[0] != p.at[0]:
        return _not_closed(p, p.began)
    return Answer("a comma or a closing bracket is missing here", p.at, QUOTE_OR_BLOCK)


def _not_closed(p: Said, at: tuple[int, int]) -> Answer:
    row, column = at
    opened = p.lines[row][column : column + 1]
    help = "close it, or write one item a line"
    end = end_of(p.lines[row])
    change = inserted(row, end, {"[": "]", "{": "}"}.get(opened, "")) if _is_last(p, row) else None
    return Answer(f"the `{opened}` opened here is not closed", at, help, change)


def _is_last(p: Said, row: int) -> bool:
    """Does the line after this one begin something else, so that the bracket was meant to be closed on it?"""
    below = next((r for r in range(row + 1, len(p.lines)) if p.lines[r].strip()), None)
    return below is None or indent_of(p.lines[below]) <= indent_of(p.lines[row])


def _item_among_keys(p: Said) -> Answer | None:
    """A list whose first item has no dash, and so is read as something else."""
    if not p.line.lstrip().startswith("- ") or p.before.strip():
        return None
    depth, first = indent_of(p.line), None
    row = filled_above(p.lines, p.at[0])
    while row is not None and indent_of(p.lines[row]) > depth:
        first, row = row, filled_above(p.lines, row)
    if first is not None and indent_of(p.lines[first]) == depth + 2:
        return _lost_dash(p, first, Change(first, depth, depth + 2, "- "))
    message = "a list item cannot stand among `key: value` lines"
    return Answer(message, p.at, "begin every item of the list with `- `, the first one too")


def _lost_dash(p: Said, row: int, change: Change) -> Answer:
    message = "this is the first item of a list, and has no `- `"
    return Answer(message, (row, indent_of(p.lines[row])), "begin every item of the list with `- `", change)


def _indent(p: Said) -> Answer:
    message = "this line does not fit the indentation around it"
    help = "keys of one mapping begin in the same column; texts under `|` are indented alike"
    change = aligned(p.lines, p.at[0], nearest=True) if not p.before.strip() else None
    return Answer(message, p.at, help, change)


def _item(p: Said) -> Answer:
    return Answer("a list item cannot begin here", p.at, "begin the list on the next line, or write `[a, b]`")


_ANSWERS: tuple[tuple[str, tuple[Explain, ...]], ...] = (
    ("cannot start any token", (_sign,)),
    (
        "mapping values are not allowed",
        (_called, _round_brackets, _too_deep, _bare_key_above, _no_bar, _colon),
    ),
    ("expected ',' or", (_brace,)),
    ("unexpected end of stream", (_quote,)),
    ("did not find expected key", (_open_quote, _after_the_end, _item_among_keys, _indent)),
    ("did not find expected '-' indicator", (_open_quote, _after_the_end, _indent)),
    ("expected <block end>", (_open_quote, _after_the_end, _item_among_keys, _indent)),
    ("could not find expected ':'", (_no_space, _bare_key, _too_shallow, _no_colon)),
    ("sequence entries are not allowed", (_item,)),
    ("unknown escape", (_escape,)),
    ("node content", (_unclosed, _content)),
    ("expected alphabetic or numeric character", (_reference,)),
)

"""An error of the YAML parser -> the one complaint about its place."""

from __future__ import annotations

import yaml

from ruleforge.lang.source.repairs import Change, aligned
from ruleforge.lang.source.yaml_problems.answer import Answer, Explain, ParserMessage
from ruleforge.lang.source.yaml_problems.brackets import brace, round_brackets, unclosed
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
from ruleforge.lang.source.yaml_problems.quotes import (
    after_the_end,
    content,
    escape,
    open_quote,
    quote,
    reference,
    sign,
)
from ruleforge.support.diagnostics import Edit, Report, Span

# Words of the parser -> who may know what was done; the last of them always does.
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


def report_problem(error: yaml.YAMLError, file: str, lines: list[str], report: Report) -> Change | None:
    """Adds the one complaint about a place that is not YAML; what breaks because of it is not told again.

    The edit that mends it is given back, if there is one.
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
        if words in p.said:
            return next(answer for explain in explanations if (answer := explain(p)))
    return Answer(f"this is not YAML: {p.said}", p.at, None)

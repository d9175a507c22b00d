"""Values of another type than is wanted -> complaints, and what to write where that is sure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ruleforge.lang.schema.messages.finding import Finding, type_of
from ruleforge.lang.schema.messages.keys import looks_cut
from ruleforge.lang.source.tree import MappingNode, ScalarNode, SequenceNode, SourceNode
from ruleforge.support.diagnostics import Edit, Fix, Report, Span
from ruleforge.support.spelling import as_number, nearest, number_in_words

_CALLED = {
    "object": "a mapping of keys to values",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "nothing",
}


def wrong_type(finding: Finding, report: Report) -> None:
    node, wanted = finding.node, finding.wanted_types
    if (meant := nearest(finding.last, finding.beside)) is not None:
        span, message = finding.key or node.span, f"unknown key `{finding.last}`"
        report.add("RF201", message, span, f"did you mean `{meant}`?", fix=(Edit(span, meant),))
        return
    if not wanted or type_of(node) in wanted:
        other(finding, report)
    elif isinstance(node, ScalarNode) and node.kind == "null":
        advice = f"write {_either(wanted)}, or delete it"
        report.add("RF207", f"no value is given for {finding.subject}", node.span, advice)
    else:
        message = f"{finding.subject} must be {_either(wanted)}, not {_CALLED[type_of(node)]}"
        help, fix = _type_help(node, wanted, finding.schema.get("minItems", 1))
        if help is None and isinstance(node, ScalarNode) and "object" in wanted:
            help, fix = _under_its_key(node, finding.schema)
        report.add("RF202", message, finding.place, help or finding.about, fix=fix)


def _under_its_key(node: ScalarNode, schema: dict[str, Any]) -> tuple[str | None, Fix]:
    """Where a mapping must have one key and nothing else, one value is what is under it."""
    required = schema.get("required", ())
    if len(required) != 1 or node.style != "plain" or node.span.line != node.span.end_line:
        return None, ()
    right = f"{{{required[0]}: {node.text}}}"
    return f"write `{right}`", (Edit(node.span, right),)


def _either(types: Iterable[str]) -> str:
    names = list(dict.fromkeys(_CALLED[name] for name in types if name != "null"))
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _type_help(node: SourceNode, wanted: tuple[str, ...], least: int) -> tuple[str | None, Fix]:
    """What to do, and as an edit if it is sure; `least` items are in a list."""
    if isinstance(node, ScalarNode):
        return scalar_help(node, wanted, least)
    if isinstance(node, SequenceNode) and "object" in wanted and not node.flow:
        return _without_dashes(node)
    if isinstance(node, SequenceNode) and "string" in wanted and not node.flow:
        return "leave out the dashes; write `|` after the key, and the text of several lines below it", ()
    if isinstance(node, MappingNode) and "string" in wanted:
        if node.flow and all(looks_cut(entry) for entry in node):
            return "YAML reads braces as a mapping: put the whole text in quotes", _in_quotes(node.span)
        return "a text that contains `: ` must be in quotes, or under `|` on lines of its own", ()
    return None, ()


def _without_dashes(node: SequenceNode) -> tuple[str | None, Fix]:
    """Items of a list that each have a name of their own."""
    items = [
        item.entries[0] for item in node.items if isinstance(item, MappingNode) and len(item.entries) == 1
    ]
    whole = len({entry.name for entry in items if type_of(entry.value) != "null"}) == len(node.items)
    if not whole:
        return None, ()
    dashes = (item.span._replace(column=item.span.column - 2, end_line=item.span.line) for item in node.items)
    fix = tuple(Edit(dash._replace(end_column=dash.column + 2), "  ") for dash in dashes)
    return "leave out the dashes: each has a name", fix


def scalar_help(node: ScalarNode, wanted: tuple[str, ...], least: int = 1) -> tuple[str | None, Fix]:
    word = node.text
    if node.kind in ("int", "bool") and wanted == ("string",):
        return f'put it in quotes: `"{word}"`', (Edit(node.span, f'"{word}"'),)
    if node.style == "quoted" and "integer" in wanted and as_number(word) is not None:
        return "write the number without quotes", (Edit(node.span, word),)
    if node.style == "quoted" and "boolean" in wanted and word in ("true", "false"):
        return f"write `{word}` without quotes", (Edit(node.span, word),)
    number = number_in_words(word)
    if "integer" in wanted and number is not None:
        return f"write `{number}`", (Edit(node.span, str(number)),)
    if "array" in wanted and node.style == "plain" and node.span.line == node.span.end_line:
        items = word.strip("()[]{} ")  # one of them may be there, or the brackets of another language
        if least > 1 and node.kind == "int":
            items = ", ".join([items] * least)  # the smallest and the greatest are the same
        return f"write `[{items}]`", (Edit(node.span, f"[{items}]"),)
    return None, ()


def _in_quotes(span: Span) -> Fix:
    start = Span(span.file, span.line, span.column, span.line, span.column)
    end = Span(span.file, span.end_line, span.end_column, span.end_line, span.end_column)
    return (Edit(start, '"'), Edit(end, '"')) if span.line == span.end_line else ()


# Lists and mappings with too few or too many entries, or of another shape -> complaints.


def empty(finding: Finding, report: Report) -> None:
    if isinstance(finding.node, MappingNode) and not finding.node.flow:
        return  # its only keys were refused when the file was read
    if finding.value and finding.expected > 1:
        message = f"{finding.subject} has fewer than {finding.expected} entries"
        report.add("RF208", message, finding.place, finding.about)
        return
    report.add("RF207", f"{finding.subject} is empty", finding.place, "give at least one, or delete it")


def too_many(finding: Finding, report: Report) -> None:
    many = "one entry" if finding.expected == 1 else f"{finding.expected} entries"
    message = f"{finding.subject} has more than {many}"
    help = "begin each with its own `- `" if finding.keyword == "maxProperties" else finding.about
    report.add("RF208", message, finding.place, help)


def other(finding: Finding, report: Report) -> None:
    message = f"{finding.subject} does not have the right shape"
    report.add("RF208", message, finding.place, finding.about)

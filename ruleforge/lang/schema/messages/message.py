"""Writes the message of a finding, by the violated keyword of the schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ruleforge.lang.schema.messages.finding import Finding, type_of
from ruleforge.lang.schema.messages.keys import bad_key, looks_cut, missing_keys, name_help, unknown_keys
from ruleforge.lang.source.tree import MappingNode, ScalarNode, SequenceNode, SourceNode
from ruleforge.lang.source.yaml_words import surprise_in
from ruleforge.support.diagnostics import Edit, Fix, Report, Span
from ruleforge.support.spelling import as_number, listed, nearest, number_in_words, proper

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


# Diagnostics for lists and mappings with too few or too many entries, or of another shape.


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


def not_possible(finding: Finding, report: Report) -> None:
    values = [str(value) for value in finding.expected]
    word = str(finding.value)
    message = f"{finding.subject} cannot be `{word}`"
    meant = nearest(word, values)
    help = f"did you mean `{meant}`?" if meant else f"possible: {listed(values)}"
    if isinstance(finding.node, ScalarNode) and finding.node.kind == "null":
        report.add("RF207", f"no value is given for {finding.subject}", finding.node.span, help)
        return
    fix = (Edit(finding.place, meant),) if meant else ()
    report.add("RF204", message, finding.place, help, fix=fix)


def bad_pattern(finding: Finding, report: Report) -> None:
    word, place = str(finding.value), finding.place
    if "array" in finding.wanted_types and "," in word and isinstance(finding.node, ScalarNode):
        help, fix = scalar_help(finding.node, ("array",))
        report.add("RF205", f"`{word}` is not one name", place, help, fix=fix)
        return
    right = next((form for form in _forms(word) if _would_do(form, finding)), None)
    fix = (Edit(finding.node.span, right),) if right else ()
    if finding.expected == _ID_PATTERN:
        report.add("RF205", f"`{word}` is not a valid name", place, name_help(right or ""), fix=fix)
        return
    help = " ".join(part for part in (f"write `{right}`:" if right else "", finding.about) if part)
    report.add("RF205", f"{finding.subject} cannot be `{word}`", place, help or None, fix=fix)


def out_of_bounds(finding: Finding, report: Report) -> None:
    bound = "at least" if finding.keyword == "minimum" else "at most"
    message = f"{finding.subject} is {finding.value}, but must be {bound} {finding.expected}"
    report.add("RF206", message, finding.place)


_REPORTERS: dict[str, Callable[[Finding, Report], None]] = {
    "additionalProperties": unknown_keys,
    "required": missing_keys,
    "type": wrong_type,
    "anyOf": wrong_type,
    "enum": not_possible,
    "pattern": bad_pattern,
    "minimum": out_of_bounds,
    "maximum": out_of_bounds,
    "minItems": empty,
    "minProperties": empty,
    "minLength": empty,
    "maxProperties": too_many,
    "maxItems": too_many,
}
_ID_PATTERN = "^[a-z][a-z0-9_]*$"


def report_finding(finding: Finding, report: Report) -> None:
    """Adds the diagnostic; where reading the file reported already, what is wanted here says what was meant."""
    if finding.doubtful:
        _say_what_was_meant(finding, report)
        return
    if finding.is_key:
        bad_key(finding, report)
        return
    _REPORTERS.get(finding.keyword, other)(finding, report)


def _say_what_was_meant(finding: Finding, report: Report) -> None:
    node = finding.node
    assert isinstance(node, ScalarNode)
    surprise, meant = surprise_in(node.text, as_key=False), finding.meant
    if surprise is not None and surprise.instead is not None and meant is not None:
        help, fix = f"write `{meant}`", (Edit(node.span, meant),)
        report.add(surprise.code, surprise.message, node.span, help, fix=fix)


# Diagnostics for values of the right type that are impossible: not in a list, of another form, too large.


def _would_do(form: str, finding: Finding) -> bool:
    return bool(re.search(finding.expected, form)) or ("integer" in finding.wanted_types and form.isdigit())


def _forms(word: str) -> Iterator[str]:
    """The possible intended values of a text of the wrong form."""
    number = number_in_words(word)
    if number is not None:
        yield str(number)
    yield re.sub(r"\s*(-|–|to|\.{3,})\s*", "..", word)
    yield re.sub(r"^(the|each|every|an?|per)\s+", "", word)  # words that English wants before a name
    yield proper(word)
    yield proper(word).replace("_", "-")


# Diagnostics for values of another type, with the fix where it is sure.


def _under_its_key(node: ScalarNode, schema: dict[str, Any]) -> tuple[str | None, Fix]:
    """The fix for a plain value in place of a mapping with one required key."""
    required = schema.get("required", ())
    if len(required) != 1 or node.style != "plain" or node.span.line != node.span.end_line:
        return None, ()
    right = f"{{{required[0]}: {node.text}}}"
    return f"write `{right}`", (Edit(node.span, right),)


def _either(types: Iterable[str]) -> str:
    names = list(dict.fromkeys(_CALLED[name] for name in types if name != "null"))
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _type_help(node: SourceNode, wanted: tuple[str, ...], least: int) -> tuple[str | None, Fix]:
    """The advice, with an edit if it is sure; a list has at least `least` items."""
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
        named = all(isinstance(item, MappingNode) for item in node.items)
        return "leave out the dashes, and indent what belongs to a name below it" if named else None, ()
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


def other(finding: Finding, report: Report) -> None:
    message = f"{finding.subject} does not have the right shape"
    report.add("RF208", message, finding.place, finding.about)

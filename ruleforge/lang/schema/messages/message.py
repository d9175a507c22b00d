"""A finding -> the complaint about it, by the keyword of the schema that is not kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ruleforge.lang.schema.messages.finding import Finding
from ruleforge.lang.schema.messages.keys import bad_key, missing_keys, name_help, unknown_keys
from ruleforge.lang.schema.messages.types import empty, other, scalar_help, too_many, wrong_type
from ruleforge.lang.source.tree import ScalarNode
from ruleforge.lang.source.yaml_words import surprise_in
from ruleforge.support.diagnostics import Edit, Report
from ruleforge.support.spelling import listed, nearest, number_in_words, proper


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


_COMPLAINTS: dict[str, Callable[[Finding, Report], None]] = {
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


def complain(finding: Finding, report: Report) -> None:
    """Adds the complaint; where reading the file complained already, what is wanted here says what was meant."""
    if finding.doubtful:
        _say_what_was_meant(finding, report)
        return
    if finding.is_key:
        bad_key(finding, report)
        return
    _COMPLAINTS.get(finding.keyword, other)(finding, report)


def _say_what_was_meant(finding: Finding, report: Report) -> None:
    node = finding.node
    assert isinstance(node, ScalarNode)
    surprise, meant = surprise_in(node.text, as_key=False), finding.meant
    if surprise is not None and surprise.instead is not None and meant is not None:
        help, fix = f"write `{meant}`", (Edit(node.span, meant),)
        report.add(surprise.code, surprise.message, node.span, help, fix=fix)


# Values of the right type that are not possible: none of a list, of another form, too large -> complaints.


def _would_do(form: str, finding: Finding) -> bool:
    return bool(re.search(finding.expected, form)) or ("integer" in finding.wanted_types and form.isdigit())


def _forms(word: str) -> Iterator[str]:
    """What a text of the wrong form may have been meant to be."""
    number = number_in_words(word)
    if number is not None:
        yield str(number)
    yield re.sub(r"\s*(-|–|to|\.{3,})\s*", "..", word)
    yield re.sub(r"^(the|each|every|an?|per)\s+", "", word)  # words that English wants before a name
    yield proper(word)
    yield proper(word).replace("_", "-")

"""A finding -> the complaint about it, by the keyword of the schema that is not kept."""

from __future__ import annotations

from collections.abc import Callable

from ruleforge.lang.schema.messages.finding import Finding
from ruleforge.lang.schema.messages.keys import bad_key, missing_keys, unknown_keys
from ruleforge.lang.schema.messages.sizes import empty, other, too_many
from ruleforge.lang.schema.messages.types import wrong_type
from ruleforge.lang.schema.messages.values import bad_pattern, not_possible, out_of_bounds
from ruleforge.lang.source.tree import ScalarNode
from ruleforge.lang.source.yaml_words import surprise_in
from ruleforge.support.diagnostics import Edit, Report

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

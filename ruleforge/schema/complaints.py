"""One finding of jsonschema -> one complaint in an author's words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ruleforge.diagnostics import Edit, Report, Span
from ruleforge.names import did_you_mean, listed, nearest
from ruleforge.source.tree import Entry, MappingNode, ScalarNode, SequenceNode, SourceNode

if TYPE_CHECKING:  # dear to import, and rarely wanted
    from jsonschema.exceptions import ValidationError

_MANY = 12
_ID_PATTERN = "^[a-z][a-z0-9_]*$"
_CALLED = {
    "object": "a mapping of keys to values",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "nothing",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A schema keyword that a value does not keep, the author's value, and the path that leads there."""

    keyword: str
    expected: Any
    schema: dict[str, Any]
    value: Any
    node: SourceNode
    path: tuple[str | int, ...]
    is_key: bool
    wanted_types: tuple[str, ...]

    @classmethod
    def of(cls, error: ValidationError, node: SourceNode, path: tuple[str | int, ...]) -> Finding:
        schema = dict(error.schema) if isinstance(error.schema, Mapping) else {}
        outer = error.parent.schema if error.parent is not None else {}
        if isinstance(outer, Mapping) and "anyOf" in outer:  # what all alternatives are stands there
            schema = {"description": outer.get("description"), **schema}
        return cls(
            str(error.validator),
            error.validator_value,
            schema,
            error.instance,
            node,
            path,
            "propertyNames" in error.absolute_schema_path,
            tuple(_wanted_types(error, schema)),
        )

    @property
    def about(self) -> str | None:
        """What the schema says the value is, as part of a sentence."""
        return _lowered(self.schema.get("description"))

    @property
    def subject(self) -> str:
        """How to speak of the value: by its key, or as an item of a list."""
        names = [step for step in self.path if isinstance(step, str)]
        if not names:
            return "the file"
        if isinstance(self.path[-1], int):
            return f"item {self.path[-1] + 1} of `{names[-1]}`"
        return f"`{names[-1]}`"


def complain(finding: Finding, report: Report) -> None:
    """Adds the complaint, unless reading the file already complained about the same value."""
    if isinstance(finding.node, ScalarNode) and finding.node.doubtful is not None:
        return
    if finding.is_key:
        _bad_key(finding, report)
        return
    _COMPLAINTS.get(finding.keyword, _other)(finding, report)


def _unknown_keys(finding: Finding, report: Report) -> None:
    mapping, known = finding.node, _known_keys(finding)
    if not isinstance(mapping, MappingNode):
        return
    for entry in mapping:
        if entry.name not in known and entry.key.doubtful is None:
            message = f"unknown key `{entry.name}`{_inside(finding)}"
            help = _key_help(entry, mapping, known)
            meant = None if mapping.flow and _looks_cut(entry) else nearest(entry.name, known)
            fix = (Edit(entry.key.span, meant),) if meant else ()
            report.add("RF201", message, entry.key.span, help, fix=fix)


def _known_keys(finding: Finding) -> list[str]:
    return list(finding.schema.get("properties", {}))


def _inside(finding: Finding) -> str:
    return f" in {finding.subject}" if finding.path else ""


def _key_help(entry: Entry, mapping: MappingNode, known: list[str]) -> str | None:
    if mapping.flow and _looks_cut(entry):
        return (
            "YAML cuts texts in braces at commas: put the text in quotes, "
            "or write one `key: value` a line without braces"
        )
    if found := did_you_mean(entry.name, known):
        return found
    return f"possible here: {listed(sorted(known))}" if len(known) <= _MANY else None


def _looks_cut(entry: Entry) -> bool:
    is_empty = isinstance(entry.value, ScalarNode) and entry.value.kind == "null" and not entry.value.text
    return is_empty or not re.fullmatch(r"\w+", entry.name)


def _bad_key(finding: Finding, report: Report) -> None:
    mapping, name = finding.node, str(finding.value)
    entry = mapping.entry(name) if isinstance(mapping, MappingNode) else None
    if entry is None or not isinstance(mapping, MappingNode) or entry.key.doubtful is not None:
        return
    help = _key_help(entry, mapping, []) if mapping.flow and _looks_cut(entry) else _name_help(name)
    report.add("RF205", f"`{name}` is not a proper name", entry.key.span, help)


def _name_help(name: str) -> str:
    proper = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    advice = "a name is lower case letters, digits and underscores, and begins with a letter"
    return f"{advice}: `{proper}`" if re.match(r"[a-z]", proper) else advice


def _missing(finding: Finding, report: Report) -> None:
    """A misspelt key was complained about as unknown already; it is not missing as well."""
    known = _known_keys(finding)
    strays = [key for key in finding.value if key not in known]
    for name in finding.expected:
        if name in finding.value or nearest(name, strays):
            continue
        about = _lowered(finding.schema.get("properties", {}).get(name, {}).get("description"))
        report.add(
            "RF203",
            f"{finding.subject} lacks the key `{name}`",
            _head(finding.node),
            f"`{name}`: {about}" if about else None,
        )


def _head(node: SourceNode) -> Span:
    """For a long value, its first line is enough to underline."""
    span = node.span
    if isinstance(node, MappingNode) and node.entries and not node.flow:
        return node.entries[0].key.span
    if span.end_line != span.line:
        return Span(span.file, span.line, span.column, span.line, span.column + 1)
    return span


def _wrong_type(finding: Finding, report: Report) -> None:
    node, wanted = finding.node, finding.wanted_types
    if not wanted or _type_of(node) in wanted:
        _other(finding, report)
    elif isinstance(node, ScalarNode) and node.kind == "null":
        help = f"write {_either(wanted)}, or delete it"
        report.add("RF207", f"nothing is given for {finding.subject}", node.span, help)
    else:
        message = f"{finding.subject} must be {_either(wanted)}, not {_CALLED[_type_of(node)]}"
        report.add("RF202", message, _head(node), _type_help(node, wanted))


def _wanted_types(error: ValidationError, schema: dict[str, Any]) -> Iterator[str]:
    """The types a schema asks for, over all its alternatives."""
    if error.validator == "anyOf":
        for inner in error.context or ():
            if inner.validator == "type" and not inner.relative_path and isinstance(inner.schema, Mapping):
                yield from _wanted_types(inner, dict(inner.schema))
    types = schema.get("type", ())
    yield from [types] if isinstance(types, str) else types


def _either(types: Iterable[str]) -> str:
    names = list(dict.fromkeys(_CALLED[name] for name in types if name != "null"))
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _lowered(text: str | None) -> str | None:
    return f"{text[0].lower()}{text[1:]}".removesuffix(".") if text else None


def _type_of(node: SourceNode) -> str:
    if isinstance(node, MappingNode):
        return "object"
    if isinstance(node, SequenceNode):
        return "array"
    return {"int": "integer", "bool": "boolean", "str": "string", "null": "null"}[node.kind]


def _type_help(node: SourceNode, wanted: tuple[str, ...]) -> str | None:
    if isinstance(node, ScalarNode) and node.kind in ("int", "bool") and "string" in wanted:
        return f'put it in quotes: `"{node.text}"`'
    if isinstance(node, ScalarNode) and node.style == "quoted" and "integer" in wanted:
        return "write the number without quotes"
    if isinstance(node, MappingNode) and "string" in wanted:
        return "a text that contains `: ` must be in quotes, or under `|` on lines of its own"
    return None


def _not_possible(finding: Finding, report: Report) -> None:
    values = [str(value) for value in finding.expected]
    word = str(finding.value)
    message = f"{finding.subject} cannot be `{word}`"
    meant = nearest(word, values)
    help = f"did you mean `{meant}`?" if meant else f"possible: {listed(values)}"
    if isinstance(finding.node, ScalarNode) and finding.node.kind == "null":
        report.add("RF207", f"nothing is given for {finding.subject}", finding.node.span, help)
        return
    fix = (Edit(_head(finding.node), meant),) if meant else ()
    report.add("RF204", message, _head(finding.node), help, fix=fix)


def _bad_pattern(finding: Finding, report: Report) -> None:
    word = str(finding.value)
    if finding.expected == _ID_PATTERN:
        report.add("RF205", f"`{word}` is not a proper name", _head(finding.node), _name_help(word))
    else:
        report.add("RF205", f"{finding.subject} cannot be `{word}`", _head(finding.node), finding.about)


def _out_of_bounds(finding: Finding, report: Report) -> None:
    bound = "at least" if finding.keyword == "minimum" else "at most"
    message = f"{finding.subject} is {finding.value}, but must be {bound} {finding.expected}"
    report.add("RF206", message, _head(finding.node))


def _empty(finding: Finding, report: Report) -> None:
    if isinstance(finding.node, MappingNode) and not finding.node.flow:
        return  # its only keys were refused when the file was read
    if finding.value and finding.expected > 1:
        message = f"{finding.subject} has fewer than {finding.expected} entries"
        report.add("RF208", message, _head(finding.node), finding.about)
        return
    report.add("RF207", f"{finding.subject} is empty", _head(finding.node), "give at least one, or delete it")


def _too_many(finding: Finding, report: Report) -> None:
    message = f"{finding.subject} has more than {finding.expected} entries"
    help = "begin each with its own `- `" if finding.keyword == "maxProperties" else finding.about
    report.add("RF208", message, _head(finding.node), help)


def _other(finding: Finding, report: Report) -> None:
    message = f"{finding.subject} does not have the right shape"
    report.add("RF208", message, _head(finding.node), finding.about)


_COMPLAINTS: dict[str, Callable[[Finding, Report], None]] = {
    "additionalProperties": _unknown_keys,
    "required": _missing,
    "type": _wrong_type,
    "anyOf": _wrong_type,
    "enum": _not_possible,
    "pattern": _bad_pattern,
    "minimum": _out_of_bounds,
    "maximum": _out_of_bounds,
    "minItems": _empty,
    "minProperties": _empty,
    "minLength": _empty,
    "maxProperties": _too_many,
    "maxItems": _too_many,
}

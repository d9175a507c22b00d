"""One finding of jsonschema -> one complaint in an author's words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ruleforge.diagnostics import Edit, Fix, Report, Span
from ruleforge.names import as_number, listed, nearest, number_in_words, proper
from ruleforge.quick import dataclass
from ruleforge.source.plain_words import surprise_in
from ruleforge.source.tree import Entry, MappingNode, ScalarNode, SequenceNode, SourceNode

if TYPE_CHECKING:  # dear to import, and rarely wanted
    from jsonschema.exceptions import ValidationError

_MANY = 26
_ID_PATTERN = "^[a-z][a-z0-9_]*$"
# Words that authors use for a key -> the keys that may be meant.
_SYNONYMS = {
    **dict.fromkeys(("description", "desc", "comment", "note"), ("text",)),
    **dict.fromkeys(("name", "label", "caption"), ("title", "id", "scenario")),
    **dict.fromkeys(("effect", "effects", "action", "run", "execute", "body", "code"), ("do", "steps")),
    **dict.fromkeys(("requires", "require", "condition", "if", "only_if", "precondition"), ("needs", "when")),
    **dict.fromkeys(("parameters", "params", "args", "arguments", "with"), ("takes",)),
    **dict.fromkeys(("attributes", "fields", "state", "properties", "stats"), ("has", "facts")),
    **dict.fromkeys(("value", "formula", "returns", "equals"), ("is", "value")),
    **dict.fromkeys(("expects", "expected", "assert", "then"), ("expect",)),
    **dict.fromkeys(("phase", "phases", "when_in"), ("during", "flow", "steps")),
    **dict.fromkeys(("cards", "items", "members", "pieces", "instances"), ("things",)),
    **dict.fromkeys(("components", "entities", "classes", "pieces"), ("kinds",)),
    **dict.fromkeys(("zones", "zone", "locations"), ("places",)),
    **dict.fromkeys(("visible", "visibility", "hidden"), ("sees",)),
    **dict.fromkeys(("turns", "rounds", "phases"), ("flow",)),
    **dict.fromkeys(("functions", "calculations"), ("formulas",)),
    **dict.fromkeys(("variables", "constants", "parameters"), ("numbers",)),
    **dict.fromkeys(("target", "targets", "choice", "choices", "select"), ("choose",)),
    **dict.fromkeys(("trigger", "on", "triggers"), ("after",)),
    **dict.fromkeys(("clauses", "refs", "cite"), ("cites",)),
    **dict.fromkeys(("initial", "start", "begins"), ("starts", "default", "setup")),
    **dict.fromkeys(("capacity", "size", "limit"), ("max", "limit")),
}
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
    beside: tuple[str, ...] = ()  # keys that the schema names where this one is of the author's own
    key: Span | None = None

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
            tuple(_wanted_types(error, schema)) if error.validator != "pattern" else _alternatives(outer),
        )

    @property
    def last(self) -> str:
        """The key of the value."""
        return str(self.path[-1]) if self.path else ""

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

    @property
    def doubtful(self) -> bool:
        """Did reading the file complain about this value? Then everybody goes on with what it most likely means."""
        return not self.is_key and isinstance(self.node, ScalarNode) and self.node.doubtful is not None

    @property
    def meant(self) -> str | None:
        """What a doubtful value means, if that is what is wanted here."""
        word = self.node.doubtful if isinstance(self.node, ScalarNode) else None
        fits = word in ("true", "false") and "boolean" in self.wanted_types
        return word if word and (fits or (word.isdigit() and "integer" in self.wanted_types)) else None


def complain(finding: Finding, report: Report) -> None:
    """Adds the complaint; where reading the file complained already, what is wanted here says what was meant."""
    if finding.doubtful:
        _say_what_was_meant(finding, report)
        return
    if finding.is_key:
        _bad_key(finding, report)
        return
    _COMPLAINTS.get(finding.keyword, _other)(finding, report)


def _say_what_was_meant(finding: Finding, report: Report) -> None:
    node = finding.node
    assert isinstance(node, ScalarNode)
    surprise, meant = surprise_in(node.text, as_key=False), finding.meant
    if surprise is not None and surprise.instead is not None and meant is not None:
        help, fix = f"write `{meant}`", (Edit(node.span, meant),)
        report.add(surprise.code, surprise.message, node.span, help, fix=fix)


def _unknown_keys(finding: Finding, report: Report) -> None:
    mapping, known = finding.node, _known_keys(finding)
    if not isinstance(mapping, MappingNode):
        return
    for entry in mapping:
        if entry.name not in known and entry.key.doubtful is None:
            message = f"unknown key `{entry.name}`{_inside(finding)}"
            meant = None if mapping.flow and _looks_cut(entry) else _meant(finding, entry, mapping)
            help = f"did you mean `{meant}`?" if meant else _key_help(entry, mapping, finding)
            fix = (Edit(entry.key.span, meant),) if meant else ()
            report.add("RF201", message, entry.key.span, help, fix=fix)


def _meant(finding: Finding, entry: Entry, mapping: MappingNode) -> str | None:
    """The key that an author most likely meant: not yet given, alike or of the same meaning, and for such a value."""
    free = [key for key in _known_keys(finding) if mapping.entry(key) is None and _takes(finding, key, entry)]
    synonyms = [key for key in _SYNONYMS.get(entry.name.lower(), ()) if key in free]
    return synonyms[0] if synonyms else nearest(entry.name, free)


def _takes(finding: Finding, key: str, entry: Entry) -> bool:
    """Can a key have a value of this sort? What the schema says elsewhere is not looked up."""
    wanted = finding.schema["properties"][key].get("type")
    given = _type_of(entry.value)
    return wanted is None or given == "null" or given == wanted or given in wanted


def _known_keys(finding: Finding) -> list[str]:
    return list(finding.schema.get("properties", {}))


def _inside(finding: Finding) -> str:
    return f" in {finding.subject}" if finding.path else ""


def _key_help(entry: Entry, mapping: MappingNode, finding: Finding) -> str | None:
    known = [] if finding.is_key else _known_keys(finding)
    if mapping.flow and _looks_cut(entry):
        return (
            "YAML cuts texts in braces at commas: put the text in quotes, "
            "or write one `key: value` a line without braces"
        )
    return f"possible here: {listed(sorted(known))}" if 0 < len(known) <= _MANY else None


def _looks_cut(entry: Entry) -> bool:
    is_empty = isinstance(entry.value, ScalarNode) and entry.value.kind == "null" and not entry.value.text
    return is_empty or not re.fullmatch(r"\w+", entry.name)


def _bad_key(finding: Finding, report: Report) -> None:
    mapping, name = finding.node, str(finding.value)
    entry = mapping.entry(name) if isinstance(mapping, MappingNode) else None
    if entry is None or not isinstance(mapping, MappingNode) or entry.key.doubtful is not None:
        return
    if mapping.flow and _looks_cut(entry):
        report.add(
            "RF205", f"`{name}` is not a proper name", entry.key.span, _key_help(entry, mapping, finding)
        )
        return
    if called := re.fullmatch(r"(\w+)\((.*)\)", name):
        help = f"what it takes stands below its name: write `{called[1]}:` and then `takes: {{name: type}}`"
        report.add("RF205", f"`{name}` is not a proper name", entry.key.span, help)
        return
    right = proper(name)
    fix = (Edit(entry.key.span, right),) if right and mapping.entry(right) is None else ()
    report.add("RF205", f"`{name}` is not a proper name", entry.key.span, _name_help(right), fix=fix)


def _name_help(right: str) -> str:
    advice = "a name is lower case letters, digits and underscores, and begins with a letter"
    return f"{advice}: `{right}`" if right else advice


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
    if (meant := nearest(finding.last, finding.beside)) is not None:
        span, message = finding.key or node.span, f"unknown key `{finding.last}`"
        report.add("RF201", message, span, f"did you mean `{meant}`?", fix=(Edit(span, meant),))
        return
    if not wanted or _type_of(node) in wanted:
        _other(finding, report)
    elif isinstance(node, ScalarNode) and node.kind == "null":
        advice = f"write {_either(wanted)}, or delete it"
        report.add("RF207", f"nothing is given for {finding.subject}", node.span, advice)
    else:
        message = f"{finding.subject} must be {_either(wanted)}, not {_CALLED[_type_of(node)]}"
        help, fix = _type_help(node, wanted)
        if help is None and isinstance(node, ScalarNode) and "object" in wanted:
            help, fix = _under_its_key(node, finding.schema)
        report.add("RF202", message, _head(node), help or finding.about, fix=fix)


def _under_its_key(node: ScalarNode, schema: dict[str, Any]) -> tuple[str | None, Fix]:
    """Where a mapping must have one key and nothing else, one value is what is under it."""
    required = schema.get("required", ())
    if len(required) != 1 or node.style != "plain" or node.span.line != node.span.end_line:
        return None, ()
    right = f"{{{required[0]}: {node.text}}}"
    return f"write `{right}`", (Edit(node.span, right),)


def _wanted_types(error: ValidationError, schema: dict[str, Any]) -> Iterator[str]:
    """The types a schema asks for, over all its alternatives."""
    if error.validator == "anyOf":
        for inner in error.context or ():
            if inner.validator == "type" and not inner.relative_path and isinstance(inner.schema, Mapping):
                yield from _wanted_types(inner, dict(inner.schema))
    types = schema.get("type", ())
    yield from [types] if isinstance(types, str) else types


def _alternatives(outer: Any) -> tuple[str, ...]:
    """The types that would do as well as a text of the right form."""
    options = outer.get("anyOf", ()) if isinstance(outer, Mapping) else ()
    return tuple(option["type"] for option in options if isinstance(option.get("type"), str))


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


def _type_help(node: SourceNode, wanted: tuple[str, ...]) -> tuple[str | None, Fix]:
    """What to do, and as an edit if it is sure."""
    if isinstance(node, ScalarNode):
        return _scalar_help(node, wanted)
    if isinstance(node, SequenceNode) and "object" in wanted and not node.flow:
        return _without_dashes(node)
    if isinstance(node, SequenceNode) and "string" in wanted and not node.flow:
        return "leave out the dashes; a text of several lines stands under `|`, which follows the key", ()
    if isinstance(node, MappingNode) and "string" in wanted:
        if node.flow and all(_looks_cut(entry) for entry in node):
            return "YAML reads braces as a mapping: put the whole text in quotes", _in_quotes(node.span)
        return "a text that contains `: ` must be in quotes, or under `|` on lines of its own", ()
    return None, ()


def _without_dashes(node: SequenceNode) -> tuple[str | None, Fix]:
    """Items of a list that each have a name of their own."""
    items = [
        item.entries[0] for item in node.items if isinstance(item, MappingNode) and len(item.entries) == 1
    ]
    whole = len({entry.name for entry in items if _type_of(entry.value) != "null"}) == len(node.items)
    if not whole:
        return None, ()
    dashes = (item.span._replace(column=item.span.column - 2, end_line=item.span.line) for item in node.items)
    fix = tuple(Edit(dash._replace(end_column=dash.column + 2), "  ") for dash in dashes)
    return "leave out the dashes: each has a name", fix


def _scalar_help(node: ScalarNode, wanted: tuple[str, ...]) -> tuple[str | None, Fix]:
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
        return f"write `[{items}]`", (Edit(node.span, f"[{items}]"),)
    return None, ()


def _in_quotes(span: Span) -> Fix:
    start = Span(span.file, span.line, span.column, span.line, span.column)
    end = Span(span.file, span.end_line, span.end_column, span.end_line, span.end_column)
    return (Edit(start, '"'), Edit(end, '"')) if span.line == span.end_line else ()


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
    word, place = str(finding.value), _head(finding.node)
    if "array" in finding.wanted_types and "," in word and isinstance(finding.node, ScalarNode):
        help, fix = _scalar_help(finding.node, ("array",))
        report.add("RF205", f"`{word}` is not one name", place, help, fix=fix)
        return
    right = next((form for form in _forms(word) if _would_do(form, finding)), None)
    fix = (Edit(finding.node.span, right),) if right else ()
    if finding.expected == _ID_PATTERN:
        report.add("RF205", f"`{word}` is not a proper name", place, _name_help(right or ""), fix=fix)
        return
    help = " ".join(part for part in (f"write `{right}`:" if right else "", finding.about) if part)
    report.add("RF205", f"{finding.subject} cannot be `{word}`", place, help or None, fix=fix)


def _would_do(form: str, finding: Finding) -> bool:
    return bool(re.search(finding.expected, form)) or ("integer" in finding.wanted_types and form.isdigit())


def _forms(word: str) -> Iterator[str]:
    """What a text of the wrong form may have been meant to be."""
    number = number_in_words(word)
    if number is not None:
        yield str(number)
    yield re.sub(r"\s*(-|–|to|\.{3,})\s*", "..", word)
    yield proper(word)
    yield proper(word).replace("_", "-")


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
    many = "one entry" if finding.expected == 1 else f"{finding.expected} entries"
    message = f"{finding.subject} has more than {many}"
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

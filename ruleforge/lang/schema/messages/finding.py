"""A finding of jsonschema: the keyword, the author's value, and its name in messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ruleforge.lang.source.tree import MappingNode, ScalarNode, SequenceNode, SourceNode
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

if TYPE_CHECKING:  # dear to import, and rarely wanted
    from jsonschema.exceptions import ValidationError


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
    homes: tuple[str, ...] = ()  # sections whose definitions know all keys that are unknown here

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
        """The schema's description of the value, as part of a sentence."""
        return lowered(self.schema.get("description"))

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
        """Whether the reader reported this value. Later stages then continue with its most likely meaning."""
        return not self.is_key and isinstance(self.node, ScalarNode) and self.node.doubtful is not None

    @property
    def meant(self) -> str | None:
        """The meaning of a doubtful value, if its type is wanted here."""
        word = self.node.doubtful if isinstance(self.node, ScalarNode) else None
        fits = word in ("true", "false") and "boolean" in self.wanted_types
        return word if word and (fits or (word.isdigit() and "integer" in self.wanted_types)) else None

    @property
    def place(self) -> Span:
        """The span to underline: for a long value, its first line."""
        node, span = self.node, self.node.span
        if isinstance(node, MappingNode) and node.entries and not node.flow:
            return node.entries[0].key.span
        if span.end_line != span.line:
            return Span(span.file, span.line, span.column, span.line, span.column + 1)
        return span


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


def lowered(text: str | None) -> str | None:
    return f"{text[0].lower()}{text[1:]}".removesuffix(".") if text else None


def type_of(node: SourceNode) -> str:
    if isinstance(node, MappingNode):
        return "object"
    if isinstance(node, SequenceNode):
        return "array"
    return {"int": "integer", "bool": "boolean", "str": "string", "null": "null"}[node.kind]

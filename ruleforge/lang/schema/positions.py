"""The keys and values that the schema allows at a path of keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ruleforge.lang.schema.validate import FileKind, schema_of

_ALTERNATIVES = ("anyOf", "oneOf", "allOf")
ITEM = "-"  # in a path: an item of a list

Schema = Mapping[str, Any]


def keys_at(kind: FileKind, path: Sequence[str]) -> dict[str, str]:
    """The keys that may stand at a path, each with a sentence about it."""
    found: dict[str, str] = {}
    for schema, home in _at(kind, path):
        for name, below in schema.get("properties", {}).items():
            found.setdefault(name, _words(below, home))
    return found


def values_at(kind: FileKind, path: Sequence[str]) -> list[str]:
    """The words that may stand as a value at a path."""
    found: dict[str, None] = {}
    for schema, _ in _at(kind, path):
        words = [schema["const"]] if "const" in schema else schema.get("enum", ())
        found |= {str(word): None for word in words if isinstance(word, str)}
        if schema.get("type") == "boolean":
            found |= {"true": None, "false": None}
    return list(found)


def words_at(kind: FileKind, path: Sequence[str]) -> str:
    """The schema's text about the key at the end of a path."""
    *above, name = path
    return keys_at(kind, above).get(name, "")


def _at(kind: FileKind, path: Sequence[str]) -> list[tuple[Schema, FileKind]]:
    here = list(_open(schema_of(kind), kind))
    for step in path:
        here = [found for schema, home in here for found in _below(schema, home, step)]
    return here


def _below(schema: Schema, home: FileKind, step: str) -> Iterator[tuple[Schema, FileKind]]:
    if step == ITEM:
        yield from _open(schema.get("items"), home)
        return
    named = schema.get("properties", {}).get(step)
    yield from _open(named if named is not None else schema.get("additionalProperties"), home)
    if named is None:
        for below in schema.get("patternProperties", {}).values():
            yield from _open(below, home)


def _open(schema: Any, home: FileKind) -> Iterator[tuple[Schema, FileKind]]:
    """A schema, and those that it refers to or consists of."""
    if not isinstance(schema, Mapping):
        return
    yield schema, home
    if "$ref" in schema:
        yield from _open(*_referred(schema["$ref"], home))
    for word in _ALTERNATIVES:
        for part in schema.get(word, ()):
            yield from _open(part, home)


def _referred(reference: str, home: FileKind) -> tuple[Any, FileKind]:
    file, _, path = reference.partition("#")
    owner: FileKind = (
        "ruleset" if file else home
    )  # the schema of packs speaks of definitions in that of games
    found: Any = schema_of(owner)
    for step in path.strip("/").split("/"):
        found = found.get(step) if isinstance(found, Mapping) else None
    return found, owner


def _words(schema: Any, home: FileKind) -> str:
    """The nearest description: its own, else that of what it refers to."""
    found = (part.get("description") for part, _ in _open(schema, home))
    return next((str(words) for words in found if words), "")

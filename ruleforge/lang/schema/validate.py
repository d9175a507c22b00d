"""Checks the shape of a SourceTree with the JSON Schemas in `schemas/`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from ruleforge.lang.schema.fast_test import Test, quick_test
from ruleforge.lang.schema.messages.finding import Finding
from ruleforge.lang.source import (
    Entry,
    MappingNode,
    ScalarNode,
    SequenceNode,
    SourceFile,
    SourceNode,
    SourceTree,
)
from ruleforge.lang.source.error_nodes import NO_ERROR_NODES, ErrorNodes, joined, start_of
from ruleforge.lang.source.tree import node_at, words_of
from ruleforge.support.diagnostics import Diagnostic, Report, Span
from ruleforge.support.records import dataclass
from ruleforge.support.resources import schema_file
from ruleforge.support.spelling import proper

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

MOST = 300  # diagnostics about the shape of one file
FileKind = Literal["ruleset", "pack", "scenario", "rulebook", "contract", "mutants"]
_WORD = re.compile(r"[a-z]\w*")
_LOSING = ("required", "type", "anyOf")  # after these, what a section declares is not known
_BOARDS = ("grid", "rings", "graph", "track", "edges", "corners")
_ABOUT_KEYS = ("additionalProperties", "required", "minProperties", "maxProperties")


@dataclass(frozen=True, slots=True)
class Shape:
    """The mistakes in the shape of one file, and the error nodes they leave."""

    diagnostics: tuple[Diagnostic, ...]
    error_nodes: ErrorNodes


FINE = Shape((), NO_ERROR_NODES)


@dataclass(frozen=True, slots=True)
class Shaped:
    """The shapes of all files of a game."""

    shapes: Mapping[SourceFile, Shape]

    @property
    def error_nodes(self) -> ErrorNodes:
        return joined(shape.error_nodes for shape in self.shapes.values())


def validate(
    tree: SourceTree, report: Report, before: Shaped | None = None, kind: FileKind = "ruleset"
) -> Shaped:
    """Holds every file of a game or pack against the schema of its kind, unless that was done `before`."""
    known = before.shapes if before else {}
    shapes = {file: known.get(file) or shape_of(file, kind) for file in tree.files}
    for shape in shapes.values():
        report.include(*shape.diagnostics)
    return Shaped(MappingProxyType(shapes))


def validate_file(file: SourceFile, kind: FileKind, report: Report) -> None:
    """Holds one file against the schema of its kind."""
    report.include(*shape_of(file, kind).diagnostics)


def shape_of(file: SourceFile, kind: FileKind) -> Shape:
    if fits(kind)(file.root):
        return FINE
    from ruleforge.lang.schema.errors import errors_of  # a quarter of a second to import
    from ruleforge.lang.schema.messages.message import report_finding  # rarely wanted

    report, error_nodes = Report(), NO_ERROR_NODES
    others = () if kind == "ruleset" else (schema_of("ruleset"),)
    errors = errors_of(file.root.data, schema_of(kind), others)
    findings = [_found(error, file, kind) for error in islice(errors, MOST)]
    misnamed = {(*f.path, str(f.value)) for f in findings if f.is_key}
    for finding in findings:
        if finding.path not in misnamed and not _lacks_what_was_lost(finding, file):
            report_finding(finding, report)
        if finding.meant is None:
            error_nodes |= error_node_of(finding, file)
    if next(errors, None) is not None:
        error_nodes |= ErrorNodes(anything=True)  # the mistakes beyond the limit are unknown
    return Shape(report.diagnostics, error_nodes)


def _found(error: ValidationError, file: SourceFile, kind: FileKind) -> Finding:
    """The finding of an error; for an unknown key it includes the places where the key is allowed."""
    path = tuple(error.absolute_path)
    finding = Finding.of(error, node_at(file.root, path), path)
    if finding.keyword == "additionalProperties" and isinstance(finding.value, dict):
        strays = finding.value.keys() - finding.schema.get("properties", {}).keys()
        finding = replace(finding, homes=homes_of(schema_of(kind), frozenset(map(str, strays))))
    if "additionalProperties" not in error.absolute_schema_path or not path:
        return finding
    keys = keys_along(file.root, path)
    beside = named_beside(schema_of(kind), tuple(error.absolute_schema_path))
    return replace(finding, beside=beside, key=keys[-1].span if keys else None)


def homes_of(schema: dict[str, Any], keys: frozenset[str]) -> tuple[str, ...]:
    """The sections that know all these keys, or whose definitions do."""

    def known(part: Any) -> frozenset[str]:
        while isinstance(part, dict) and "$ref" in part:
            part = schema.get("$defs", {}).get(part["$ref"].removeprefix("#/$defs/"), {})
        if not isinstance(part, dict):
            return frozenset()
        others = (known(option) for option in part.get("anyOf", ()))
        return frozenset(part.get("properties", ())).union(*others)

    def inside(part: Any) -> frozenset[str]:
        whole = part if isinstance(part, dict) else {}
        return known(whole) | known(whole.get("additionalProperties"))

    return tuple(name for name, part in schema.get("properties", {}).items() if keys <= inside(part))


def named_beside(schema: dict[str, Any], path: tuple[str | int, ...]) -> tuple[str, ...]:
    """The keys that a schema names beside the last one on the path, if that one is an `additionalProperties`."""
    node: Any = schema
    found: tuple[str, ...] = ()
    for step in path:
        while isinstance(node, dict) and step not in node and "$ref" in node:
            node = schema["$defs"].get(node["$ref"].removeprefix("#/$defs/"), {})
        if step == "additionalProperties":
            found = tuple(node.get("properties", ()))
        node = dict(enumerate(node)) if isinstance(node, list) else node
        node = node.get(step, {})
    return found


def _lacks_what_was_lost(finding: Finding, file: SourceFile) -> bool:
    """Whether the missing part may be in an error node."""
    if finding.keyword not in ("required", "minProperties", "minItems", "type", "anyOf"):
        return False
    keys = keys_along(file.root, finding.path)
    if not keys and finding.keyword == "required" and isinstance(finding.value, dict):
        return all(name in finding.value or file.error_nodes.may_hold(name) for name in finding.expected)
    return bool(keys) and file.error_nodes.damage(keys[-1].span)


@cache
def fits(kind: FileKind) -> Test:
    # the schema of packs speaks of definitions in the schema of games
    return quick_test(schema_of(kind), () if kind == "ruleset" else (schema_of("ruleset"),))


@cache
def schema_of(kind: FileKind) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(schema_file(kind).read_text("utf-8"))
    return schema


# The error node of one finding about shape: the parts that later stages cannot rely on.


def error_node_of(finding: Finding, file: SourceFile) -> ErrorNodes:
    """Unknown keys and values of the wrong shape hold words; what is around them lacks something."""
    keys = keys_along(file.root, finding.path)
    around = ErrorNodes(_names_along(finding.path, keys))
    if finding.keyword in _LOSING:
        around |= ErrorNodes(sections=frozenset(key.text for key in keys[:1]))
    if len(finding.path) > 2 and finding.path[0] == "kinds" and finding.path[2] in _BOARDS:
        around |= ErrorNodes(
            anything=True
        )  # how many cells there are, and what they are called, is not known
    return around | _lost(finding, keys)


def _names_along(path: tuple[str | int, ...], keys: list[ScalarNode]) -> frozenset[str]:
    """The definition in which something is lost: it may be left out; of a kind, what it says of all its things."""
    names = {key.text for key in keys[1:][-2:]}
    if path[:1] == ("kinds",) and "things" not in path and len(keys) > 1:
        names.add(keys[1].text)
    return frozenset(names)


def _lost(finding: Finding, keys: list[ScalarNode]) -> ErrorNodes:
    if finding.is_key:
        name = str(finding.value)
        entry = finding.node.entry(name) if isinstance(finding.node, MappingNode) else None
        lost = words_of(entry.value) if entry else frozenset()
        bare = name.partition("(")[0]  # what it takes may stand behind it
        words = lost | {name, bare, name.lower(), proper(name), *_WORD.findall(name)}
        return ErrorNodes(words, _starts(keys[-1:]), frozenset({name, bare}))
    if finding.keyword == "additionalProperties" and isinstance(finding.node, MappingNode):
        known = finding.schema.get("properties", {})
        strays = [entry for entry in finding.node if entry.name not in known]
        words = frozenset(w for e in strays for w in (e.name, *words_of(e.value)))
        return ErrorNodes(
            words | words_of(finding.node), _starts(keys[-1:])
        )  # it may be left out with all it holds
    if finding.keyword in _ABOUT_KEYS:
        missing = frozenset(finding.expected) if finding.keyword == "required" else frozenset()
        return ErrorNodes(words_of(finding.node) | missing, _starts(keys[-1:]))
    names = _WORD.findall(finding.node.text) if isinstance(finding.node, ScalarNode) else ()
    return ErrorNodes(words_of(finding.node) | frozenset(names), _starts(keys[-2:]))


def keys_along(root: SourceNode, path: tuple[str | int, ...]) -> list[ScalarNode]:
    """The keys that lead to a value; an item of a list is known by its own first key."""
    found: list[ScalarNode] = []
    node = root
    for step in path:
        if isinstance(node, MappingNode) and isinstance(step, str):
            entry: Entry | None = node.entry(step)
            if entry is None:
                break
            found.append(entry.key)
            node = entry.value
        elif isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
            if isinstance(node, MappingNode) and node.entries:
                found.append(node.entries[0].key)
    return found


def _starts(keys: list[ScalarNode]) -> frozenset[Span]:
    return frozenset(start_of(key.span) for key in keys)

"""SourceTree -> complaints about its shape, found by the JSON Schemas in `schemas/`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Literal

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from ruleforge.diagnostics import Diagnostic, Report
from ruleforge.resources import schema_file
from ruleforge.schema.complaints import Finding, complain
from ruleforge.schema.holes import hole_of, keys_along
from ruleforge.source import SourceFile, SourceTree
from ruleforge.source.holes import NO_HOLES, Holes, joined
from ruleforge.source.tree import node_at

FileKind = Literal["ruleset", "pack", "scenario", "rulebook", "contract"]


@dataclass(frozen=True, slots=True)
class Shape:
    """What is wrong with the shape of one file, and the holes that leaves."""

    complaints: tuple[Diagnostic, ...]
    holes: Holes


@dataclass(frozen=True, slots=True)
class Shaped:
    """The shapes of all files of a game."""

    shapes: Mapping[SourceFile, Shape]

    @property
    def holes(self) -> Holes:
        return joined(shape.holes for shape in self.shapes.values())


def validate(
    tree: SourceTree, report: Report, before: Shaped | None = None, kind: FileKind = "ruleset"
) -> Shaped:
    """Holds every file of a game or pack against the schema of its kind, unless that was done `before`."""
    known = before.shapes if before else {}
    shapes = {file: known.get(file) or shape_of(file, kind) for file in tree.files}
    for shape in shapes.values():
        report.include(*shape.complaints)
    return Shaped(MappingProxyType(shapes))


def validate_file(file: SourceFile, kind: FileKind, report: Report) -> None:
    """Holds one file against the schema of its kind."""
    report.include(*shape_of(file, kind).complaints)


def shape_of(file: SourceFile, kind: FileKind) -> Shape:
    report, holes = Report(), NO_HOLES
    for error in _innermost(_validator(kind).iter_errors(file.root.data)):
        path = tuple(error.absolute_path)
        finding = Finding.of(error, node_at(file.root, path), path)
        if not _lacks_what_was_lost(finding, file):
            complain(finding, report)
            holes |= hole_of(finding, file)
    return Shape(report.diagnostics, holes)


def _lacks_what_was_lost(finding: Finding, file: SourceFile) -> bool:
    """Is something missing where reading the file left a hole?"""
    if finding.keyword not in ("required", "minProperties", "minItems", "type", "anyOf"):
        return False
    keys = keys_along(file.root, finding.path)
    return bool(keys) and file.holes.damage(keys[-1].span)


@cache
def schema_of(kind: FileKind) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(schema_file(kind).read_text("utf-8"))
    return schema


def _whole(
    validator: Any, pattern: str, instance: object, schema: Mapping[str, Any]
) -> Iterator[ValidationError]:
    """`$` of a schema is the end of a text; Python's is also met before a line end there."""
    if isinstance(instance, str) and not re.search(re.sub(r"\$$", r"\\Z", pattern), instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


_Validator: Any = extend(Draft202012Validator, {"pattern": _whole})  # type: ignore[no-untyped-call]


@cache
def _validator(kind: FileKind) -> Any:
    # the schema of packs speaks of definitions in the schema of games
    games = schema_of("ruleset")
    registry = Registry().with_resource(games["$id"], DRAFT202012.create_resource(games))
    return _Validator(schema_of(kind), registry=registry)


def _innermost(errors: Iterable[ValidationError]) -> Iterator[ValidationError]:
    """Looks into `anyOf`: what is wrong with the alternative the author evidently meant."""
    for error in errors:
        if error.validator != "anyOf":
            yield error
            continue
        meant = _meant_alternative(error)
        if meant:
            yield from _innermost(meant)
        else:
            yield error


def _meant_alternative(error: ValidationError) -> list[ValidationError]:
    """The complaints of the one alternative that has the right type; none if no type or several fit."""
    alternatives: dict[int, list[ValidationError]] = {}
    for inner in error.context or ():
        alternatives.setdefault(int(inner.relative_schema_path[0]), []).append(inner)
    fitting = [errors for errors in alternatives.values() if not any(_is_wrong_type(e) for e in errors)]
    return fitting[0] if len(fitting) == 1 else []


def _is_wrong_type(error: ValidationError) -> bool:
    """Whether an alternative fails at its very top, so that the author cannot have meant it."""
    return error.validator == "type" and not error.relative_path

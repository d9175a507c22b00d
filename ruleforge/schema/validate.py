"""SourceTree -> complaints about its shape, found by the JSON Schemas in `schemas/`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Literal

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from ruleforge.diagnostics import Report
from ruleforge.resources import schema_file
from ruleforge.schema.complaints import Finding, complain
from ruleforge.source import SourceFile, SourceTree
from ruleforge.source.tree import node_at

FileKind = Literal["ruleset", "scenario", "rulebook", "contract"]


def validate(tree: SourceTree, report: Report) -> None:
    """Holds every file of a game against the schema of rule files."""
    for file in tree.files:
        validate_file(file, "ruleset", report)


def validate_file(file: SourceFile, kind: FileKind, report: Report) -> None:
    """Holds one file against the schema of its kind."""
    errors = _validator(kind).iter_errors(file.root.data)
    for error in _innermost(errors):
        path = tuple(error.absolute_path)
        complain(Finding.of(error, node_at(file.root, path), path), report)


@cache
def schema_of(kind: FileKind) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(schema_file(kind).read_text("utf-8"))
    return schema


@cache
def _validator(kind: FileKind) -> Draft202012Validator:
    return Draft202012Validator(schema_of(kind))


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

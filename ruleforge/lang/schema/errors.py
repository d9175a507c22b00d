"""Lists each violation of a schema by a value, in the terms of JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from referencing import Registry
from referencing.jsonschema import DRAFT202012


def errors_of(
    data: object, schema: Mapping[str, Any], others: Iterable[Mapping[str, Any]] = ()
) -> Iterator[ValidationError]:
    """`others` are schemas that this one may speak of by their ids."""
    registry = Registry().with_resources((each["$id"], DRAFT202012.create_resource(each)) for each in others)
    yield from _innermost(_Validator(schema, registry=registry).iter_errors(data))


def _whole(
    validator: Any, pattern: str, instance: object, schema: Mapping[str, Any]
) -> Iterator[ValidationError]:
    """`$` of a schema is the end of a text; Python's is also met before a line end there."""
    if isinstance(instance, str) and not re.search(re.sub(r"\$$", r"\\Z", pattern), instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


_Validator: Any = extend(Draft202012Validator, {"pattern": _whole})  # type: ignore[no-untyped-call]


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
    """The diagnostics of the one alternative that has the right type; none if no type or several fit."""
    alternatives: dict[int, list[ValidationError]] = {}
    for inner in error.context or ():
        alternatives.setdefault(int(inner.relative_schema_path[0]), []).append(inner)
    fitting = [errors for errors in alternatives.values() if not any(_is_wrong_type(e) for e in errors)]
    return fitting[0] if len(fitting) == 1 else []


def _is_wrong_type(error: ValidationError) -> bool:
    """Whether an alternative fails at its very top, so that the author cannot have meant it."""
    return error.validator == "type" and not error.relative_path

"""Definitions of a pack -> the same definitions, each of which says which pack it came from."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from ruleforge.lang.model.ruleset import Named, Phase, Ruleset


def stamped(adds: Ruleset, origin: str) -> Ruleset:
    return replace(adds, **_inside(adds, origin))


def stamped_phase(phase: Phase, origin: str) -> Phase:
    return _stamped(phase, origin)  # type: ignore[return-value]


def _stamped(definition: Named, origin: str) -> Named:
    return replace(definition, origin=origin, **_inside(definition, origin))


def _inside(definition: Any, origin: str) -> dict[str, Any]:
    """The fields that hold definitions, with all of those stamped."""
    found: dict[str, Any] = {}
    for field in fields(definition):
        value = getattr(definition, field.name)
        if isinstance(value, tuple) and value and all(isinstance(item, Named) for item in value):
            found[field.name] = tuple(_stamped(item, origin) for item in value)
    return found

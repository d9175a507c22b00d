"""Every expression and effect of a ruleset, for checks that look at all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from types import MappingProxyType

from ruleforge.check import typed as t
from ruleforge.check.typed import declarations
from ruleforge.check.walk import all_nodes, is_node


def phases(rules: t.Checked) -> list[t.Phase]:
    found = list(rules.flow)
    for phase in found:
        found += phase.steps
    return found


def roots(rules: t.Checked) -> Iterator[object]:
    """The texts of a ruleset, each as its typed tree: whatever field of whatever declaration holds one."""
    seen: set[int] = set()
    todo: list[object] = [rules]
    while todo:
        value = todo.pop()
        kind = type(value)
        if is_node(kind):
            yield value
        elif kind is tuple or kind is list:
            todo += [item for item in reversed(value) if _leads_on(type(item))]  # type: ignore[call-overload]
        elif kind in _MAPPINGS:
            items = (*value, *value.values())  # type: ignore[misc, attr-defined]
            todo += [item for item in reversed(items) if _leads_on(type(item))]
        elif id(value) not in seen:
            seen.add(id(value))  # declarations lead to one another in circles
            inside = [getattr(value, name) for name in _fields_of(kind)]
            todo += [item for item in inside if _leads_on(type(item))]


_MAPPINGS = (dict, MappingProxyType)


@cache
def _leads_on(kind: type) -> bool:
    """Can texts lie in a value of this type?"""
    held = kind in (tuple, list, *_MAPPINGS)
    return held or is_node(kind) or kind.__module__ == declarations.__name__


@cache
def _fields_of(kind: type) -> tuple[str, ...]:
    """The fields of a type of declarations, the last one first."""
    return tuple(field.name for field in fields(kind))[::-1]


def nodes(rules: t.Checked) -> Iterator[object]:
    for root in roots(rules):
        yield from all_nodes(root)

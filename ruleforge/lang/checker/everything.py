"""Every expression and effect of a ruleset, for checks that look at all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import chain
from types import MappingProxyType
from typing import Any

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.typed import declarations
from ruleforge.lang.checker.walk import all_nodes, is_node, phases_of


def phases(rules: t.Checked) -> list[t.Phase]:
    return list(phases_of(rules.flow))


def roots(rules: object) -> Iterator[object]:
    """The texts of a ruleset or of a part of one, each as its typed tree: whatever field of whatever declaration
    holds one."""
    seen: set[int] = set()
    todo: list[Any] = [rules]
    while todo:
        value = todo.pop()
        kind = type(value)
        if is_node(kind):
            yield value
            continue
        if kind is tuple or kind is list:
            inside = value
        elif kind in _MAPPINGS:
            inside = (*value, *value.values())
        elif id(value) not in seen:
            seen.add(id(value))  # declarations lead to one another in circles
            inside = [getattr(value, name) for name in _FIELDS.get(kind) or _fields_of(kind)]
        else:
            continue
        todo += [item for item in reversed(inside) if _leads_on(type(item))]


_MAPPINGS = (dict, MappingProxyType)
_FIELDS: dict[type, tuple[str, ...]] = {}  # by the type of a declaration
_LEADS_ON: dict[type, bool] = {}  # types met


def _leads_on(kind: type) -> bool:
    """Can texts lie in a value of this type?"""
    known = _LEADS_ON.get(kind)
    if known is None:
        held = kind in (tuple, list, *_MAPPINGS) or kind.__module__ == declarations.__name__
        known = _LEADS_ON[kind] = held or is_node(kind)
    return known


def _fields_of(kind: type) -> tuple[str, ...]:
    _FIELDS[kind] = tuple(field.name for field in fields(kind))
    return _FIELDS[kind]


def nodes(rules: object) -> Iterator[object]:
    for root in roots(rules):
        yield from all_nodes(root)


def asked_names(*rules: object) -> list[str]:
    """The names under which players choose something in these parts of a ruleset."""
    found: list[str] = []
    for root in roots(rules):  # the binders of an action are roots
        asking = (node.binders for node in all_nodes(root) if isinstance(node, t.Choose | t.Sealed))
        for binder in (root, *chain.from_iterable(asking)):
            if isinstance(binder, t.Binder | t.Several):
                found.append((binder.chosen if isinstance(binder, t.Several) else binder.variable).name)
    return list(dict.fromkeys(found))

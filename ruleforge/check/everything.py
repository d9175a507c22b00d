"""Every expression and effect of a ruleset, for checks that look at all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields

from ruleforge.check import typed as t
from ruleforge.check.typed import declarations
from ruleforge.check.walk import NODES, all_nodes


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
        if isinstance(value, NODES):
            yield value
        elif isinstance(value, Mapping):
            todo += reversed([*value, *value.values()])
        elif isinstance(value, list | tuple):
            todo += reversed(value)
        elif type(value).__module__ == declarations.__name__ and id(value) not in seen:
            seen.add(id(value))  # declarations lead to one another in circles
            todo += reversed([getattr(value, field.name) for field in fields(value)])  # type: ignore[arg-type]


def nodes(rules: t.Checked) -> Iterator[object]:
    for root in roots(rules):
        yield from all_nodes(root)

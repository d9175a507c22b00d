"""The functions that say who is shown what: the one place where they get their names."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import phases_of

SEALED = "sees sealed"  # an answer that only the one who gives it is told


def column_sees(column: t.Column) -> str | None:
    return f"sees {column.kind.name}.{column.name}" if column.hidden else None


def place_sees(place: t.Place) -> str | None:
    return f"sees {place.name}" if place.hidden else None


def formula_sees(formula: t.Formula) -> str | None:
    return f"sees {formula.name}()" if formula.sees else None


def action_sees(action: t.Action) -> str | None:
    return f"sees action {action.name}" if action.sees else None


def phase_sees(phase: t.Phase) -> str | None:
    return f"sees phase {phase.name}" if phase.sees else None


def visibilities(rules: t.Checked) -> Iterator[tuple[str, t.Visibility]]:
    """Every such function by its name, with the condition it works out; formulas have theirs beside their value."""
    found = [
        *((column_sees(c), rules.sight.get(c)) for c in rules.columns.values() if not c.constant),
        *((place_sees(p), rules.sight.get(p)) for p in rules.places.values()),
        *((action_sees(a), a.sees) for a in rules.actions.values()),
        *((phase_sees(p), p.sees) for p in phases_of(rules.flow)),
    ]
    for name, condition in found:
        if name is not None and condition is not None:
            yield name, condition

"""Which results of chance are nobody's to see: those that go into hidden attributes, and into no open one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import used_variables


def unseen_rolls(everything: Iterable[object]) -> frozenset[t.Variable]:
    """The locals of such rolls and picks in all nodes. Whoever sees the attribute sees what became of it there."""
    rolls: list[t.Variable] = []
    written: dict[t.Variable, list[t.Column | t.Variable]] = {}  # where a local is handed on to
    for node in everything:
        if isinstance(node, t.Roll | t.RandomPick):
            rolls.append(node.variable)
        for value, into in _handed_on(node):
            for variable in used_variables(value):
                written.setdefault(variable, []).append(into)
    return frozenset(roll for roll in rolls if _is_unseen(_columns(roll, written)))


def _handed_on(node: object) -> Iterator[tuple[t.Expr, t.Column | t.Variable]]:
    match node:
        case t.Store(column=column, value=value):
            yield value, column
        case t.New(given=given):
            yield from ((value, column) for column, value in given)
        case t.Assign(variable=variable, value=value):
            yield value, variable
        case t.Perform(event=event, arguments=arguments):
            yield from zip(arguments, event.parameters, strict=True)


def _columns(roll: t.Variable, written: dict[t.Variable, list[t.Column | t.Variable]]) -> list[t.Column]:
    todo: list[t.Column | t.Variable] = [roll]
    for found in todo:
        if isinstance(found, t.Variable):
            todo += [into for into in written.get(found, ()) if into not in todo]
    return [found for found in todo if isinstance(found, t.Column)]


def _is_unseen(columns: Iterable[t.Column]) -> bool:
    hidden = [column.hidden for column in columns]
    return bool(hidden) and all(hidden)

"""RF717: a choice of things by what is printed on them, wherever they lie, also where the player does not see them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleforge.check import typed as t
from ruleforge.check.walk import all_nodes
from ruleforge.diagnostics import Report


def check(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    """What is not seen is offered by where it lies, so which places are offered tells what lies there."""
    unseen = {place.holds for place in rules.places.values() if place.hidden}
    for binder in _chosen(rules, nodes):
        kind = _of_all(binder.source)
        asked = [node for test in _tests(binder) for node in all_nodes(test)]
        if (
            kind is not None
            and kind in unseen
            and any(map(_is_printed, asked))
            and not any(map(_asks_where, asked))
        ):
            name = binder.variable.name
            report.add(
                "RF717",
                f"`{name}` may lie where the player does not see it, and what is offered tells what it is",
                binder.span,
                help=f"say where it lies; to let players name any `{kind.name}`, let them choose from a kind of names",
            )


def _chosen(rules: t.Checked, nodes: Sequence[object]) -> Iterator[t.Binder]:
    choices = [choice for action in rules.actions.values() for choice in action.binders]
    choices += [choice for node in nodes if isinstance(node, t.Choose) for choice in node.binders]
    return (choice.binder if isinstance(choice, t.Several) else choice for choice in choices)


def _of_all(source: t.Expr) -> t.Kind | None:
    """The kind of which any thing may be chosen."""
    if isinstance(source, t.Selection):
        return _of_all(source.binder.source)
    return source.kind if isinstance(source, t.All) else None


def _tests(binder: t.Binder) -> Iterator[t.Expr]:
    yield from (test for test in (binder.where, binder.until) if test is not None)
    if isinstance(binder.source, t.Selection):
        yield from _tests(binder.source.binder)


def _is_printed(node: object) -> bool:
    return isinstance(node, t.Read) and node.column.constant


def _asks_where(node: object) -> bool:
    """A formula may ask for it too."""
    return isinstance(node, t.Whereabouts | t.Content | t.Family | t.CallFormula)

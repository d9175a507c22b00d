"""Labels: the hidden information that a value depends on, and its owner."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import all_nodes, free_variables, with_replaced_uses
from ruleforge.support.diagnostics import Span


class Mark(Enum):
    """Hidden information that is no column, place or thing."""

    SEALED = "an answer that was given in secret"
    CHANCE = "a result of chance that only hidden attributes keep"
    TRIAL = "what would happen, which takes part of all that is hidden"


What = t.Column | t.Place | t.Kind | Mark
Holder = t.Variable | t.Position | t.Kind | t.Event  # what a value of another moment is known from


@dataclass(frozen=True, slots=True)
class Label:
    """One piece of hidden information.

    `what` is one of these: a hidden attribute, a hidden place (the things in it), the kind of a thing that
    may lie hidden (its identity). It can also be an open attribute of such things (the things that have it).
    `whose` is the owner of the attribute, the index of the place, or the thing. Empty means any. `via` is the
    variable or cell that first stored the value, if any. The owner may have changed since. `indirect` marks a
    flow that authors cannot foresee where they read the value. Examples are the result of an event, the
    memory of a rule, and a change that triggers a rule.
    """

    what: What
    whose: tuple[t.Expr, ...]
    span: Span
    via: Holder | None = None
    indirect: bool = False


def is_about_identity(label: Label) -> bool:
    """Whether only the identity of a thing is hidden. Others see its back and its open attributes."""
    return isinstance(label.what, t.Kind) or (isinstance(label.what, t.Column) and not label.what.hidden)


def is_about_things(label: Label) -> bool:
    """Whether only the identity or the place of things is hidden."""
    return isinstance(label.what, t.Place) or is_about_identity(label)


Labels = frozenset[Label]
NONE: Labels = frozenset()


def stored_in(labels: Labels, holder: Holder) -> Labels:
    """The labels of what is read from a holder."""
    return frozenset(label if label.via is not None else replace(label, via=holder) for label in labels)


def made_indirect(labels: Labels) -> Labels:
    return frozenset(label if label.indirect else replace(label, indirect=True) for label in labels)


def fresh_in(labels: Labels, roots: Iterable[object], more: Iterable[t.Variable] = ()) -> Labels:
    """The labels where the variables that the roots bind themselves hold nothing from an earlier moment."""
    if all(label.via is None for label in labels):
        return labels
    bound = {node.variable for root in roots for node in all_nodes(root) if isinstance(node, t.Binder)}
    bound |= {*more}
    return frozenset(replace(label, via=None) if label.via in bound else label for label in labels)


class Substitution:
    """Replaces parameters by arguments in `whose`."""

    def __init__(self) -> None:
        self._made: dict[tuple[object, ...], t.Expr] = {}
        self._results: set[t.Expr] = set()

    def __call__(
        self, labels: Labels, parameters: tuple[t.Variable, ...], given: tuple[t.Expr, ...]
    ) -> Labels:
        """The labels of a definition, as they are where it is called. Its other variables are unknown there."""
        known = dict(zip(parameters, given, strict=False))
        return frozenset(self._label(label, known) if label.whose else label for label in labels)

    def _label(self, label: Label, known: dict[t.Variable, t.Expr]) -> Label:
        whose = tuple(found for expr in label.whose if (found := self._expressed(expr, known)) is not None)
        return replace(label, whose=whose if len(whose) == len(label.whose) else ())

    def _expressed(self, expr: t.Expr, known: dict[t.Variable, t.Expr]) -> t.Expr | None:
        if isinstance(expr, t.Use):
            return known.get(expr.variable)
        free = free_variables(expr)
        if not free:
            return expr
        # what was substituted once is not substituted again: a formula that calls itself would make ever longer names
        if expr in self._results or any(variable not in known for variable in free):
            return None
        key = (expr, *(known[variable] for variable in free))
        if key not in self._made:
            self._made[key] = with_replaced_uses(expr, lambda use: known.get(use.variable, use))
            self._results.add(self._made[key])
        return self._made[key]

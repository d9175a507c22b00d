"""All parts of rules that can run: statements, conditions, formulas, modifiers, choices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ruleforge.compiler.observation_program import visibilities
from ruleforge.compiler.trace_marks import CONDITION, FORMULA, MODIFIER, Marks
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NumbersT, SetT
from ruleforge.lang.checker.walk import all_nodes, phases_of
from ruleforge.support.diagnostics import NOWHERE, Span

STATEMENT, CHOICE = "statement", "choice"
TRIED = "tried statement"  # on a copy, to see what would come of it; by itself that does not count
KINDS = (STATEMENT, CONDITION, FORMULA, MODIFIER, CHOICE)


class Item(NamedTuple):
    """A part that can run; `word` is the answer if a place has several choices."""

    kind: str
    span: Span
    word: str = ""


def items_of(rules: t.Checked) -> tuple[Item, ...]:
    """All of them, in the order of the files. A choice is an action, an option of a menu, or what is asked for."""
    found = {
        *(Item(STATEMENT, node.span) for node in _nodes(rules) if isinstance(node, t.Statement)),
        *(Item(CONDITION, atom.span) for test in _conditions(rules) for atom in _atoms(test)),
        *(Item(FORMULA, f.body.span) for f in rules.formulas.values() if f.body and not _is_set(f)),
        *(Item(MODIFIER, rule.span) for rule in rules.rules if rule.form == "modify"),
        *(Item(CHOICE, action.span) for action in rules.actions.values()),
        *(
            Item(CHOICE, node.span, word)
            for node in _nodes(rules)
            if isinstance(node, t.Pick)
            for word, _, _ in node.options
        ),
        *(Item(CHOICE, b.span) for n in _nodes(rules) if isinstance(n, t.Choose) for b in n.binders),
    }
    return in_order(item for item in found if item.span != NOWHERE)


def in_order(items: Iterable[Item]) -> tuple[Item, ...]:
    """As they stand in the files."""
    return tuple(sorted(items, key=lambda item: (item.span, item)))


def marks_of(items: Iterable[Item]) -> Marks:
    """The marks needed to see all these items."""
    spans = {
        kind: frozenset(i.span for i in items if i.kind == kind) for kind in (CONDITION, FORMULA, MODIFIER)
    }
    return Marks(spans[CONDITION], spans[FORMULA], spans[MODIFIER])


def _is_set(formula: t.Formula) -> bool:
    """Sets are walked where they are used, and never worked out as a whole."""
    return isinstance(formula.result, SetT | NumbersT)


# --- where to look ---


def _roots(rules: t.Checked) -> Iterator[object]:
    """All that is said of play; what only holds it against expectations (invariants, checks, profiles) is left out."""
    yield rules.setup
    for event in rules.events.values():
        yield from (*event.needs, event.body)
    for formula in rules.formulas.values():
        yield from (formula.body, *(rest.body for rest in formula.behind))
    for action in rules.actions.values():
        yield from (*action.binders, *action.conditions, *action.holds, action.cost, action.body)
    for rule in rules.rules:
        yield from (rule.binder, rule.when, rule.who, rule.cost, rule.body, rule.amount)
        yield from (value for _, value in rule.before)
    for phase in phases_of(rules.flow):
        yield from (phase.when, phase.each, phase.repeat, phase.body, phase.stuck, phase.end, *phase.holds)
    for watch in rules.watches.values():
        yield from (watch.when, watch.winners)
    yield from (starting.things for starting in rules.starts.values())
    yield from (seen.test for _, seen in visibilities(rules))
    yield rules.score[1] if rules.score else None


def _nodes(rules: t.Checked) -> Iterator[object]:
    return (node for root in _roots(rules) if root is not None for node in all_nodes(root))


def _conditions(rules: t.Checked) -> Iterator[t.Expr | None]:
    """Every expression that decides something."""
    for event in rules.events.values():
        yield from event.needs
    for action in rules.actions.values():
        yield from (*action.needs, *action.holds)
    yield from (rule.when for rule in rules.rules)
    for phase in phases_of(rules.flow):
        yield from (phase.when, phase.repeat, *phase.holds)
    yield from (watch.when for watch in rules.watches.values())
    yield from (seen.test for _, seen in visibilities(rules))
    for node in _nodes(rules):
        match node:
            case t.If(branches=branches):
                yield from (test for test, _ in branches)
            case t.Conditional(test=test):
                yield test
            case t.Binder(where=where, until=until):
                yield from (where, until)
            case t.Repeat(condition=condition):
                yield condition
            case t.Several(such=such):
                yield such
            case t.Pick(options=options):
                yield from (test for _, test, _ in options)


def _atoms(test: t.Expr | None) -> Iterator[t.Expr]:
    """The parts of a condition behind `and`, `or` and `not`."""
    match test:
        case None | t.Constant():
            return
        case t.Logic(parts=parts):
            for part in parts:
                yield from _atoms(part)
        case t.Not(value=value):
            yield from _atoms(value)
        case _:
            yield test

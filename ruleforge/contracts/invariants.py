"""`invariants` evaluates at loading the predicates of the contract and the checks of the core, over all constants."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ruleforge.analysis.effects.calls import evaluated_nodes
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.model import Clauses, Holds
from ruleforge.contracts.trial import Trial, label
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.check_snippet import check_text
from ruleforge.lang.checker.types import ErrorT, ThingT
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.project.printed_checks import run_checks
from ruleforge.support.diagnostics import Report, Span


def checks(trial: Trial) -> Iterator[Fault]:
    """The checks of the core's printed material, asked of what packs bring."""
    for check in trial.rules.checks:
        if not check.warn and not trial.owner(check.span):
            yield from _checked(trial, check)


def breaches(trial: Trial, holds: Holds) -> list[Fault]:
    """A predicate of the contract that must hold at loading."""
    assert holds.that is not None
    test = check_text(trial.rules, holds.that.text).tree
    if not isinstance(test, t.Expr):
        return []  # the contract is at fault, and told so where it is looked at
    binder = None
    match test:
        case t.Aggregate(op="all", binder=bound, value=t.Expr() as value):
            if isinstance(bound.variable.type, ThingT) and bound.where is None:
                binder, test = bound, value
    check = t.Check("contract", binder, test, "", holds.span)
    why, place = holds.say or f"this guarantee is broken: {holds.text}", (label(holds), holds.span)
    return [_fault(trial, span, why, holds.cites, place) for span in _culprits(trial, check)]


def _checked(trial: Trial, check: t.Check) -> list[Fault]:
    guards = [g for g in trial.contract.guards if any(target.text == check.name for target in g.of)]
    clauses = tuple(dict.fromkeys((*(c for g in guards for c in g.clauses), *check.clauses)))
    text = check.text.rstrip(".") or f"the check `{check.name}` fails"
    place = (f"the check `{check.name}`", check.span)
    return [_fault(trial, span, text, clauses, place) for span in _culprits(trial, check)]


def _culprits(trial: Trial, check: t.Check) -> list[Span]:
    """The places in packs that make a check fail: new things, else rules that modify its formulas."""
    rules = _askable(trial, check)
    if rules is None:
        return []
    report = Report()
    run_checks(rules, report)
    spans = [d.span for d in report]
    ours = [span for span in spans if trial.owner(span)]
    return ours if ours or not spans else _suspects(trial, check)


def _askable(trial: Trial, check: t.Check) -> t.Checked | None:
    """The rules with this check alone; where they have mistakes, without what cannot be asked."""
    rules = replace(trial.rules, checks=(check,))
    wrong = any(d.severity == "error" and d.code != "RF601" for d in trial.analysis.diagnostics)
    if not wrong:
        return rules
    formulas = _formulas(check)
    trees = [check.test, *(f.body for f in formulas)]
    if any(isinstance(getattr(n, "type", None), ErrorT) for tree in trees for n in all_nodes(tree)):
        return None
    if any(isinstance(column.type, ErrorT) for column in rules.columns.values()):
        return None
    names = {formula.name for formula in formulas}
    modifying = tuple(
        rule
        for rule in rules.rules
        if rule.form == "modify"
        and rule.pattern is not None
        and isinstance(rule.pattern.subject, t.Formula)
        and rule.pattern.subject.name in names
        and rule.pattern.subject.open
    )
    return replace(
        rules,
        formulas={name: formula for name, formula in rules.formulas.items() if name in names},
        rules=modifying,
        actions={},
        setup=None,
        flow=(),
        watches={},
        invariants=(),
        score=None,
        heuristic=None,
    )


def _formulas(check: t.Check) -> list[t.Formula]:
    """The formulas that a check asks, also by way of others."""
    evaluated = evaluated_nodes(check.test, check.binder)
    return list(dict.fromkeys(node.formula for node in evaluated if isinstance(node, t.CallFormula)))


def _suspects(trial: Trial, check: t.Check) -> list[Span]:
    """The parts of packs that affect a check about a thing of the core, or about no thing."""
    evaluated = {formula.name for formula in _formulas(check)}
    heads = [
        change.span
        for effect in trial.summaries.effects
        for change in effect.changes
        if change.kind == "modify" and change.name in evaluated
    ]
    if heads:
        return heads[:1]
    structure = [change for _, change in trial.summaries.structure]
    kinds = _kinds(check)
    brought = [c.span for c in structure if c.kind == "define" and len(c.names) == 1 and c.names[0] in kinds]
    turned = [c.span for c in structure if c.kind == "choose" and c.name in trial.rules.numbers]
    whole = [reading.pack.manifest.span for reading in trial.analysis.packs]
    return (brought or turned or whole)[:1]


def _kinds(check: t.Check) -> set[str]:
    """The kinds of things that a check goes through."""
    evaluated = [check.test, *([check.binder] if check.binder is not None else [])]
    nodes = [node for tree in evaluated for node in all_nodes(tree)]
    binders = [node.binder for node in nodes if isinstance(node, t.Aggregate)]
    types = [binder.variable.type for binder in binders]
    return {type_.kind for type_ in types if isinstance(type_, ThingT)}


def _fault(trial: Trial, span: Span, why: str, clauses: Clauses, place: tuple[str, Span]) -> Fault:
    pack = trial.owner(span)
    modified = any(
        c.kind == "modify" and c.span == span for effect in trial.summaries.effects for c in effect.changes
    )
    repair = "change the amount, or restrict it with `when`" if modified else "change what is printed here"
    return Fault("broken", "RF917", pack, (), (span,), why, clauses, (place,), repair)

"""Warnings about definitions: unused, unreachable, events that never happen, and names of functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleforge.analysis.effects.relations import Verb, happening, relations
from ruleforge.analysis.effects.truth import invariants_that_cannot_fail
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.builtins import BUILTINS, IN_CHECKS
from ruleforge.lang.checker.walk import phases
from ruleforge.support.diagnostics import Report, Span
from ruleforge.support.spelling import once_more


def check_unused(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    used: set[object] = {
        what for node in nodes for verb, what in relations(rules, node) if verb is not Verb.WRITE
    }
    for rule in rules.rules:
        if rule.pattern is not None:
            used.add(rule.pattern.subject)
    for formula in rules.formulas.values():
        if formula not in used and formula.sees is None and not formula.open:
            report.add("RF702", f"nothing uses the formula `{formula.name}`", formula.span)
    for event in rules.events.values():
        if event not in used and not event.open:
            report.add("RF702", f"the event `{event.name}` never happens", event.span)
    for window in rules.windows.values():
        if window not in used and not window.open:
            report.add("RF702", f"no effect offers the window `{window.name}`", window.span, _OFFER)
    for position in rules.positions.values():
        if position not in used:
            report.add("RF702", f"nothing uses the position `{position.name}`", position.span)
    for ending in rules.endings.values():
        if ending not in used and ending not in rules.watches:
            help = f"give it a `when`, write `finish {ending.name}` in an effect, or delete it"
            report.add("RF702", f"no game can end with `{ending.name}`", ending.span, help)


# RF703: a phase or action that is never reached; RF704: a window in which there is nothing to do.


_OFFER = "name it in the `during` of an action, or delete the window"


def check_unreachable(rules: t.Checked, _: Sequence[object], report: Report) -> None:
    open_phases = {p.name for p in phases(rules) if p.window}
    shut: dict[str, list[t.Action]] = {}  # by where they would be offered: a lost window is one mistake
    for action in rules.actions.values():
        if not any(name in open_phases or name in rules.windows for name in action.during):
            where = " or ".join(f"`{name}`" for name in action.during) or "any phase"
            shut.setdefault(where, []).append(action)
    for where, (first, *others) in shut.items():
        report.add(
            "RF703",
            f"the action `{first.name}` is never offered: {where} has no window",
            first.span,
            "give the phase a `window`, or name another one in `during`",
            ((once_more(len(others)), others[0].span),) if others else (),
        )
    offered = {name for action in rules.actions.values() for name in action.during}
    for phase in phases(rules):
        if isinstance(phase.when, t.Constant) and not phase.when.value:
            report.add("RF703", f"the phase `{phase.name}` is never entered", phase.span)
        if phase.window and phase.name not in offered:
            report.add("RF704", f"there is nothing to do in the window of `{phase.name}`", phase.span, _OFFER)
    for window in rules.windows.values():
        if window.name not in offered and not window.open:
            report.add("RF704", f"there is nothing to do in the window `{window.name}`", window.span)


# RF705: a rule waits for something that never happens.


def check_triggers(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    happens = {happening(relation) for node in nodes for relation in relations(rules, node)}
    for rule in rules.rules:
        if rule.form in ("after", "instead", "forbid") and rule.pattern is not None:
            subject = rule.pattern.subject
            if isinstance(subject, t.Event) and subject.open:
                continue
            if not isinstance(subject, tuple) and subject not in happens:
                report.add("RF705", f"the trigger of `{rule.name}` never happens", rule.pattern.span)


# RF722: a formula or event called like a function of the language, which the rules cannot ask any more.


def check_function_names(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    for sort, name, span in _called(rules):
        if name in BUILTINS or name in IN_CHECKS:
            message = f"the {sort} `{name}` hides the function `{name}` of the language"
            report.add("RF722", message, span, f"choose another name, such as `{name}_of` or `the_{name}`")


def _called(rules: t.Checked) -> Iterator[tuple[str, str, Span]]:
    yield from (("formula", formula.name, formula.span) for formula in rules.formulas.values())
    yield from (("event", event.name, event.span) for event in rules.events.values())


# RF723: an invariant that holds in every state, so that it never finds a mistake.


def check_invariants(rules: t.Checked, _: Sequence[object], report: Report) -> None:
    """An invariant that cites a clause is not reported: it says that the declared ranges keep that clause."""
    for invariant in invariants_that_cannot_fail(rules):
        if not invariant.clauses:
            report.add(
                "RF723",
                f"the invariant `{invariant.name}` cannot fail",
                invariant.test.span,
                "the declared ranges say it already: leave it out, or say what the rules must keep",
            )

"""RF709: a question that is asked openly; RF710: an optional rule of which only hidden things know."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.check import typed as t
from ruleforge.check.everything import phases
from ruleforge.check.secrets import Secrets
from ruleforge.diagnostics import Report, Span


def check(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    secrets = Secrets(rules, nodes)
    for node in nodes:
        match node:
            case t.Choose(openly=True, binders=binders):
                _openly(secrets.decide(binders), node.span, report)
            case t.Pick(openly=True, options=options):
                _openly(any(test and secrets.is_secret(test) for _, test, _ in options), node.span, report)
    occasions: list[t.Phase | t.Window] = [*phases(rules), *rules.windows.values()]
    for occasion in occasions:
        if occasion.openly:
            inside = (a for a in rules.actions.values() if occasion.name in a.during)
            _openly(any(_hidden(secrets, action) for action in inside), occasion.span, report)
    for rule in rules.rules:
        if rule.may and _told_by_asking(secrets, rule):
            report.add(
                "RF710",
                f"that somebody is asked about `{rule.name}` tells what is hidden",
                rule.span,
                help="offer a window with an action in it instead: it opens whether or not there is something to do",
            )


def _openly(hidden: bool, span: Span, report: Report) -> None:
    if hidden:
        message = "asked `openly`, this tells others whether there is something to choose among what they cannot see"
        report.add("RF709", message, span, help="without `openly` the question is asked in any case")
    else:
        report.add("RF709", "`openly` changes nothing: nothing hidden decides about this question", span)


def _hidden(secrets: Secrets, action: t.Action) -> bool:
    works = action.carrier.works if action.carrier else None
    tests = tuple(x for x in (*action.needs, works) if x is not None)
    return secrets.decide(action.binders, tests) or (
        action.cost is not None and secrets.speaks_of_hidden(action.cost)
    )


def _told_by_asking(secrets: Secrets, rule: t.Rule) -> bool:
    works = rule.carrier.works if rule.carrier else None
    tests = rule.pattern.tests if rule.pattern else ()
    return any(x is not None and secrets.is_secret(x) for x in (rule.when, works, *tests)) or (
        rule.binder is not None and secrets.decide((rule.binder,))
    )

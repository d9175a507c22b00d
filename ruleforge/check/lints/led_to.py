"""RF716: attributes that some see and others do not decide whether somebody is asked, or who."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleforge.check import typed as t
from ruleforge.check.everything import phases
from ruleforge.check.secrets import Secrets
from ruleforge.check.walk import all_nodes
from ruleforge.diagnostics import Report, Span

HELP = "ask all who might be meant; those who are not can have nothing to choose, or their answer no effect"


def check(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    """Of things in hidden places nothing is said: most that are asked about have been laid open just before."""
    if not any(isinstance(hidden, t.Column) for hidden in rules.sight):
        return
    leads = _Leads(Secrets(rules, nodes))
    told: dict[Span, str] = {}
    for node in nodes:
        for question in leads.questions(node):
            told.setdefault(question.span, "that somebody is asked here tells others what is hidden")
    for phase in phases(rules):
        each = (phase.each.source, phase.each.where) if phase.each else ()
        if phase.window and any(leads.private(test) for test in (phase.when, phase.repeat, *each)):
            told[phase.span] = f"whose turn it is in `{phase.name}` tells others what is hidden"
    for span, message in told.items():
        report.add("RF716", message, span, HELP)


class _Leads:
    """What leads to questions."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets

    def questions(self, node: object) -> Iterator[t.Choose | t.Pick]:
        match node:
            case t.Choose(who=who) | t.Pick(who=who) if self.private(who):
                yield node
            case t.If() | t.For() | t.Repeat() if any(map(self.private, self._secrets.deciding(node))):
                yield from (inner for inner in all_nodes(node) if isinstance(inner, t.Choose | t.Pick))

    def private(self, what: t.Expr | None) -> bool:
        """Whether a value is worked out from an attribute that not all players see."""
        todo: list[object] = [what] if what is not None and self._secrets.is_secret(what) else []
        met: set[t.Formula] = set()
        for root in todo:
            for node in all_nodes(root):
                match node:
                    case t.Read(column=column) if self._secrets.is_private(column):
                        return True
                    case t.CallFormula(formula=formula) if formula not in met and formula.body is not None:
                        met.add(formula)
                        todo.append(formula.body)
        return False

"""Lists and mappings with too few or too many entries, or of another shape -> complaints."""

from __future__ import annotations

from ruleforge.lang.schema.messages.finding import Finding
from ruleforge.lang.source.tree import MappingNode
from ruleforge.support.diagnostics import Report


def empty(finding: Finding, report: Report) -> None:
    if isinstance(finding.node, MappingNode) and not finding.node.flow:
        return  # its only keys were refused when the file was read
    if finding.value and finding.expected > 1:
        message = f"{finding.subject} has fewer than {finding.expected} entries"
        report.add("RF208", message, finding.place, finding.about)
        return
    report.add("RF207", f"{finding.subject} is empty", finding.place, "give at least one, or delete it")


def too_many(finding: Finding, report: Report) -> None:
    many = "one entry" if finding.expected == 1 else f"{finding.expected} entries"
    message = f"{finding.subject} has more than {many}"
    help = "begin each with its own `- `" if finding.keyword == "maxProperties" else finding.about
    report.add("RF208", message, finding.place, help)


def other(finding: Finding, report: Report) -> None:
    message = f"{finding.subject} does not have the right shape"
    report.add("RF208", message, finding.place, finding.about)

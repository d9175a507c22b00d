"""Checks of a whole ruleset that give warnings: one file each, called in order."""

from __future__ import annotations

from ruleforge.check import typed as t
from ruleforge.check.lints import numbers, trials, triggers, unreachable, unused
from ruleforge.check.lints.everything import nodes
from ruleforge.diagnostics import Report

LINTS = (unused.check, unreachable.check, triggers.check, numbers.check, trials.check)


def lint(rules: t.Checked, report: Report) -> None:
    everything = tuple(nodes(rules))
    for check in LINTS:
        check(rules, everything, report)

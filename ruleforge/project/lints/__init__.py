"""Checks that give warnings: one file each, called in order."""

from __future__ import annotations

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.everything import nodes
from ruleforge.project.lints import (
    circles,
    costs,
    functions,
    laps,
    numbers,
    sizes,
    trials,
    triggers,
    unreachable,
    unused,
)
from ruleforge.support.diagnostics import Report

LOCAL = (
    numbers.check,
    trials.check,
    circles.check,
    functions.check,
    sizes.check,
    costs.check,
)
# What is never used or never happens can only be said of a ruleset that is whole.
WHOLE = (unused.check, unreachable.check, triggers.check, laps.check)


# By far the most nodes, of which no check has anything to say: each would pass them over by itself.
PLAIN = frozenset((t.Use, t.Constant, t.Read, t.Compare, t.Logic, t.Block))


def lint(rules: t.Checked, report: Report) -> None:
    everything = tuple(node for node in nodes(rules) if type(node) not in PLAIN)
    for check in LOCAL if report.has_errors else (*WHOLE, *LOCAL):
        check(rules, everything, report)

"""Lints: checks that give warnings, one module each, called in order."""

from __future__ import annotations

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import nodes
from ruleforge.project.lints import circles, definitions, numbers, trials
from ruleforge.support.diagnostics import Report

LOCAL = (
    numbers.check_numbers,
    trials.check_trials,
    circles.check,
    definitions.check_function_names,
    numbers.check_sizes,
    trials.check_costs,
)
# Only a complete ruleset shows that a definition is never used or never happens.
WHOLE = (
    definitions.check_unused,
    definitions.check_unreachable,
    definitions.check_triggers,
    definitions.check_invariants,
    numbers.check_loops,
)


# By far the most nodes, of which no check has anything to say: each would pass them over by itself.
PLAIN = frozenset((t.Use, t.Constant, t.Read, t.Compare, t.Logic, t.Block))


def lint(rules: t.Checked, report: Report) -> None:
    everything = tuple(node for node in nodes(rules) if type(node) not in PLAIN)
    for check in LOCAL if report.has_errors else (*WHOLE, *LOCAL):
        check(rules, everything, report)

"""Functions -> functions whose `pauses`, `finishes` and `offers` are closed over everything they perform."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ruleforge.analysis.dataflow import reach
from ruleforge.compiler import ir
from ruleforge.compiler.visit import statements


def close_effects(functions: Mapping[str, ir.Function]) -> dict[str, ir.Function]:
    """Mark functions that may wait for a choice, end the game or offer choices, directly or through others."""
    callers: dict[str, set[str]] = {name: set() for name in functions}
    pauses: set[str] = set()
    finishes: set[str] = set()
    offers: set[str] = set()
    for name, function in functions.items():
        for statement in statements(function.body):
            match statement:
                case ir.Perform(function=callee):
                    callers[callee].add(name)
                case ir.Ask():
                    pauses.add(name)
                case ir.Finish():
                    finishes.add(name)
                case ir.Offer():
                    offers.add(name)
    pauses, finishes, offers = ({*reach(some, callers.__getitem__)} for some in (pauses, finishes, offers))
    return {
        name: replace(function, pauses=name in pauses, finishes=name in finishes, offers=name in offers)
        for name, function in functions.items()
    }

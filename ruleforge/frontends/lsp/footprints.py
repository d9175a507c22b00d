"""A rule or action -> its footprint: what it changes, writes, emits, rolls and asks."""

from __future__ import annotations

from ruleforge.analysis.effects.shown import what_it_does
from ruleforge.contracts.company import footprints_of
from ruleforge.contracts.reading import contract_of
from ruleforge.frontends.lsp.symbols import Symbol
from ruleforge.frontends.lsp.workspace import View


def footprint(view: View, symbol: Symbol) -> list[str]:
    """A line for each thing that a rule does; nothing of rules that cannot be played."""
    analysis = view.found.analysis
    if not analysis.complete:
        return []
    prints = footprints_of(analysis, contract_of(analysis.path))
    here = symbol.span[:2]
    for deed in (*prints.deeds, *prints.core):
        if deed.span[:2] == here:
            return [f"  {line}" for line in what_it_does(deed)]
    return []

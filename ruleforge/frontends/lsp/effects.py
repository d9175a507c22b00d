"""The effect summary of a rule or action for hover: changes, events, dice, questions."""

from __future__ import annotations

from ruleforge.analysis.effects.report import what_it_does
from ruleforge.contracts.contract_reader import contract_of
from ruleforge.contracts.trial import summaries_of
from ruleforge.frontends.lsp.symbols import Symbol
from ruleforge.frontends.lsp.workspace import View


def effect_lines(view: View, symbol: Symbol) -> list[str]:
    """A line for each thing that a rule does; nothing of rules that cannot be played."""
    analysis = view.found.analysis
    if not analysis.complete:
        return []
    summaries = summaries_of(analysis, contract_of(analysis.path))
    here = symbol.span[:2]
    for effect in (*summaries.effects, *summaries.core):
        if effect.span[:2] == here:
            return [f"  {line}" for line in what_it_does(effect)]
    return []

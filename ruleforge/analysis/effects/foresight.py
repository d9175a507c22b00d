"""Find the limits of trials: the first question or chance in a piece of rules and in everything that it
calls.
"""

from __future__ import annotations

from ruleforge.analysis.effects.calls import performed_nodes
from ruleforge.lang.checker import typed as t

ASKS = (t.Choose, t.Pick, t.Sealed, t.Offer)
CHANCE = (t.Roll, t.RandomPick, t.Shuffle)


def unforeseen(*blocks: t.Block | None) -> t.Statement | None:
    """The first statement that asks a player or uses chance. None if a trial can foresee everything."""
    return next((node for node in performed_nodes(*blocks) if isinstance(node, (*ASKS, *CHANCE))), None)


def foreseen(rule: t.Rule) -> bool:
    """Whether a rule acts in a trial. It does not if it asks a player or uses chance."""
    return not rule.may and unforeseen(rule.cost, rule.body) is None

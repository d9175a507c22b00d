"""What a trial cannot foresee: the first question or chance in a piece of rules and all that it calls."""

from __future__ import annotations

from ruleforge.analysis.effects.calls import performed_nodes
from ruleforge.lang.checker import typed as t

ASKS = (t.Choose, t.Pick, t.Sealed, t.Offer)
CHANCE = (t.Roll, t.RandomPick, t.Shuffle)


def unforeseen(*blocks: t.Block | None) -> t.Statement | None:
    """The statement by which somebody is asked or something left to chance; None if all can be foreseen."""
    return next((node for node in performed_nodes(*blocks) if isinstance(node, (*ASKS, *CHANCE))), None)


def foreseen(rule: t.Rule) -> bool:
    """Does a rule act in a trial? Not if it asks somebody or leaves something to chance."""
    return not rule.may and unforeseen(rule.cost, rule.body) is None

"""What a trial cannot foresee: the first question or chance in a piece of rules and all that it calls."""

from __future__ import annotations

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import all_nodes

ASKS = (t.Choose, t.Pick, t.Sealed, t.Offer)
CHANCE = (t.Roll, t.RandomPick, t.Shuffle)


def unforeseen(*blocks: t.Block | None) -> t.Statement | None:
    """The statement by which somebody is asked or something left to chance; None if all can be foreseen."""
    seen: set[t.Event] = set()
    todo = list(blocks)
    while todo:
        block = todo.pop()
        for node in all_nodes(block) if block is not None else ():
            if isinstance(node, (*ASKS, *CHANCE)):
                return node
            if isinstance(node, t.Perform) and node.event not in seen:
                seen.add(node.event)
                todo.append(node.event.body)
    return None


def foreseen(rule: t.Rule) -> bool:
    """Does a rule act in a trial? Not if it asks somebody or leaves something to chance."""
    return not rule.may and unforeseen(rule.cost, rule.body) is None

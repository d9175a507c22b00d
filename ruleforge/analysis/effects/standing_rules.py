"""Find the triggers of a standing rule, and whether its effect makes its condition false."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.analysis.effects.calls import evaluated_nodes
from ruleforge.analysis.effects.summary import EffectSummary, Key, Write
from ruleforge.lang.checker import typed as t


def keys_of(effect: EffectSummary) -> set[Key]:
    """The keys that its condition reads, in the form of emissions: attributes, and kinds of moved, created
    or removed things.
    """
    return {_key(node) for node in _questions(effect) if _key(node)}


def rests(effect: EffectSummary) -> bool:
    """Whether the effect of a rule changes what its condition tests, so that the case is settled."""
    rule = effect.rule
    if rule is None or rule.may:
        return True
    keys = keys_of(effect)
    writes = [w for w in effect.writes if ("set", w.column.kind.name, w.column.name) in keys]
    moved = any(emission.key in keys for emission in effect.emits if emission.key[0] == "move")
    gone = any(occasion.what == "remove" for occasion in effect.occasions)
    return moved or gone or any(not _goes_on(effect, write) for write in writes)


def _questions(effect: EffectSummary) -> Iterator[object]:
    rule = effect.rule
    binder = rule.binder if rule is not None else None
    roots = [rule.when if rule is not None else None, binder.where if binder is not None else None]
    roots.append(binder.source if binder is not None else None)
    return evaluated_nodes(*roots)


def _key(node: object) -> Key:
    match node:
        case t.Read(column=column) if not column.constant:
            return ("set", column.kind.name, column.name)
        case t.Content(place=place) | t.Family(place=place):
            return ("move", place.holds.name)
        case t.All(kind=kind) if kind.pool:
            return ("new", kind.name)
    return ()


def _goes_on(effect: EffectSummary, write: Write) -> bool:
    """Whether a change keeps a condition true: `x > 3`, and x goes up."""
    for test in _questions(effect):
        match test:
            case t.Compare(op=op, left=t.Read(column=column), right=t.Constant()) if column is write.column:
                return (op in (">", ">=") and write.op == "up") or (op in ("<", "<=") and write.op == "down")
    return False

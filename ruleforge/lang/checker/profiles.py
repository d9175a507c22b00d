"""Checks profiles: the worth of each choice to a way of playing, over the things that the choice names."""

from __future__ import annotations

from collections.abc import Iterable

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.can_act import Acting
from ruleforge.lang.checker.names import last_word
from ruleforge.lang.checker.scope import Scope
from ruleforge.lang.checker.types import NumberT
from ruleforge.lang.model import ruleset as m
from ruleforge.support.diagnostics import Edit
from ruleforge.support.spelling import nearest

SEATS = ("human", "greedy", "mcts", "remote")  # who may sit at a table in every game


class Profiles:
    def __init__(self, acting: Acting) -> None:
        self.acting = acting
        self.symbols, self.parsed = acting.symbols, acting.parsed

    def of(self, sources: Iterable[m.Profile], actions: Iterable[t.Action]) -> dict[str, t.Profile]:
        """By name; `actions` are all that can be chosen."""
        known = {action.name: action for action in actions}
        found = {}
        for source in sources:
            if source.id in SEATS:
                message = f"`{source.id}` already names a seat in every game"
                self.symbols.error("RF505", message, source.span, "give the profile another name")
            weights = (self._weight(weight, known) for weight in source.weighs)
            read_weights = tuple(weight for weight in weights if weight is not None)
            words = (source.title or source.id, source.text or "", source.cites)
            found[source.id] = t.Profile(source.id, source.span, read_weights, *words)
        return found

    def _weight(self, source: m.Weight, actions: dict[str, t.Action]) -> t.Weight | None:
        action = actions.get(source.id)
        if action is None:
            near = nearest(source.id, actions)
            help = f"did you mean `{near}`?" if near else None
            if not self.symbols.error_nodes.may_hold(source.id):
                fix = (Edit(source.span, near),) if near else ()
                self.symbols.error("RF501", f"unknown action `{source.id}`", source.span, help, fix)
            return None
        bearer, _, name = source.id.rpartition(".")
        self.symbols.uses.name("action", name, last_word(source.span, name), bearer)
        node = self.parsed.expr(source.value) if source.value is not None else None
        if node is None or source.value is None:
            return None
        named = named_by_choice(action)
        scope = Scope().bind(action.me, *named)
        value = self.acting.expressions.wanted(node, scope, NumberT(0, 0), "the worth of a choice")
        return t.Weight(action, action.me, named, value, source.value.text)


def named_by_choice(action: t.Action) -> tuple[t.Variable, ...]:
    """The variables that one choice of the action names: all of a `joined` action, or else the first; sets
    are excluded.
    """
    carried = () if action.carrier is None else (action.carrier.this,)
    if not action.joined:
        first = () if carried else action.binders[:1]
        return (*carried, *(b.variable for b in first if isinstance(b, t.Binder)))
    closed = [isinstance(b, t.Several) and b.size is None for b in action.binders]
    reach = closed.index(True) if True in closed else len(closed)
    return (*carried, *(b.variable for b in action.binders[:reach] if isinstance(b, t.Binder)))

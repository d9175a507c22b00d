"""Type checks `can_act(p, turn)`, which tests the rules of choices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.expressions.arguments import values_given
from ruleforge.lang.checker.names import first_word
from ruleforge.lang.checker.types import ERROR, FLAG, SetT, ThingT
from ruleforge.lang.checker.walk import phases_of
from ruleforge.lang.parser import nodes as n
from ruleforge.support.spelling import listed

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope


class Offered(NamedTuple):
    """An action with the phase that offers it, or none for a window."""

    action: t.Action
    phase: t.Phase | None


def word_of(action: t.Action) -> str:
    """The name that players use for an action, without the thing that it is printed on."""
    return action.name.rsplit(".", 1)[-1]


def offered(rules: t.Checked, node: t.CanAct) -> Iterator[Offered]:
    """All that is asked for: every action, once for each phase or window."""
    phases = {phase.name: phase for phase in phases_of(rules.flow)}
    for action in rules.actions.values():
        if not node.is_action or word_of(action) == node.name:
            for name in action.during if node.is_action else (node.name,):
                if name in action.during:
                    yield Offered(action, phases.get(name))


def parameters_of(offer: Offered) -> list[object]:
    """The parts that decide whether an action can be taken in a phase."""
    action, phase = offer
    holds = (*action.holds, *(phase.holds if phase is not None else ()))
    found: list[object] = [
        *action.binders,
        *action.needs,
        action.cost,
        *holds,
        *([action.body] if holds else []),
    ]
    if action.carrier is not None:
        found += carried_by(action.carrier)
    return [text for text in found if text is not None]


def carried_by(carrier: t.Carrier) -> list[object]:
    """The parts that decide which things carry an action or rule, and which player controls them."""
    controller, this = carrier.conduct.controller, t.Use(carrier.this.span, carrier.this.type, carrier.this)
    found: list[object] = [t.All(this.span, SetT(carrier.kind.name), carrier.kind), carrier.works]
    found += [controller.value] if controller is not None else []
    found += [t.KeywordsOf(this.span, SetT("keyword"), this)] if carrier.keyword is not None else []
    return found


def check_can_act(checker: Expressions, node: n.Call, scope: Scope) -> t.Expr:
    """A player, then the phase, window or action; it can be left out where there is only one occasion to act."""
    who = checker.wanted(node.arguments[0], scope, ThingT("player"), "`can_act`")
    symbols = checker.symbols
    occasions = {**dict.fromkeys(symbols.acting), **dict.fromkeys(symbols.windows)}
    if len(node.arguments) == 1:
        if len(occasions) == 1:
            return _can_answer(checker, node, who, n.Name(node.span, *occasions), scope)
        help = f"name one: {listed([f'can_act(.., {name})' for name in occasions], 'or')}"
        return symbols.error("RF504", "players act in several phases or windows", node.span, help)
    return _can_answer(checker, node, who, node.arguments[1], scope)


def _can_answer(checker: Expressions, node: n.Call, who: t.Expr, wanted: n.Expr, scope: Scope) -> t.Expr:
    symbols = checker.symbols
    if not isinstance(wanted, n.Name | n.Call):
        return symbols.error("RF502", "`can_act` needs the name of a phase, window or action", wanted.span)
    name = wanted.id if isinstance(wanted, n.Name) else wanted.name
    is_occasion, is_action = name in symbols.acting or name in symbols.windows, name in symbols.offered
    if is_occasion and is_action:
        message = f"`{name}` names an action and also a phase or window"
        return symbols.error("RF505", message, wanted.span, "give one of them another name")
    if not is_occasion and not is_action:
        known = [*symbols.acting, *symbols.windows, *symbols.offered]
        return symbols.unknown("phase, window or action", name, first_word(wanted.span, name), known)
    if wanted.span != node.span:
        _noted(checker, wanted, name)
    call = wanted if isinstance(wanted, n.Call) else n.Call(wanted.span, name, ())
    places = [during for _, during in symbols.offered[name]] if is_action else [(name,)]
    given = {symbols.given_in(during) for during in places}
    if len(given) > 1:
        return symbols.error("RF505", f"`{name}` is offered in several windows", wanted.span, "name one")
    arguments = values_given(checker, call, given.pop(), scope)
    if who.type != ThingT("player"):
        return t.Constant(node.span, ERROR, 0)
    return t.CanAct(node.span, FLAG, who, name, is_action, arguments)


def _noted(checker: Expressions, wanted: n.Expr, name: str) -> None:
    symbols, here = checker.symbols, first_word(wanted.span, name)
    if name in symbols.offered:
        for bearer, _ in symbols.offered[name]:
            symbols.uses.name("action", name, here, bearer)
    else:
        symbols.uses.name("phase" if name in symbols.acting else "window", name, here)

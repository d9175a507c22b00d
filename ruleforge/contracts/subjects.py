"""`subjects` finds the players and things that a change is about, and the state that it depends on."""

from __future__ import annotations

from ruleforge.analysis.effects.summary import ME, Change, EffectSummary, Who
from ruleforge.analysis.effects.values import Known
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.checker.walk import all_nodes


def is_about_new(effect: EffectSummary, new_things: frozenset[tuple[str, int]]) -> bool:
    """Whether things of packs carry it, or its trigger asks for one."""
    carrier = effect.carrier
    if carrier is not None and carrier.things is not None:
        numbers = carrier.things
        if numbers and all((carrier.kind.name, number) in new_things for number in numbers):
            return True
    pattern = effect.rule.pattern if effect.rule else None
    for variable in pattern.parameters if pattern else ():
        known = effect.environment.get(variable)
        if isinstance(known, Known) and known.things and isinstance(variable.type, ThingT):
            kind = variable.type.kind
            if all((kind, number) in new_things for number in known.things):
                return True
    return carrier is None and pattern is None


def actor(effect: EffectSummary | None) -> Who:
    """The player who owns the rule: `me`, or else the first player in its trigger."""
    mine = (
        effect is None
        or effect.action is not None
        or (effect.carrier is not None and effect.carrier.me is not None)
    )
    return ME if mine or effect is None or not effect.subjects else Who(0)


def is_whose(change: Change, effect: EffectSummary, whose: str) -> bool:
    """Whether the change concerns the player's own things, or another player's: the target decides, else the
    conditions.
    """
    if change.who is not None and change.who.base == ME.base:
        return change.who == (ME if whose == "own" else ME.flipped())
    for test in effect.conditions:
        if not isinstance(test, t.Compare) or test.op not in ("==", "!="):
            continue
        if not isinstance(test.left.type, ThingT) or test.left.type.kind != "player":
            continue
        sides = [_side(effect, side) for side in (test.left, test.right)]
        if "me" in sides and None in sides:
            return (test.op == "==") is (whose == "own")
        if "other" in sides and None in sides:
            return (test.op == "==") is (whose == "enemy")
    return False


def _side(effect: EffectSummary, node: t.Expr) -> str | None:
    """`me`, another player, or None for a player who depends on the thing."""
    if isinstance(node, t.Opponent) or (isinstance(node, t.Builtin) and node.name in ("next", "previous")):
        return "other"
    known = effect.environment.get(node.variable) if isinstance(node, t.Use) else None
    if isinstance(known, Known) and known.who is not None:
        return "me" if known.who == ME else "other" if known.who == ME.flipped() else None
    return None


def is_about_one(effect: EffectSummary) -> bool:
    """Whether its condition selects a single thing, or one for each thing of a kind: `any(w.post is c)`."""
    pattern = effect.rule.pattern if effect.rule else None
    if pattern is None:
        return True
    bound = frozenset(pattern.parameters)
    return any(_says_which(test, bound) for test in effect.conditions)


def _says_which(test: t.Expr, bound: frozenset[t.Variable]) -> bool:
    match test:
        case t.Compare(op="==", left=left, right=right):
            return _is_the_one(left, right, bound) or _is_the_one(right, left, bound)
        case t.Logic(op="and", parts=tests):
            return any(_says_which(part, bound) for part in tests)
        case t.Aggregate(op="any", binder=t.Binder(where=t.Expr() as where)):
            return _says_which(where, bound)
    return False


def _is_the_one(one: t.Expr, other: t.Expr, bound: frozenset[t.Variable]) -> bool:
    """Is one of what a rule is about, which is no player, the value of something that does not hang on it?"""
    if not isinstance(one, t.Use) or one.variable not in bound:
        return False
    free = any(isinstance(x, t.Use) and x.variable in bound for x in all_nodes(other))
    return isinstance(one.type, ThingT) and one.type.kind != "player" and not free


def hangs_on_subject(effect: EffectSummary) -> bool:
    """Whether the amount of a modifier differs between subjects."""
    rule = effect.rule
    if rule is None or rule.pattern is None or rule.amount is None:
        return False
    used = (node.variable for node in all_nodes(rule.amount) if isinstance(node, t.Use))
    return any(variable in rule.pattern.parameters for variable in used)


def hangs_on_play(node: t.Expr) -> bool:
    """Whether it depends on an attribute or on the place of a thing, also by way of formulas."""
    moving = (t.Content, t.Family, t.Whereabouts, t.AtPlace, t.Active, t.CanAct, t.Would, t.KeywordsOf)
    for part in all_nodes(node):
        if isinstance(part, moving) or (isinstance(part, t.Read) and not part.column.constant):
            return True
        if isinstance(part, t.CallFormula):
            body = part.formula.body
            if part.formula.open or (body is not None and hangs_on_play(body)):
                return True
    return False

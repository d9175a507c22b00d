"""`warnings` finds effects that leave another player without any resource to pay with."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.analysis.effects.summary import EffectSummary, Write, name_of
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.subjects import actor
from ruleforge.contracts.trial import Trial, subject
from ruleforge.lang.checker import typed as t


def warnings(trial: Trial) -> Iterator[Fault]:
    """Warn of effects that empty every bounded resource again and again: their victim can pay for no action
    of the core.
    """
    bounded = {one.of.text for one in trial.contract.bounded}
    for effect in trial.summaries.effects:
        if not effect.origin or (effect.limit is not None and effect.limit.per == "game"):
            continue
        emptied = [
            write for write in effect.writes if name_of(write.column) in bounded and _takes_all(write, effect)
        ]
        if bounded and {name_of(write.column) for write in emptied} == bounded:
            listed = " and ".join(f"`{name}`" for name in sorted(bounded))
            why = f"{subject(effect)} takes all {listed} of another player, who then cannot pay for anything"
            repair = "leave some of it, or add `limit: once per game`"
            yield Fault(
                "warning", "RF925", effect.origin, (effect.name,), (emptied[0].span,), why, repair=repair
            )


def _takes_all(write: Write, effect: EffectSummary) -> bool:
    """Whether an effect takes all of a resource from a player who is not its owner."""
    if write.paid or write.who == actor(effect):
        return False
    if write.op == "set":
        return write.amount.high <= 0
    return write.op == "down" and write.store is not None and _is_all_of_it(write.store, write.column)


def _is_all_of_it(store: t.Store, column: t.Column) -> bool:
    """`x.sp -= x.sp`, also where the amount is spelt otherwise."""
    match store.value:
        case t.Arithmetic(op="-", left=left, right=right):
            return _reads(left, column) and _reads(right, column)
        case value:
            return _reads(value, column)


def _reads(value: t.Expr, column: t.Column) -> bool:
    return isinstance(value, t.Read) and value.column is column

"""`weighed` gives each choice of a waiting state its weight in a profile, as the deciding player may know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import PathError, PlayError
from ruleforge.engine.evaluate import Given, evaluate
from ruleforge.engine.visibility.conditions import EVERYTHING, Visibility
from ruleforge.support.spelling import listed

if TYPE_CHECKING:
    from ruleforge.backends.artifacts.compiled import Weighing
    from ruleforge.engine.state import State


def weighed(state: State, profile: str) -> tuple[int, ...]:
    """One number for each of the state's choices.

    The checker ensures that a profile reads only values that its player sees (RF713).
    """
    weighings = state.game.compiled.profiles.get(profile)
    if weighings is None:
        known = listed(state.game.compiled.profiles, "and")
        raise PlayError("RF844", f"there is no profile `{profile}`; there are {known or 'none'}")
    return tuple(_worth(state, weighings.get(choice.action or ""), choice) for choice in state.choices)


def _worth(state: State, weighing: Weighing | None, choice: Choice) -> int:
    if weighing is None:
        return 0
    variant, decision = state._variant, state.decision
    assert decision is not None
    wording = variant.wordings[choice.site]
    assert wording is not None
    seat = variant.program.kinds[0].things.index(decision.player, 1)
    named = wording.by_name(choice._code)
    if choice.code != choice._code:  # chosen by where it lies: what it is, is not known here
        visible, kinds = Visibility(variant, state._row), dict(wording.kinds_by_name(choice._code))
        named = {n: x for n, x in named.items() if (k := kinds[n]) is None or visible.thing(seat, k, x)}

    def words(name: str, count: int) -> tuple[int, ...] | None:
        return (seat,) if name == weighing.me else (named[name],) if name in named else None

    try:
        value = evaluate(variant, state._row, weighing.text, EVERYTHING, Given(weighing.scope, words))
    except PathError:
        if choice.code == choice._code:
            raise
        return 0  # it would hang on what the player cannot see
    assert isinstance(value, int)
    return value

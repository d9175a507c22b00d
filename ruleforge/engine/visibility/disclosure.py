"""`disclosure` finds the answers that are still sealed, and whether the way to another position told a seat
something.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.backends.api import words
from ruleforge.compiler.ir import RNG_A, RNG_B
from ruleforge.engine.paths import AttributePath
from ruleforge.engine.visibility.conditions import Visibility
from ruleforge.engine.visibility.frames import sealed_answers

if TYPE_CHECKING:
    from ruleforge.engine.base_state import BaseState


def sealed_players(state: BaseState) -> tuple[str, ...]:
    """The players who have answered the question that others are still asked in secret."""
    variant = state._variant
    waiting = sealed_answers(variant, words(state._row, variant.program))
    return tuple(variant.player_names[answer.player - 1] for answer in waiting)


def has_learned(before: BaseState, after: BaseState, viewer: int) -> bool:
    """Whether the generator was used, sealed answers of others were revealed, or the player sees a secret."""
    if any(before._row[word] != after._row[word] for word in (RNG_A, RNG_B)):
        return True
    return sees_more(before, after, viewer)


def sees_more(before: BaseState, after: BaseState, viewer: int) -> bool:
    """Whether sealed answers of others were revealed, or the player sees a value or thing that was hidden."""
    variant = before._variant
    if _brought_to_light(before, after, viewer):
        return True
    then, now = Visibility(variant, before._row), Visibility(variant, after._row)
    for kind, info in enumerate(variant.program.kinds):
        if not variant.holders(kind):
            continue
        for thing in range(1, len(info.things)):
            if now.thing(viewer, kind, thing) and not then.thing(viewer, kind, thing):
                return True
    return any(
        now.attribute(viewer, path.column, path.indices)
        and not then.attribute(viewer, path.column, path.indices)
        and _was_secret(before, after, then, path)
        for path in variant.paths.attributes
        if path.info.sees is not None
    )


def _brought_to_light(before: BaseState, after: BaseState, viewer: int) -> bool:
    variant = before._variant
    waiting = sealed_answers(variant, words(after._row, variant.program))
    then = sealed_answers(variant, words(before._row, variant.program))
    return any(answer not in waiting for answer in then if answer.player != viewer)


def _was_secret(before: BaseState, after: BaseState, then: Visibility, path: AttributePath) -> bool:
    """Whether a value was a secret: not set just now, and either changed since the start or seen by a player."""
    words = slice(path.slot, path.slot + path.info.words)
    old = list(before._row[words])
    if old != list(after._row[words]):
        return False
    players = range(1, len(before._variant.player_names) + 1)
    untouched = old == list(before._variant.program.start[words])
    return not untouched or any(then.attribute(player, path.column, path.indices) for player in players)

"""`standings` values a position for each player: the scores at the end, and estimates before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ruleforge.engine.state import State


def standings(state: State) -> list[int]:
    """In turn order: scores, or what `heuristic` says, or the scores so far; all equal if the rules have neither."""
    variant, outcome = state._variant, state.outcome
    if outcome is not None:
        return list(outcome.scores.values())
    function = variant.program.heuristic or variant.program.score
    if function is None:
        return [0] * len(state.players)
    row = variant.scratch(state._row)
    return [
        variant.ask(function, row, (variant.player_number(name),), f"the standing of `{name}` is not known")
        for name in state.players
    ]


def rewards(state: State) -> list[float]:
    """The same brought to 0..1, the best to 1, so that one constant serves all games."""
    worth = standings(state)
    low, high = min(worth), max(worth)
    if low == high:
        return [0.5] * len(worth)
    return [(value - low) / (high - low) for value in worth]

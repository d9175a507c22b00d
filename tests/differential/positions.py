"""Counting positions through the Python API: the oracle anybody can recompute."""

from __future__ import annotations

from collections import Counter

from ruleforge import State

# Leaves at depth 1, 2, 3, ...; a game that is over earlier has no leaves further down.
PERFT: dict[str, tuple[int, ...]] = {
    "tic-tac-toe": (9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872),
    "connect-four": (7, 49, 343, 2401, 16807, 117649, 823536, 5673234),
    "breakthrough": (22, 484, 11132, 256036, 6182818),
    "hex": (121, 14520, 1727880),
}


def perft(state: State, depth: int) -> int:
    """The number of lines of play of exactly this length."""
    if state.outcome is not None:
        return 0
    if depth == 1:
        return len(state.choices)
    total = 0
    for choice in state.choices:
        child = state.copy()
        child.apply(choice)
        total += perft(child, depth - 1)
    return total


def census(
    state: State, depths: list[int], endings: Counter[tuple[str, tuple[str, ...]]], depth: int = 0
) -> None:
    """Walk the whole tree below a state: positions by depth, and games by ending and winners."""
    outcome = state.outcome
    if outcome is not None:
        endings[outcome.reason, outcome.winners] += 1
        return
    for choice in state.choices:
        child = state.copy()
        child.apply(choice)
        depths[depth] += 1
        census(child, depths, endings, depth + 1)

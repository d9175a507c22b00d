"""Two games -> whether they are one game under two names: every player sees the same numbers after the same choices."""

from __future__ import annotations

import random

from ruleforge.engine.errors import IllegalChoice
from ruleforge.engine.game import Game
from ruleforge.engine.state import State


def first_difference(one: Game, other: Game, games: int, most: int, seed: int = 0) -> str:
    """Plays random games in both, choice by choice; gives where they differ first, in words, or nothing."""
    rng = random.Random(seed)
    for number in range(games):
        low, high = one.info.players
        players = low + number % (high - low + 1)
        pair = one.start(players=players, seed=number), other.start(players=players, seed=number)
        for made in range(most):
            difference = _difference(*pair)
            if difference:
                return f"game {number}, after {made} choices: {difference}"
            if not pair[0].choices or not _make(pair, rng):
                break
    return ""


def _difference(one: State, other: State) -> str:
    if _seen(one) != _seen(other):
        return "the players see different things"
    if _codes(one) != _codes(other):
        return "there are other choices"
    if _decider(one) != _decider(other):
        return "another player decides"
    return "" if _scores(one) == _scores(other) else "the scores differ"


def _seen(state: State) -> list[list[int]]:
    """What each player sees, as numbers, in which no name occurs. Fingerprints of positions are no part of it."""
    return [list(state.observation(player)) for player in state.players]


def _codes(state: State) -> list[tuple[int, int]]:
    """The choices without their order: those about hidden things are listed by their words."""
    return sorted((choice.site, choice.code) for choice in state.choices)


def _decider(state: State) -> int | None:
    decision = state.decision
    return None if decision is None or decision.is_chance else state.players.index(decision.player)


def _scores(state: State) -> tuple[int, ...] | None:
    return None if state.outcome is None else tuple(state.outcome.scores.values())


def _make(pair: tuple[State, State], rng: random.Random) -> bool:
    """The same choice in both; False where a limit of the rules stops it."""
    pick = rng.choice(_codes(pair[0]))
    stopped = []
    for state in pair:
        try:
            state.apply(next(choice for choice in state.choices if (choice.site, choice.code) == pick))
        except IllegalChoice as refusal:
            stopped.append(refusal.reasons[0].code)
    return not stopped

"""What lock-step must know of a game that both sides have: names, seats, and how a choice is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ruleforge import State

ParserMessage = (
    str | tuple[str, ...] | frozenset[tuple[str, ...]]
)  # a choice, its parts, or all ways to say them


class Differs(Exception):
    """Both sides do not agree."""


def ways(said: ParserMessage) -> list[tuple[str, ...]]:
    """All ways to say an action, each part by part."""
    if isinstance(said, frozenset):
        return sorted(said)
    return [(said,) if isinstance(said, str) and said else tuple(said)]


def same_scores(state: State, peer: Any, seats: tuple[int, ...]) -> bool:
    outcome, returns = state.outcome, peer.returns()
    assert outcome is not None
    return list(outcome.scores.values()) == [returns[seat] for seat in seats]


def same_winners(state: State, peer: Any, seats: tuple[int, ...]) -> bool:
    """Whoever has the most, which is everybody where they let nobody win."""
    outcome, returns = state.outcome, peer.returns()
    assert outcome is not None
    most = max(returns)
    winners = tuple(
        player for player, seat in zip(state.players, seats, strict=True) if returns[seat] == most
    )
    return outcome.winners == winners


def never(_peer: Any) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Peer:
    """One game of OpenSpiel beside one of ours.

    `said` turns an action of theirs into our choice: several in a row if they take them together, in all orders if ours
    is free, the empty text if they ask where only one thing can be done and our rules ask nobody. Both must offer the
    same at every step.
    """

    game: str  # their name, with parameters
    said: Callable[[Any, int], ParserMessage]
    options: Mapping[str, int | str | bool] = field(default_factory=dict)  # ours
    players: int | None = None
    seats: tuple[int, ...] = ()  # their number of each of our players; in order if empty
    same_end: Callable[[State, Any, tuple[int, ...]], bool] = same_scores
    stops: Callable[[Any], bool] = never  # whether they are over for a reason our rules do not have
    knows: str = (
        ""  # the method that says what a player may know, where something is hidden: now, or of all so far
    )
    alike: Callable[[str], str] = str  # what is seen, with things called the same that are one thing there
    deals: Callable[[Any, int], tuple[str, ...]] | None = (
        None  # where chance is cut otherwise: our part of an outcome
    )
    leans: Callable[[Any, int], float] | None = (
        None  # what an action is worth; the best is taken half of the time, for games that chance leads astray
    )
    games: int = 300  # how many are played by every run of the tests

    def nobody_is_asked(self, other: Any) -> bool:
        """Whether there is nothing to choose: they ask, our rules ask nobody."""
        actions = other.legal_actions()
        return len(actions) == 1 and ways(self.said(other, actions[0])) == [()]

    def advance(self, state: State, other: Any, action: int) -> None:
        """One action of theirs on both sides."""
        dealt = self.deals is not None and other.is_chance_node()
        texts = self.deals(other, action) if dealt and self.deals else ways(self.said(other, action))[0]
        for text in texts:
            state.apply(text)
        other.apply_action(action)

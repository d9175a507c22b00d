"""What players may know here and there: what is apart for one side is apart for the other.

Random games hardly ever meet: whatever a player were shown too much of would never be noticed. So a game is played once
more for a player, with other outcomes of chance and other answers where the peer says that this player cannot tell.
"""

from __future__ import annotations

import difflib
import json
import random
from collections.abc import Callable
from typing import Any, Protocol

import ruleforge
from tests.lockstep.peer import Differs


class Both(Protocol):
    """The two sides of a game."""

    def nobody_is_asked(self, other: Any) -> bool:
        """Whether there is nothing to choose: they ask, our rules ask nobody."""

    def advance(self, state: ruleforge.State, other: Any, action: int) -> None:
        """One action of theirs on both sides."""


class Knowledge:
    """Where the peer tells what a player remembers, what was seen here counts from the beginning of the game."""

    def __init__(self, method: str, seats: tuple[int, ...], alike: Callable[[str], str]) -> None:
        self._method, self.seats, self._one_of = method, seats, alike
        self._remembers = method == "information_state_string"
        self._seen: dict[str, tuple[str, ...]] = {}
        self._there: dict[tuple[str, tuple[str, ...]], str] = {}
        self._here: dict[tuple[str, str], tuple[str, ...]] = {}

    def begin(self) -> None:
        self._seen = {}

    def told(self, other: Any, seat: int) -> str:
        """What the peer tells a player, and who is asked."""
        told = getattr(other, self._method)(seat)
        text = told if isinstance(told, str) else told.to_json()
        return f"{text}\nplayer {other.current_player()} is asked"

    def compare(self, state: ruleforge.State, other: Any, only: int | None = None) -> None:
        """What all players see and are told, or one of them."""
        if not self._method or other.is_chance_node():
            return
        decision = state.decision
        for player, seat in zip(state.players, self.seats, strict=True):
            if only not in (None, seat):
                continue
            if decision is not None and decision.kind == "secret" and decision.player != player:
                continue  # what is sealed is not told again to who sealed it
            now = self._one_of(json.dumps(state.view(player), sort_keys=True))
            before = self._seen.get(player, ()) if self._remembers else ()
            seen = self._seen[player] = before if before[-1:] == (now,) else (*before, now)
            told = self.told(other, seat)
            if self._there.setdefault((player, seen), told) != told:
                raise Differs(
                    f"{player} sees the same, but is told apart{_apart(self._there[player, seen], told)}"
                )
            if self._here.setdefault((player, told), seen) != seen:
                raise Differs(
                    f"{player} is told the same, but sees apart{_apart(self._here[player, told], seen)}"
                )

    def once_more(
        self, state: ruleforge.State, other: Any, played: list[int], both: Both, rng: random.Random
    ) -> int:
        """The same game as far as one player can tell, and until this ends; so many decisions were compared.

        Two outcomes of chance have changed places in it: a card of another hand with one of the stock, perhaps.
        """
        seat, first = rng.choice(self.seats), other.clone()
        compared, swap = 0, _swap(first.clone(), played, rng)
        self.begin()
        for action in played:
            if not other.is_chance_node() and not both.nobody_is_asked(other):
                if self.told(other, seat) != self.told(first, seat):
                    break
                self.compare(state, other, seat)
                compared += 1
            own = other.current_player() == seat
            first.apply_action(action)
            found = (
                action if own else self._alike(other, swap.get(action, action), self.told(first, seat), seat)
            )
            if found not in other.legal_actions():
                break
            both.advance(state, other, found)
        return compared

    def _alike(self, other: Any, wanted: int, told: str, seat: int) -> int:
        """What is wanted, if this player cannot tell it from what happened in the first game; else what can be."""
        actions = sorted(other.legal_actions(), key=lambda action: action != wanted)
        return next((one for one in actions if self.told(other.child(one), seat) == told), wanted)


def _apart(one: str | tuple[str, ...], another: str | tuple[str, ...]) -> str:
    """The lines in which two texts differ, or what was seen at the first moment that differs."""
    if isinstance(one, tuple):
        n = next((n for n, (a, b) in enumerate(zip(one, another, strict=False)) if a != b), -1)
        one, another = (seen[n].replace(", ", "\n") for seen in (one, another))
    lines = difflib.unified_diff(one.splitlines(), str(another).splitlines(), n=0, lineterm="")
    return "".join(f"\n{line}" for line in lines)


def _swap(other: Any, played: list[int], rng: random.Random) -> dict[int, int]:
    """Two outcomes of chance, of which one at least happened."""
    found: list[tuple[int, list[int]]] = []
    for action in played:
        if other.is_chance_node():
            found.append((action, other.legal_actions()))
        other.apply_action(action)
    if not found:
        return {}
    one, outcomes = rng.choice(found)
    another = rng.choice(outcomes)
    return {one: another, another: one}

"""What a player was shown, counted over the whole tree: equal to the published information sets."""

from __future__ import annotations

import json

import pytest

import ruleforge

Shown = tuple[str, ...]


@pytest.mark.parametrize(("name", "expected"), [("kuhn-poker", 12), ("leduc-poker", 936)])
def test_information_sets(name: str, expected: int) -> None:
    state = ruleforge.load(name).start(chance="explicit")
    found: set[tuple[str, Shown]] = set()
    _walk(state, {player: (_view(state, player),) for player in state.players}, found)
    assert len(found) == expected


def _walk(state: ruleforge.State, shown: dict[str, Shown], found: set[tuple[str, Shown]]) -> None:
    """`shown` is everything each player saw on the way here: what happened, and the table after it."""
    decision = state.decision
    if decision is None:
        return
    if not decision.is_chance:
        found.add((decision.player, shown[decision.player]))
    for choice in state.choices:
        child = state.copy()
        events = child.apply(choice)
        _walk(
            child,
            {
                player: (*before, *map(str, events.seen_by(player)), _view(child, player))
                for player, before in shown.items()
            },
            found,
        )


def _view(state: ruleforge.State, player: str) -> str:
    return json.dumps(state.view(player), sort_keys=True)

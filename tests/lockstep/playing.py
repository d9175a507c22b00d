"""Random games played on both sides at once: who is asked, all that is offered, how it ends, what each may know."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pyspiel

import ruleforge
from tests.lockstep.knowing import Knowledge
from tests.lockstep.peer import Differs, Peer, ways
from tests.shelf import game as shelved

TWINS = 1  # times a game is played once more, where something is hidden


@dataclass(slots=True)
class Tally:
    """What was compared, and what was not the same."""

    games: int = 0
    decisions: int = 0
    stopped: int = 0  # games that only the peer ended
    again: int = 0  # decisions at which it was asked whether a player is shown too much
    differences: list[str] = field(default_factory=list)


def in_step(name: str, peer: Peer, games: int, seed: int = 1, backend: str = "python") -> Tally:
    """So many random games; each is left at its first difference. A variant is named behind a colon."""
    game, theirs = shelved(name.partition(":")[0], backend=backend), pyspiel.load_game(peer.game)
    rng, tally = random.Random(f"{name} {seed}"), Tally()
    start = game.start(peer.players, options=dict(peer.options), chance="explicit")
    seats = peer.seats or tuple(range(len(start.players)))
    knowledge = Knowledge(peer.knows, seats, peer.alike)
    for _ in range(games):
        tally.games += 1
        try:
            played = _play(start.copy(), theirs.new_initial_state(), peer, rng, tally, knowledge)
            if peer.knows:
                tally.again += sum(
                    knowledge.once_more(start.copy(), theirs.new_initial_state(), played, peer, rng)
                    for _ in range(TWINS)
                )
        except Differs as found:
            tally.differences.append(f"{name}: {found}")
    return tally


def _play(
    state: ruleforge.State, other: Any, peer: Peer, rng: random.Random, tally: Tally, knowledge: Knowledge
) -> list[int]:
    """One game; what was played in it, as the peer has it."""
    seats = knowledge.seats
    knowledge.begin()
    while not other.is_terminal():
        if peer.deals is not None and other.is_chance_node():
            _deal(state, other, peer.deals, rng)
            continue
        if peer.nobody_is_asked(other):
            other.apply_action(other.legal_actions()[0])
            continue
        said = [
            (action, parts) for action in other.legal_actions() for parts in ways(peer.said(other, action))
        ]
        asked = "chance" if other.is_chance_node() else state.players[seats.index(other.current_player())]
        tally.decisions += 1
        knowledge.compare(state, other)
        other.apply_action(_choose(state, asked, said, other, rng, peer.leans))
    while (
        state.outcome is None and len(state.choices) == 1
    ):  # what is forced at the end is done for the players there
        state.apply(state.choices[0])
    if peer.stops(other):
        tally.stopped += 1
    elif state.outcome is None:
        raise Differs(f"not over\n{other}\n{state}")
    elif not peer.same_end(state, other, seats):
        raise Differs(f"ends otherwise: {state.outcome} {state.outcome.scores} {other.returns()}\n{other}")
    return list(other.history())


def _deal(
    state: ruleforge.State, other: Any, deals: Callable[[Any, int], tuple[str, ...]], rng: random.Random
) -> None:
    """What chance brings there happens here, too."""
    outcomes, odds = zip(*other.chance_outcomes(), strict=True)
    action = rng.choices(outcomes, odds)[0]
    for text in deals(other, action):
        if state.decision is None or state.decision.player != "chance":
            raise Differs(f"chance has nothing to say here\n{other}\n{state}")
        state.apply(text)
    other.apply_action(action)


def _choose(
    state: ruleforge.State,
    asked: str,
    actions: list[tuple[int, tuple[str, ...]]],
    other: Any,
    rng: random.Random,
    leans: Callable[[Any, int], float] | None,
) -> int:
    """Make a choice here, part by part, each time with the same offers on both sides; returns their action."""
    chance = dict(other.chance_outcomes()) if other.is_chance_node() else {}
    meant = actions
    if leans is not None and not chance and rng.random() < 0.5:
        worth = {action: leans(other, action) for action, _ in actions}
        meant = [(action, parts) for action, parts in actions if worth[action] == max(worth.values())]
    number = 0
    while True:
        decision = state.decision
        if decision is None:
            raise Differs(f"over too early: {state.outcome}\n{other}")
        if decision.player != asked:
            raise Differs(f"{decision.player} is asked, not {asked}\n{other}")
        wanted = sorted({parts[number] for _, parts in actions})
        offered = sorted(str(choice) for choice in state.choices)
        if offered != wanted:
            more, less = sorted({*offered} - {*wanted}), sorted({*wanted} - {*offered})
            raise Differs(f"only here: {more}; only there: {less}\n{other}\n{state}")
        if chance and decision.probabilities is not None:
            _same_odds(state, decision.probabilities, actions, chance)
        text = rng.choice(sorted({parts[number] for _, parts in meant}))
        state.apply(text)
        number += 1
        actions, meant = (
            [(action, parts) for action, parts in some if parts[number - 1] == text]
            for some in (actions, meant)
        )
        done = [action for action, parts in actions if len(parts) == number]
        if done:
            if len(done) < len(actions):
                raise Differs(f"{text} may be all, or not\n{other}")
            return done[0]


def _same_odds(
    state: ruleforge.State,
    ours: tuple[float, ...],
    actions: list[tuple[int, tuple[str, ...]]],
    theirs: dict[int, float],
) -> None:
    for choice, odds in zip(state.choices, ours, strict=True):
        there = sum(theirs[action] for action, parts in actions if parts[0] == str(choice))
        if abs(odds - there) > 1e-9:
            raise Differs(f"{choice} has odds {odds}, not {there}")

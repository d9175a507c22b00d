"""How card games of OpenSpiel say cards and plays, and how ours do."""

from __future__ import annotations

from typing import Any

from ruleforge import State
from tests.lockstep.peer import Peer

RANKS = {"T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"} | dict(
    zip("23456789", ("two", "three", "four", "five", "six", "seven", "eight", "nine"), strict=True)
)
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def card(text: str) -> str:
    """`QS` is the queen of spades."""
    return f"{RANKS[text[0]]}_of_{SUITS[text[1]]}"


def hearts(peer: Any, action: int) -> str:
    text = peer.action_to_string(peer.current_player(), action)
    if peer.is_chance_node():
        return {"No Pass": "hold", "Left": "left", "Across": "across", "Right": "right"}.get(text) or card(
            text
        )
    passing = "Tricks:" not in str(peer) and "No Pass" not in str(peer) and "Received Cards:" not in str(peer)
    return f"{'pass_on' if passing else 'play'} {card(text)}"


def fewest_points(state: State, peer: Any, _seats: tuple[int, ...]) -> bool:
    assert state.outcome is not None
    return [26 + score for score in state.outcome.scores.values()] == list(peer.returns())


def goofspiel(peer: Any, action: int) -> str:
    return f"{'prize' if peer.is_chance_node() else 'bid'}_{action + 1}"


def _in_turns(parameters: str) -> str:
    return f"turn_based_simultaneous_game(game=goofspiel({parameters}))"


CARDS: dict[str, Peer] = {
    "hearts": Peer("hearts", hearts, {"one_deal": True}, same_end=fewest_points, games=4),
    "goofspiel": Peer(_in_turns("num_cards=13"), goofspiel, knows="information_state_string", games=5),
    "goofspiel:veiled": Peer(
        _in_turns("num_cards=13,imp_info=true,points_order=descending"),
        goofspiel,
        {"falling": True, "veiled": True},
        knows="information_state_string",
        games=5,
    ),
}

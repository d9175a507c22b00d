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


def blackjack(peer: Any, action: int) -> str:
    if not peer.is_chance_node():
        return ("hit", "stand")[action]
    text = peer.action_to_string(-1, action)
    return f"{RANKS[text[1]]}_{SUITS[text[0]]}"


def won_in_halves(state: State, peer: Any, _seats: tuple[int, ...]) -> bool:
    assert state.outcome is not None
    return list(state.outcome.scores.values()) == [2 * won for won in peer.returns()]


def auction(peer: Any, action: int) -> str:
    if not peer.is_chance_node():
        return str(action)
    text = peer.action_to_string(-1, action)
    number = int(text.split()[-1])  # `Player 1 value: 3`, then `Chose winner 1`
    return str(number) if "value" in text else ("ann", "ben", "cid")[number]


def _two_words(text: str) -> str:
    """`SQ` is the queen of spades, of a deck that is a product."""
    return f"{RANKS[text[1]]}_{SUITS[text[0]]}"


def crazy_eights(peer: Any, action: int) -> str:
    text = peer.action_to_string(peer.current_player(), action)
    if text.startswith("Decide"):
        return ("ann", "ben", "cid", "dot", "eve")[int(text.split()[2])]
    if text.startswith("Nominate"):
        return SUITS[text[-1]]
    kind, _, named = text.partition(" ")
    said = {"Draw": "draw_card", "Pass": "pass", "Deal": "", "Play": "play "}[kind]
    return f"{said}{_two_words(named)}" if named else said


def same_hands(state: State, peer: Any, _seats: tuple[int, ...]) -> bool:
    """They take the number of a card for its pips, so the cards left over are compared."""
    lines = str(peer).partition("Number of cards left")[2].splitlines()[2:6]
    there = sorted(RANKS[sign] for line in lines for sign in line if sign in RANKS)
    places = state.view(None)["places"]
    hands = [card for player in state.players for card in places[f"{player}.hand"]]
    return there == sorted(card.partition("_")[0] for card in hands)


def euchre(peer: Any, action: int) -> str:
    text = peer.action_to_string(peer.current_player(), action)
    if not peer.history():
        return ("north", "east", "south", "west")[action]
    if text in ("Pass", "Alone", "Partner"):
        return {"Pass": "pass", "Alone": "alone", "Partner": "with_partner"}[text]
    shown = str(peer)
    if len(text) > 2:
        return "order_up" if shown.count("Pass") < 4 else f"name {text.lower()}"
    card = _two_words(text)
    if peer.is_chance_node():
        return card
    return f"play {card}" if "go alone" in shown else f"discard {card}"


def _in_turns(parameters: str) -> str:
    return f"turn_based_simultaneous_game(game=goofspiel({parameters}))"


CARDS: dict[str, Peer] = {
    "hearts": Peer("hearts", hearts, {"one_deal": True}, same_end=fewest_points, games=4),
    "crazy-eights": Peer(
        "crazy_eights(players=3)",
        crazy_eights,
        {"draws": 5, "last_pass": True},
        3,
        same_end=same_hands,
        games=3,
    ),
    "crazy-eights:two": Peer(
        "crazy_eights(players=2)",
        crazy_eights,
        {"draws": 5, "last_pass": True},
        2,
        same_end=same_hands,
        games=2,
    ),
    "euchre": Peer("euchre", euchre, {"goal": 1}, games=5),
    "blackjack": Peer(
        "blackjack",
        blackjack,
        {"doubling": False, "naturals": False},
        same_end=won_in_halves,
        knows="observation_string",
        games=40,
    ),
    "sealed-bid-auction": Peer(
        "first_sealed_auction", auction, {"lots": 1}, 2, knows="information_state_string", games=40
    ),
    "sealed-bid-auction:three": Peer("first_sealed_auction(players=3)", auction, {"lots": 1}, 3, games=20),
    "goofspiel": Peer(_in_turns("num_cards=13"), goofspiel, knows="information_state_string", games=5),
    "goofspiel:veiled": Peer(
        _in_turns("num_cards=13,imp_info=true,points_order=descending"),
        goofspiel,
        {"falling": True, "veiled": True},
        knows="information_state_string",
        games=5,
    ),
}

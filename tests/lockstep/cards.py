"""How card games of OpenSpiel say cards and plays, and how ours do."""

from __future__ import annotations

import re
from typing import Any

from ruleforge import State
from tests.lockstep.peer import ParserMessage, Peer

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


def but_for_gifts(seen: str) -> str:
    """How many cards others have laid aside can be seen here, and is not told there."""
    return re.sub(r'"\w+\.(gift|hand)": \[("\?"(, "\?")*)?\]', "", seen)


def but_for_the_discard(seen: str) -> str:
    """That the dealer has laid a card aside before deciding can be seen here, and is not told there."""
    seen = re.sub(r'"(discarded|\w+\.hand)": \[("\?"(, "\?")*)?\]', "", seen)
    return re.sub(r'"(kind|prompt)": "\?"', r'"\1": "deciding"', seen)


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


def without_counts(seen: str) -> str:
    """How often something was done is no secret, but not told there."""
    return re.sub(r'"game.(times|returned)": \w+', "", seen)


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


_COLOURS = {"R": "red", "Y": "yellow", "G": "green", "W": "white", "B": "blue"}
_NUMBERS = {"1": "one", "2": "two", "3": "three", "4": "four", "5": "five"}


def fireworks(peer: Any, action: int) -> str:
    words = peer.action_to_string(peer.current_player(), action).strip("()").split()
    me = peer.current_player()
    if words[0] in ("Play", "Discard"):
        return f"{words[0].lower()} {('ann', 'ben', 'cid')[me]}.hand[{int(words[1]) + 1}]"
    other = ("ann", "ben", "cid")[(me + int(words[2])) % peer.num_players()]
    if words[3] == "color":
        return f"tell_colour {other} {_COLOURS[words[4]]}"
    return f"tell_rank {other} {_NUMBERS[words[4]]}"


def fireworks_card(peer: Any, action: int) -> tuple[str, ...]:
    """Copies are one card there; ours are dealt in their order."""
    colour, rank = peer.action_to_string(-1, action).strip("()").split()[1]
    nth = sum(part.player == -1 and part.action == action for part in peer.full_history()) + 1
    copy = "" if rank == "5" else f"_{nth}"
    return (f"{_COLOURS[colour]}_{_NUMBERS[rank]}{copy}",)


def without_copies(seen: str) -> str:
    return re.sub(r"(_(?:one|two|three|four))_\d", r"\1", seen)


def holdem(peer: Any, action: int) -> str:
    text = peer.action_to_string(peer.current_player(), action).rpartition("=")[2]
    if peer.is_chance_node():
        return f"{RANKS[text[-2]]}_{SUITS[text[-1].upper()]}"
    return {"Fold": "fold", "Call": "call", "Bet": "raise"}[text]


_HOLDEM = (
    "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=10 5,firstPlayer=2 1 1 1,numSuits=4,numRanks=13,"
    "numHoleCards=2,numBoardCards=0 3 1 1,raiseSize=10 10 20 20,maxRaises=3 4 4 4)"
)


_SIGNS = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}


def bridge(peer: Any, action: int) -> str:
    """`♥10` is a card, `2♠` and `3NT` are bids."""
    text = peer.action_to_string(peer.current_player(), action)
    if text in ("Pass", "Dbl", "RDbl"):
        return {"Pass": "pass", "Dbl": "double", "RDbl": "redouble"}[text]
    if text[0] in _SIGNS:
        return f"{RANKS[text[1:].replace('10', 'T')]}_{_SIGNS[text[0]]}"
    return f"bid {text[0]} {'notrump' if text.endswith('NT') else 'in_' + _SIGNS[text[1]]}"


def bridge_passes(peer: Any, action: int) -> float:
    """Random bids would always end in seven no trump."""
    return float(bridge(peer, action) == "pass")


def cribbage(peer: Any, action: int) -> ParserMessage:
    """`Choose 4D JD` lays away; a pass is none here."""
    words = peer.action_to_string(peer.current_player(), action).split()
    cards = sorted(words[1:], key=lambda word: ("A23456789TJQK".index(word[0]), "CDHS".index(word[1])))
    named = [f"{RANKS[word[0]]}_{SUITS[word[1]]}" for word in cards]
    if words[0] != "Choose":
        return "".join(named)
    return f"{'lay_away' if len(named) == 2 else 'play'} {' '.join(named)}"


def same_points(state: State, peer: Any, _seats: tuple[int, ...]) -> bool:
    """Of two beyond the goal they always let the first seat win, so only who is there alone is compared."""
    assert state.outcome is not None
    there = [int(word) for word in str(peer).partition("Scores:")[2].split("\n")[0].split()]
    winners = tuple(p for p, points in zip(state.players, there, strict=True) if points >= 121)
    same = [state[f"{player}.points"] for player in state.players] == there
    return same and (len(winners) == 2 or state.outcome.winners == winners)


_RUNS = {3: "three_from", 4: "four_from", 5: "five_from"}


def gin_rummy(peer: Any, action: int) -> str:
    text = peer.action_to_string(peer.current_player(), action).rpartition(": ")[2]
    phase = peer.current_phase().name
    match text:
        case "Draw upcard" | "Draw stock" | "Knock":
            return {"Draw upcard": "take_upcard", "Draw stock": "draw_stock", "Knock": "knock"}[text]
        case "Pass":
            return _gin_rummy_pass(peer, phase)
    cards = [text[at : at + 2].upper() for at in range(0, len(text), 2)]
    if len(cards) > 1:
        return _meld([card[0] for card in cards], [SUITS[card[1]] for card in cards])
    named = _two_words(cards[0][::-1])
    return {"DISCARD": "discard ", "LAYOFF": "lay_off "}.get(phase, "") + named


def _gin_rummy_pass(peer: Any, phase: str) -> str:
    """Nobody is asked here who has no card left, or no more meld to knock with."""
    if phase not in ("KNOCK", "LAYOFF"):
        return "pass"
    if len(peer.legal_actions()) == 1 and (phase == "KNOCK" or not peer.hands()[peer.current_player()]):
        return ""
    return "enough" if phase == "KNOCK" else "done"


def _meld(ranks: list[str], suits: list[str]) -> str:
    if len({*suits}) == 1:
        lowest = min(ranks, key="A23456789TJQK".index)
        return f"lay_run {_RUNS[len(ranks)]}_{RANKS[lowest]}_{suits[0]}"
    gap = next((f"without_{suit}" for suit in SUITS.values() if suit not in suits), "of_all_suits")
    return f"lay_group {RANKS[ranks[0]]}_{gap}"


def little_deadwood(peer: Any, action: int) -> float:
    """Random players hardly ever come to knock."""
    player = peer.current_player()
    knocks = peer.action_to_string(player, action).endswith("Knock")
    return 0.0 if knocks else -float(peer.child(action).deadwood()[player])


def _in_turns(parameters: str) -> str:
    return f"turn_based_simultaneous_game(game=goofspiel({parameters}))"


_GIN = {"deals": 1, "may_return": True, "strict_undercut": True, "short_layoffs": True}


CARDS: dict[str, Peer] = {
    "hearts": Peer(
        "hearts",
        hearts,
        {"one_deal": True},
        same_end=fewest_points,
        knows="information_state_string",
        alike=but_for_gifts,
        games=4,
    ),
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
    "euchre": Peer(
        "euchre", euchre, {"goal": 1}, knows="observation_string", alike=but_for_the_discard, games=5
    ),
    "fireworks": Peer(
        "hanabi",
        fireworks,
        players=2,
        deals=fireworks_card,
        knows="observation_string",
        alike=without_copies,
        games=4,
    ),
    "fireworks:three": Peer(
        "hanabi(players=3,max_life_tokens=60)",
        fireworks,
        {"lives": 60},
        players=3,
        deals=fireworks_card,
        knows="observation_string",
        alike=without_copies,
        games=2,
    ),
    "texas-holdem": Peer(_HOLDEM, holdem, {"hands": 1}, knows="information_state_string", games=20),
    "bridge": Peer(
        "bridge(use_double_dummy_result=false)",
        bridge,
        leans=bridge_passes,
        knows="observation_string",
        games=3,
    ),
    "bridge:vulnerable": Peer(
        "bridge(use_double_dummy_result=false,dealer_vul=true,non_dealer_vul=true)",
        bridge,
        {"vulnerable": "everybody"},
        knows="observation_string",
        leans=bridge_passes,
        games=2,
    ),
    "cribbage": Peer(
        "cribbage",
        cribbage,
        {"whole_show": True, "crib_flush": True},
        same_end=same_points,
        games=2,
    ),
    "gin-rummy": Peer(
        "gin_rummy",
        gin_rummy,
        _GIN,
        leans=little_deadwood,
        knows="to_observation_struct",
        alike=without_counts,
        games=5,
    ),
    "gin-rummy:oklahoma": Peer(
        "gin_rummy(oklahoma=true)",
        gin_rummy,
        _GIN | {"oklahoma": True},
        leans=little_deadwood,
        knows="to_observation_struct",
        alike=without_counts,
        games=2,
    ),
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
    "sealed-bid-auction:three": Peer(
        "first_sealed_auction(players=3)", auction, {"lots": 1}, 3, knows="information_state_string", games=20
    ),
    "goofspiel": Peer(_in_turns("num_cards=13"), goofspiel, knows="information_state_string", games=5),
    "goofspiel:veiled": Peer(
        _in_turns("num_cards=13,imp_info=true,points_order=descending"),
        goofspiel,
        {"falling": True, "veiled": True},
        knows="information_state_string",
        games=5,
    ),
}

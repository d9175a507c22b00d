"""How games of OpenSpiel with dice say their throws and moves, and how ours do."""

from __future__ import annotations

import re
from itertools import permutations
from typing import Any

from tests.lockstep.peer import ParserMessage, Peer, same_winners

_BAR = 100


def backgammon(peer: Any, action: int) -> tuple[str, ...]:
    """Two steps are one action there; a pass is none here."""
    player = peer.current_player()
    steps = [move for move in peer.spiel_move_to_checker_moves(player, action) if move.pos >= 0]
    return tuple(f"go {_point(player, move.pos)} {move.num}" for move in steps)


def _point(player: int, place: int) -> int:
    return 25 if place == _BAR else 24 - place if player == 0 else place + 1


def backgammon_dice(peer: Any, action: int) -> tuple[str, ...]:
    """There the first throw says who begins, and later ones are not ordered."""
    text = peer.action_to_string(-1, action)
    dice = sorted(text.rstrip(")")[-2:])
    return tuple(reversed(dice)) if "X starts" in text else tuple(dice)


def pig(peer: Any, action: int) -> str:
    if peer.is_chance_node():
        return str(action + 1)
    return ("roll_die", "stop")[action]


_CATEGORIES = (
    *("ones", "twos", "threes", "fours", "fives", "sixes"),
    *("any_dice", "four_of_a_kind", "full_house", "small_straight", "large_straight", "yacht"),
)


def yacht(_peer: Any, action: int) -> ParserMessage:
    """A number whose bits are dice to be thrown again, none for none; from 32 on a category."""
    if action >= 32:
        return f"score {_CATEGORIES[action - 32]}"
    dice = [f"die_{number + 1}" for number in range(5) if action >> number & 1]
    return frozenset(("throw_again", *order, "done") for order in permutations(dice)) if dice else "keep_all"


def yacht_dice(peer: Any, action: int) -> tuple[str, ...]:
    return tuple(peer.action_to_string(-1, action).removeprefix("Roll: ").split(","))


def whichever_die(seen: str) -> str:
    """A player's dice are not told apart there."""
    for player in ("ann", "ben"):
        shown = re.compile(rf'"{player}_die_\d\.face": (\d)')
        faces = iter(sorted(shown.findall(seen)))
        seen = shown.sub(lambda _, faces=faces: f'"{next(faces)}"', seen)  # type: ignore[misc]
    return seen


def liars_dice(peer: Any, action: int) -> str:
    text = peer.action_to_string(peer.current_player(), action)
    if peer.is_chance_node():
        return str(action + 1)
    return "call_liar" if text == "Liar" else f"bid {text.replace('-', ' ')}"


def ludo(peer: Any, action: int) -> str:
    """Fields are counted from a player's own start, those of the house behind them; a pass is none here."""
    if peer.is_chance_node():
        return str(action + 1)
    if action < 2:
        return ("", "come_in")[action]
    corner, field = _corner(peer), action - 2
    if field >= 40:
        return f"go {('south', 'west', 'north', 'east')[corner]}_house_{field - 39}"
    return f"go ring_{(field + 10 * corner) % 40 + 1}"


def _corner(peer: Any) -> int:
    return int(peer.current_player()) * (2 if peer.num_players() == 2 else 1)


RACES: dict[str, Peer] = {
    "ludo": Peer("maedn(players=2,twoPlayersOpposite=true)", ludo, players=2, games=3),
    "ludo:four": Peer("maedn(players=4)", ludo, players=4, same_end=same_winners, games=1),
    "backgammon": Peer("backgammon", backgammon, {"stakes": "single"}, deals=backgammon_dice, games=3),
    "backgammon:full": Peer(
        "backgammon(scoring_type=full_scoring)",
        backgammon,
        {"stakes": "full"},
        deals=backgammon_dice,
        games=1,
    ),
    "pig": Peer("pig", pig, games=20),
    "liars-dice": Peer(
        "liars_dice", liars_dice, {"dice_each": 1}, knows="information_state_string", games=60
    ),
    "liars-dice:two": Peer(
        "liars_dice(numdice=2)",
        liars_dice,
        {"dice_each": 2},
        knows="information_state_string",
        alike=whichever_die,
        games=20,
    ),
    "yacht": Peer("yacht", yacht, players=2, same_end=same_winners, deals=yacht_dice, games=1),
    "yacht:three": Peer(
        "yacht(players=3)", yacht, players=3, same_end=same_winners, deals=yacht_dice, games=1
    ),
    "pig:three": Peer("pig(players=3,winscore=30)", pig, {"goal": 30}, 3, same_end=same_winners, games=10),
}

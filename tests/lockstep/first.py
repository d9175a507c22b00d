"""How OpenSpiel's numbered actions read in our example games: the stated mapping of the lock-step tests.

| game         | OpenSpiel                               | here                                          |
|--------------|-----------------------------------------|-----------------------------------------------|
| tic_tac_toe  | 3 * row + column, rows from the top     | `mark <cell>`; row 0 is our row 1             |
| connect_four | column from 0                           | `drop a` .. `drop g`                          |
| breakthrough | `a7a6`, black first, coming from above  | `advance <cell> <way>`; mirrored, white first |
| hex          | 11 * row + column, row 0 at the top     | `place <cell>`; row 0 is our row 1            |
| kuhn_poker   | cards 0 1 2; 0 pass, 1 bet              | jack queen king; check or fold, bet or call   |
| leduc_poker  | cards 0 .. 5; 0 fold, 1 call, 2 raise   | jack_1 jack_2 queen_1 ..; the same words      |

Player 0 is the first of our players, player 1 the second. The counts of choices are equal one to one.
"""

from __future__ import annotations

from typing import Any

from tests.lockstep.peer import Peer

_LETTERS = "abcdefghijk"
_RANKS = ("jack", "queen", "king")


def tic_tac_toe(_peer: Any, action: int) -> str:
    row, column = divmod(action, 3)
    return f"mark {_LETTERS[column]}{row + 1}"


def connect_four(_peer: Any, action: int) -> str:
    return f"drop {_LETTERS[action]}"


def breakthrough(peer: Any, action: int) -> str:
    text = peer.action_to_string(peer.current_player(), action)
    file, row, to_file = text[0], 9 - int(text[1]), text[2]
    side = "" if to_file == file else "east" if to_file > file else "west"
    return f"advance {file}{row} {'north' if peer.current_player() == 0 else 'south'}{side}"


def hex_(_peer: Any, action: int) -> str:
    row, column = divmod(action, 11)
    return f"place {_LETTERS[column]}{row + 1}"


def kuhn_poker(peer: Any, action: int) -> str:
    if peer.is_chance_node():
        return _RANKS[action]
    facing_bet = 1 in peer.history()[2:]
    return (("check", "bet"), ("fold", "call"))[facing_bet][action]


def leduc_poker(peer: Any, action: int) -> str:
    if peer.is_chance_node():
        return f"{_RANKS[action // 2]}_{action % 2 + 1}"
    return ("fold", "call", "raise")[action]


FIRST: dict[str, Peer] = {
    "tic-tac-toe": Peer("tic_tac_toe", tic_tac_toe),
    "connect-four": Peer("connect_four", connect_four),
    "breakthrough": Peer("breakthrough", breakthrough),
    "hex": Peer("hex", hex_),
    "kuhn-poker": Peer("kuhn_poker", kuhn_poker, knows="information_state_string"),
    "leduc-poker": Peer("leduc_poker", leduc_poker, knows="information_state_string"),
}

"""Monte Carlo tree search (UCT): a simulation goes down the tree, then plays at random, and tells all that it passed.

A node stands for a history of choices, not for a position: dice fall anew in every simulation, and the row may
be another world of the same information. So its choices are looked up by their codes each time (`tree.py`).
"""

from typing import TYPE_CHECKING

from ruleforge.backends.native.library.chance import draw, drawn_word
from ruleforge.backends.native.library.tree import chosen_entry, give, new_node

if TYPE_CHECKING:
    from ruleforge.backends.native.library.words import (
        at,
        copy_row,
        list_begin,
        load,
        load_real,
        real,
        rules,
        store,
        store_real,
    )


def begin_search() -> int:
    """An empty tree."""
    store(at.free, at.pool)
    return new_node()


def search(budget: int) -> int:
    """Simulate until so many decisions are made, at least once; gives the number of simulations."""
    rules.trust(at.start)
    simulations = 0
    while budget > 0 and simulations < load(at.wanted):
        copy_row(at.play, at.start)
        if load(at.play) or load(at.play + 4):  # else chance is explicit
            store(at.play, drawn_word(at.generator))
            store(at.play + 4, drawn_word(at.generator) | 1)
        budget -= simulation() + 1
        simulations += 1
    return simulations


def simulation() -> int:
    """Go down the tree, add a leaf, play to the end, and tell all that were passed; gives the decisions made."""
    node = at.pool
    path = at.path
    count = rules.choices(at.play)
    while count > 0 and node != 0 and path < at.path_end:
        who = load(at.play + at.who)
        entry = chosen_entry(node, count, who)
        if entry == 0:
            break
        store(path, entry)
        store(path + 4, who)
        store(path + 8, node)
        path += 12
        node = load(entry + 8)
        if node == 0 and load(entry + 4):
            node = new_node()
            store(entry + 8, node)
        count = rules.attempt(at.play, load(entry))
    made = play_on(count, load(at.most))
    while path > at.path:
        path -= 12
        give(load(path), load(path + 4), load(path + 8))
        made += 1
    return made


def play_on(count: int, most: int) -> int:
    """Random choices to the end, or for so many decisions; leaves what it brought each player in the rewards."""
    made = 0
    while count > 0 and made < most:
        count = rules.attempt(at.play, load(list_begin() + 4 * draw(at.generator, count)))
        made += 1
    if count < 0:
        equal_rewards()
    else:
        take_rewards()
    return made


def equal_rewards() -> None:
    player = 0
    while player < at.players:
        store_real(at.rewards + 8 * player, 0.5)
        player += 1


def worth(player: int) -> int:
    """The score of a player at the end, and before it how well the player stands."""
    if load(at.play + at.outcome):
        return rules.score(at.play, player)
    return rules.standing(at.play, player)


def take_rewards() -> None:
    """What the game is worth to each player brought to 0..1, the best to 1, so that one constant serves all games."""
    low = worth(1)
    high = low
    store_real(at.rewards, real(low))
    failed = load(at.failed)
    player = 2
    while player <= at.players:
        score = worth(player)
        store_real(at.rewards + 8 * player - 8, real(score))
        if failed < 0:
            failed = load(at.failed)
        if score < low:
            low = score
        if score > high:
            high = score
        player += 1
    if low == high or failed >= 0:
        equal_rewards()
    else:
        scale_rewards(real(low), real(high) - real(low))


def scale_rewards(low: float, width: float) -> None:
    place = at.rewards
    end = place + 8 * at.players
    while place < end:
        store_real(place, (load_real(place) - low) / width)
        place += 8

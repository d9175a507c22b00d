"""The tree of a search: nodes and the entries of their choices in the pool, the root first.

A node holds its visits, its entries in use, the capacity and place of its entries, its tried entries, and its
lure. The lure is a short real number: the exploration term.

An entry holds a code, visits, the node behind it (0: none yet), its share of the lure, and a mean. The share
is a short real number, the root of 1 / visits. The mean is a real number: the average reward of the player
who chose it.

A simulation updates lure and means only along its path. The choice of an entry, which compares all, then
needs one product and one sum for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.backends.native.library.chance import draw, drawn_word

if TYPE_CHECKING:
    from ruleforge.backends.native.library.words import (
        at,
        copy,
        copy_row,
        leading,
        list_begin,
        load,
        load_real,
        load_short,
        real,
        root,
        rules,
        store,
        store_real,
        store_short,
    )


def new_node() -> int:
    """A node without entries; 0 if there is no room."""
    node = load(at.free)
    if node + 24 > at.pool_end:
        return 0
    store(at.free, node + 24)
    store(node, 0)
    store(node + 4, 0)
    store(node + 8, 0)
    store(node + 12, 0)
    store(node + 16, 0)
    store(node + 20, 0)
    return node


def chosen_entry(node: int, count: int, who: int) -> int:
    """The entry to go through: by chance, one never tried, or the most promising; 0 if there is no room."""
    if not in_order(node, count) and not aligned(node, count):
        return 0
    entries = load(node + 12)
    if who == 0:
        return entries + 24 * draw(at.generator, count)
    end = entries + 24 * count
    visits = load(node) + 1
    extra = load_short(node + 20)
    untried = count - load(node + 16)
    if load(node + 4) != count:  # some of what was tried here cannot be chosen now
        untried = 0
        visits = 1
        entry = entries
        while entry < end:
            if load(entry + 4) == 0:
                untried += 1
            visits += load(entry + 4)
            entry += 24
        extra = lure(visits)
    tried = count - untried
    if untried and tried * tried <= 16 * visits:  # of long lists more is tried the more often one comes by
        return untried_entry(entries, draw(at.generator, untried))
    return best_entry(entries, end, extra)


def untried_entry(entry: int, skipped: int) -> int:
    while True:
        if load(entry + 4) == 0:
            if skipped == 0:
                return entry
            skipped -= 1
        entry += 24


def best_entry(entry: int, end: int, extra: float) -> int:
    """The highest mean reward, and something for what was tried less; what was never tried has none."""
    best = entry
    most = -1.0
    while entry < end:
        promise = load_real(entry + 16) + extra * load_short(entry + 12)
        if promise > most:
            most = promise
            best = entry
        entry += 24
    return best


def give(entry: int, who: int, node: int) -> None:
    """A simulation went through this entry of a node."""
    visits = load(node) + 1
    store(node, visits)
    store_short(node + 20, lure(visits + 1))
    visits = load(entry + 4) + 1
    store(entry + 4, visits)
    store_short(entry + 12, 1.0 / root(real(visits)))
    if visits == 1:
        store(node + 16, load(node + 16) + 1)
        store_real(entry + 16, 0.0)
    if who:
        mean = load_real(entry + 16)
        store_real(entry + 16, mean + (load_real(at.rewards + 8 * who - 8) - mean) / real(visits))


def lure(visits: int) -> float:
    return 1.4 * root(logarithm(visits))


def logarithm(value: int) -> float:
    """The natural one, by halving down to 1..2 and a series."""
    halvings = 31 - leading(value)
    x = real(value) / real(1 << halvings)
    y = (x - 1.0) / (x + 1.0)
    z = y * y
    series = 2.0 + z * (0.6666666666666666 + z * (0.4 + z * (0.2857142857142857 + z * 0.2222222222222222)))
    return real(halvings) * 0.6931471805599453 + y * series


def in_order(node: int, count: int) -> int:
    """Whether the first entries are those of the list already."""
    if load(node + 4) < count:
        return 0
    code = list_begin()
    end = code + 4 * count
    entry = load(node + 12)
    while code < end and load(code) == load(entry):
        code += 4
        entry += 24
    return code == end


def aligned(node: int, count: int) -> int:
    """Sort the entries in the order of the list of choices, with new entries for new codes.

    Returns 0 without room.
    """
    codes = list_begin()
    number = 0
    while number < count:
        used = load(node + 4)
        entries = load(node + 12)
        entry = entries + 24 * number
        code = load(codes + 4 * number)
        if number >= used or load(entry) != code:
            other = entry
            end = entries + 24 * used
            while other < end and load(other) != code:
                other += 24
            if other >= end:
                if used == load(node + 8) and not more_room(node, count):
                    return 0
                entries = load(node + 12)
                entry = entries + 24 * number
                other = entries + 24 * used
                store(node + 4, used + 1)
                new_entry(other, code)
            exchange(entry, other)
        number += 1
    return 1


def new_entry(entry: int, code: int) -> None:
    store(entry, code)
    store(entry + 4, 0)
    store(entry + 8, 0)
    store_short(entry + 12, 0.0)
    store_real(entry + 16, -2.0)  # below all that can be had


def exchange(one: int, other: int) -> None:
    if one != other:
        copy(at.spare, one, 24)
        copy(one, other, 24)
        copy(other, at.spare, 24)


def more_room(node: int, count: int) -> int:
    """Allocate room for the whole list, at least twice as much as before."""
    room = load(node + 8) * 2
    if room < count:
        room = count
    entries = load(at.free)
    if 24 * room > at.pool_end - entries:
        return 0
    copy(entries, load(node + 12), 24 * load(node + 4))
    store(at.free, entries + 24 * room)
    store(node + 8, room)
    store(node + 12, entries)
    return 1


# Monte Carlo tree search (UCT): a simulation descends the tree, plays at random, and updates all nodes on its path.
#
# A node stands for a history of choices, not for a position: every simulation rolls dice anew, and the row
# may be another sampled world. Each simulation therefore looks up the choices by their codes.


def begin_search() -> int:
    """An empty tree."""
    store(at.free, at.pool)
    return new_node()


def search(budget: int) -> int:
    """Simulate for a number of decisions, at least once. Returns the number of simulations."""
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
    """Descend the tree, add a leaf, play to the end, and update all nodes on the path.

    Returns the number of decisions.
    """
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
    """Choose at random to the end, or for a number of decisions. Stores the rewards of the players."""
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
    """The score of a player at the end, and the standing of the player before."""
    if load(at.play + at.outcome):
        return rules.score(at.play, player)
    return rules.standing(at.play, player)


def take_rewards() -> None:
    """Scale the rewards of the players to 0..1, the best to 1, so that one constant fits all games."""
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

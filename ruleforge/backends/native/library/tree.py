"""The tree of a search: nodes and the entries of their choices, which lie in the pool, the root first.

A node: how often it was gone through, entries in use, room for entries, where they are, entries that were tried, and
its lure (a short real number): what there is for trying something else. An entry: code, visits, node behind it (0: none
yet), the part of the lure that it gets (a short real number: the root of 1 / visits), and the mean of what its visits
brought the player who chose it (a real number). Lure and means are worked out for the few that a simulation went
through, so that choosing, which looks at all, takes a product and a sum of each.
"""

from typing import TYPE_CHECKING

from ruleforge.backends.native.library.chance import draw

if TYPE_CHECKING:
    from ruleforge.backends.native.library.words import (
        at,
        copy,
        leading,
        list_begin,
        load,
        load_real,
        load_short,
        real,
        root,
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
    """Bring the entries into the order of the list of choices, with new ones for codes never met; 0: no room."""
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
    """Room for all of a list, and twice what was there."""
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

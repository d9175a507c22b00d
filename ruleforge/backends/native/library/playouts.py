"""Play whole random games without leaving the module.

Each call does a bounded amount of work and continues where the last one stopped. Its state is in the mailbox.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.backends.native.library.chance import draw, fold

if TYPE_CHECKING:
    from ruleforge.backends.native.library.words import (
        at,
        copy,
        copy_row,
        fill,
        list_begin,
        load,
        load_real,
        real,
        rotated,
        rules,
        store,
        store_real,
    )


def playouts(budget: int) -> int:
    """Continue for a number of decisions. Returns the end of the records of finished games."""
    rules.trust(at.start)
    record = at.records
    sharing = load(at.alike)
    if sharing:
        fill(at.slots, 0, at.slot_bytes)
    while budget > 0 and record + at.record_bytes <= at.records_end:
        if load(at.under_way):
            count = rules.choices(at.play)
        elif load(at.next_game) < load(at.last_game):
            count = begin_game()
        else:
            break
        made = load(at.made)
        most = load(at.most)
        while count > 0 and made < most and budget > 0:
            count = rules.attempt(at.play, load(list_begin() + 4 * draw(at.generator, count)))
            made += 1
            budget -= 1
            if count > 0 and load(at.watch):
                store(at.broken, load(at.broken) | rules.broken(at.play))
                if load(at.failed) >= 0:
                    count = -1 - load(at.failed)
        budget -= 1
        store(at.made, made)
        if count <= 0 or made >= most:
            end_game(record, count)
            if sharing:
                record = repeat_record(record)
            else:
                record += at.record_bytes
    return record


def repeat_record(record: int) -> int:
    """If an equal record exists, count it once more instead. Returns the place of the next record."""
    if 2 * (record - at.records) >= at.record_bytes * (at.slot_bytes >> 2):
        return record + at.record_bytes
    slot = 4 * slot_of(record)
    while True:
        other = load(at.slots + slot)
        if other == 0:
            store(at.slots + slot, record)
            return record + at.record_bytes
        if same(record, other):
            store(other + at.times, load(other + at.times) + 1)
            return record
        slot = (slot + 4) & (at.slot_bytes - 4)


def slot_of(record: int) -> int:
    """The first slot for a record in the hash table."""
    word = record
    end = record + at.record_bytes
    mixed_words = 0
    while word < end:
        mixed_words = rotated((mixed_words ^ load(word)) * 0x9E3779BB, 15)
        word += 4
    return mixed_words & ((at.slot_bytes >> 2) - 1)


def same(record: int, other: int) -> int:
    """Whether two records say the same, but for how many games."""
    word = 0
    while word < at.record_bytes:
        if word != at.times and load(record + word) != load(other + word):
            return 0
        word += 4
    return 1


def begin_game() -> int:
    """The next game: its generator, its row, and how many choices there are first."""
    store(at.generator, load(at.seed))
    store(at.generator + 4, load(at.seed + 4))
    fold(at.generator, load(at.next_game))
    copy_row(at.play, at.start)
    seed = draw(at.generator, 0x80000000)
    if load(at.play) or load(at.play + 4):  # else chance is explicit
        store(at.play, 0)
        store(at.play + 4, 0)
        fold(at.play, seed)
    store(at.under_way, 1)
    store(at.made, 0)
    store(at.broken, 0)
    clear(at.counts, 4 * at.measures)
    if load(at.set_up):
        return rules.attempt(at.play, 0)
    return rules.choices(at.play)


def end_game(record: int, count: int) -> None:
    """Write down the ending (0: cut short, below 0: a fault), winners, decisions, what broke, scores and measures."""
    store(at.under_way, 0)
    store(at.next_game, load(at.next_game) + 1)
    ending = load(at.play + at.outcome)
    if count < 0:
        ending = count
    clear(record, at.record_bytes)
    store(at.failed, -1)
    place = 0
    while ending >= 0 and place < at.players + at.measures:
        value = 0
        if place >= at.players:
            value = rules.measured(at.play, place - at.players)
        elif ending > 0:
            value = rules.score(at.play, place + 1)
        store(record + at.scores + 4 * place, value)
        if load(at.failed) >= 0:
            ending = -1 - load(at.failed)
            clear(record, at.record_bytes)
        place += 1
    if ending < 0 and -1 - ending >= at.backend_faults:
        rules.stop(-1 - ending)
    store(record, ending)
    store(record + 4, load(at.play + at.winners))
    store(record + 8, load(at.made))
    store(record + 12, load(at.broken))
    store(record + at.times, 1)


def clear(word: int, size: int) -> None:
    """Set a few bytes to 0. `fill` is for many bytes, because it leaves the module."""
    end = word + size
    while word < end:
        store(word, 0)
        word += 4


def default_score(row: int, player: int) -> int:
    """1 for winners, -1 for the others, 0 if either group is empty."""
    winners = load(row + at.winners)
    if winners == 0 or winners == (1 << at.players) - 1:
        return 0
    if winners & (1 << (player - 1)):
        return 1
    return -1


# Lines of play counted: positions one behind the other in the pool, each with its choices and the next to
# try.


def count_lines(budget: int) -> int:
    """Continue for a number of positions. Returns 1 when all lines are counted."""
    level = load(at.level)
    last = load(at.depth) - 2
    while budget > 0 and level >= 0:
        here = at.pool + level * at.level_bytes
        head = here + at.row_bytes
        number = load(head)
        if number == load(head + 4):
            level -= 1
        else:
            store(head, number + 1)
            twin = here + at.level_bytes
            copy_row(twin, here)
            count = rules.resume(twin, load(head + 16 + 4 * number))
            budget -= 1
            if level == last:
                store_real(at.total, load_real(at.total) + real(count))
            else:
                enter_level(twin + at.row_bytes, count)
                level += 1
    store(at.level, level)
    return level < 0


def enter_level(head: int, count: int) -> None:
    """Store the list of choices, all untried."""
    store(head, 0)
    store(head + 4, count)
    copy(head + 16, list_begin(), 4 * count)

"""Lines of play counted: positions one behind the other in the pool, each with its choices and the next to try."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ruleforge.backends.native.library.words import (
        at,
        copy,
        copy_row,
        list_begin,
        load,
        load_real,
        real,
        rules,
        store,
        store_real,
    )


def count_lines(budget: int) -> int:
    """Go on for so many positions at most; gives 1 when all lines are counted."""
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
    """Keep the list of choices, none of them tried."""
    store(head, 0)
    store(head + 4, count)
    copy(head + 16, list_begin(), 4 * count)

"""Queries of relations: does a group of neighbours reach a goal, and does a row hold a number?"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ruleforge.backends.native.library.words import at, copy, fill, load, stack_top, store


def connected(cells: int, size: int, near: int, start: int, value: int, goal: int) -> int:
    """Whether neighbours that hold a value lead from a cell, which is one of them, to a cell in the goal's
    row.

    Five known ways are cached: a short one and the latest four. While all cells of one of them hold the
    value, no search is needed.
    """
    if load(cells + 4 * start) != value:
        return 0
    entry = at.ways + 5 * at.way_bytes * ((start * 7 + (goal >> 4)) & at.last_way)
    way = entry
    while way < entry + 5 * at.way_bytes:
        if is_cached(way, cells, near, start, value, goal):
            return 1
        way += at.way_bytes
    been = next_stamp()
    there = been + 1
    before = stack_top()  # for each marked cell the one before it
    last = before + 4 * size + 4  # open cells, the latest first: most ways lead straight on
    item = load(goal)
    end = load(goal + 4)
    while item < end:
        store(at.marks + 4 * load(item), there)
        item += 4
    if load(at.marks + 4 * start) == there:
        return 1
    store(at.marks + 4 * start, been)
    first = last
    store(last, start)
    last += 4
    while first < last:
        last -= 4
        here = load(last)
        item = load(near + 4 * here)
        end = load(near + 4 * here + 4)
        while item < end:
            cell = load(item)
            if load(cells + 4 * cell) == value:
                mark = load(at.marks + 4 * cell)
                if mark != been:
                    store(before + 4 * cell, here)
                    if mark == there:
                        latest = entry + at.way_bytes * (1 + ((been >> 1) & 3))
                        store(latest, start)
                        store(latest + 4, goal)
                        store(latest + 8, near)
                        keep_way(latest, before, cell)
                        if (
                            load(entry) != start
                            or load(entry + 4) != goal
                            or load(latest + 12) < load(entry + 12)
                        ):
                            copy(entry, latest, at.way_bytes)
                        return 1
                    store(at.marks + 4 * cell, been)
                    store(last, cell)
                    last += 4
            item += 4
    return 0


def next_stamp() -> int:
    """A number that marks no cell yet, nor does the next one: so nothing has to be wiped out between two searches."""
    stamp = load(at.stamp) + 2
    if stamp > 0x7FFFFFF0:
        fill(at.marks, 0, at.marks_bytes)
        stamp = 2
    store(at.stamp, stamp)
    return stamp


def is_cached(entry: int, cells: int, near: int, start: int, value: int, goal: int) -> int:
    """Whether a cached way leads from the start to the goal and all its cells hold the value."""
    if load(entry) != start or load(entry + 4) != goal or load(entry + 8) != near:
        return 0
    cell = entry + 16
    end = cell + 4 * load(entry + 12)
    while cell < end:
        if load(cells + 4 * load(cell)) != value:
            return 0
        cell += 4
    return 1


def keep_way(entry: int, before: int, cell: int) -> None:
    """Cache the cells from the last one back to the start, without the start. Long ways are not cached."""
    room = entry + at.way_bytes
    start = load(entry)
    step = entry + 16
    while cell != start and step < room:
        store(step, cell)
        step += 4
        cell = load(before + 4 * cell)
    if cell != start:
        store(entry, 0)
    store(entry + 12, (step - entry - 16) >> 2)


def found(value: int, item: int, end: int) -> int:
    """Whether one of the words from `item` to `end` is the value."""
    while item < end:
        if load(item) == value:
            return 1
        item += 4
    return 0

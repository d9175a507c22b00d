"""What is asked of relations: whether a group of neighbours reaches a goal, whether a row holds a number."""

from ruleforge.backends.native.library.words import (
    at,
    copy,
    fill,
    load,
    load_byte,
    stack_top,
    store,
    store_byte,
)


def connected(cells: int, size: int, near: int, start: int, value: int, goal: int) -> int:
    """Whether neighbours that hold a value lead from a cell to one in the goal's row.

    Two ways that were found are kept, a short one and the latest: as long as all cells of either hold the value,
    nothing is looked for.
    """
    kept = at.ways + 2 * at.way_bytes * ((start * 7 + (goal >> 4)) & at.last_way)
    if is_kept(kept, cells, near, start, value, goal):
        return 1
    if is_kept(kept + at.way_bytes, cells, near, start, value, goal):
        return 1
    marks = stack_top()
    before = marks + ((size + 8) & -8)  # for each marked cell the one before it
    last = before + 4 * size + 4  # cells still to be looked at, the latest first: most ways lead straight on
    fill(marks, 0, size + 1)
    item = load(goal)
    while item < load(goal + 4):
        store_byte(marks + load(item), 2)
        item += 4
    if load_byte(marks + start):
        return 1
    store_byte(marks + start, 1)
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
                mark = load_byte(marks + cell)
                if mark != 1:
                    store(before + 4 * cell, here)
                    if mark == 2:
                        latest = kept + at.way_bytes
                        store(latest, start)
                        store(latest + 4, goal)
                        store(latest + 8, near)
                        keep_way(latest, before, cell)
                        if (
                            load(kept) != start
                            or load(kept + 4) != goal
                            or load(latest + 12) < load(kept + 12)
                        ):
                            copy(kept, latest, at.way_bytes)
                        return 1
                    store_byte(marks + cell, 1)
                    store(last, cell)
                    last += 4
            item += 4
    return 0


def is_kept(kept: int, cells: int, near: int, start: int, value: int, goal: int) -> int:
    """Whether a way from the start to the goal is kept here, and all its cells hold the value."""
    if load(kept) != start or load(kept + 4) != goal or load(kept + 8) != near:
        return 0
    cell = kept + 16
    end = cell + 4 * load(kept + 12)
    while cell < end:
        if load(cells + 4 * load(cell)) != value:
            return 0
        cell += 4
    return 1


def keep_way(kept: int, before: int, cell: int) -> None:
    """Write down the cells from the last one back to the start, which is none of them; too many are not kept."""
    room = kept + at.way_bytes
    start = load(kept)
    step = kept + 16
    while cell != start and step < room:
        store(step, cell)
        step += 4
        cell = load(before + 4 * cell)
    if cell != start:
        store(kept, 0)
    store(kept + 12, (step - kept - 16) >> 2)


def found(value: int, item: int, end: int) -> int:
    """Whether one of the words from `item` to `end` is the value."""
    while item < end:
        if load(item) == value:
            return 1
        item += 4
    return 0

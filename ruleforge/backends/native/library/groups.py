"""What is asked of relations: whether a group of neighbours reaches a goal, whether a row holds a number."""

from ruleforge.backends.native.library.words import (
    fill,
    load,
    load_byte,
    stack_top,
    store,
    store_byte,
)


def connected(cells: int, size: int, near: int, start: int, value: int, goal: int) -> int:
    """Whether neighbours that hold a value lead from a cell to one in the goal's row."""
    marks = stack_top()
    queue = marks + ((size + 8) & -8)
    fill(marks, 0, size + 1)
    at = load(goal)
    while at < load(goal + 4):
        store_byte(marks + load(at), 2)
        at += 4
    if load_byte(marks + start):
        return 1
    store_byte(marks + start, 1)
    store(queue, start)
    last = queue + 4
    while queue < last:
        last -= 4
        here = near + 4 * load(last)
        at = load(here)
        end = load(here + 4)
        while at < end:
            cell = load(at)
            if load(cells + 4 * cell) == value:
                mark = load_byte(marks + cell)
                if mark == 2:
                    return 1
                if mark == 0:
                    store_byte(marks + cell, 1)
                    store(last, cell)
                    last += 4
            at += 4
    return 0


def found(value: int, at: int, end: int) -> int:
    """Whether one of the words from `at` to `end` is the value."""
    while at < end:
        if load(at) == value:
            return 1
        at += 4
    return 0

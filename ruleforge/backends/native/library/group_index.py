"""Build and update connectivity indexes: the goals that the groups of cells reach (`native/connectivity.py`).

Seven words describe a connectivity index:

- the offset of its words in a row, and the offset of the cells,
- its neighbours, and the own marks of each value in each cell,
- the number of cells, and the lowest and highest value that makes groups.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ruleforge.backends.native.library.words import load, stack_top, store


def build_groups(row: int, groups: int) -> None:
    """Make the marks of a row."""
    cells = row + load(groups + 4)
    marks = row + load(groups) + 4
    size = load(groups + 16)
    store(marks - 4, 1)
    cell = 0
    while cell <= size:
        store(marks + 4 * cell, 0)
        cell += 1
    cell = 1
    while cell <= size:
        value = load(cells + 4 * cell)
        if value >= load(groups + 20) and value <= load(groups + 24):
            mine = load(marks + 4 * cell) | own_mark(groups, value, cell)
            if mine != load(marks + 4 * cell):
                spread(cells, load(groups + 8), marks, cell, value, mine)
        cell += 1


def cell_changed(row: int, groups: int, cell: int, old: int) -> None:
    """A cell holds something else than before: it joins the groups beside it, or nothing can be said any more."""
    marks = row + load(groups) + 4
    if load(marks - 4) == 0:
        return
    cells = row + load(groups + 4)
    value = load(cells + 4 * cell)
    if value == old:
        return
    low = load(groups + 20)
    high = load(groups + 24)
    if old >= low and old <= high:
        store(marks - 4, 0)
        return
    if value < low or value > high:
        return
    near = load(groups + 8)
    mine = own_mark(groups, value, cell)
    alike = 1
    item = load(near + 4 * cell)
    end = load(near + 4 * cell + 4)
    while item < end:
        other = load(item)
        if load(cells + 4 * other) == value:
            mine = mine | load(marks + 4 * other)
        item += 4
    item = load(near + 4 * cell)
    while item < end:
        other = load(item)
        if load(cells + 4 * other) == value and load(marks + 4 * other) != mine:
            alike = 0
        item += 4
    if alike:
        store(marks + 4 * cell, mine)
    else:
        spread(cells, near, marks, cell, value, mine)


def own_mark(groups: int, value: int, cell: int) -> int:
    return load(load(groups + 12) + 4 * (value * (load(groups + 16) + 1) + cell))


def spread(cells: int, near: int, marks: int, cell: int, value: int, mine: int) -> None:
    """A cell gets marks, and with it its whole group; each cell gets each mark once."""
    first = stack_top()
    last = first
    store(marks + 4 * cell, mine)
    store(last, cell)
    last += 4
    while first < last:
        last -= 4
        here = load(last)
        item = load(near + 4 * here)
        end = load(near + 4 * here + 4)
        while item < end:
            other = load(item)
            if load(cells + 4 * other) == value:
                old = load(marks + 4 * other)
                if old | mine != old:
                    store(marks + 4 * other, old | mine)
                    store(last, other)
                    last += 4
            item += 4

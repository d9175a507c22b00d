"""The soundness check tests that an untrusted row is a position of the game: words in range, valid references."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.analysis.ranges import type_range
from ruleforge.compiler.ir import (
    ACTIVE,
    ANSWER,
    CHAIN_LENGTH,
    DRAINING,
    HOLD,
    LEAVE,
    OUTCOME,
    QUEUE,
    RET,
    SETTING_UP,
    SITE,
    SP,
    WHO,
    WINNERS,
    WORK_DONE,
    ColumnInfo,
    PlaceInfo,
    Program,
)
from ruleforge.engine.frame_check import is_stacked
from ruleforge.engine.stack_ranges import StackRanges

Row = Sequence[int]


def is_sound(program: Program, row: Row, ranges: StackRanges) -> bool:
    """Whether all values and references of the row are valid. Cheap tests come first: later ones rely on them."""
    return (
        _head_is_valid(program, row)
        and is_stacked(program, row, ranges)
        and _waits_in_line(program, row)
        and all(_fits(program, column, row) for column in program.columns)
        and all(_lies_somewhere(program, kind, row) for kind in range(len(program.kinds)))
        and all(_keeps_order(program, place, row) for place in program.places)
    )


def _head_is_valid(program: Program, row: Row) -> bool:
    """The words by which any program is driven."""
    players = len(program.kinds[0].things) - 1
    return (
        0 <= row[OUTCOME] <= len(program.endings)
        and 0 <= row[WINNERS] < 1 << players
        and 0 <= row[SITE] < len(program.sites)
        and 0 <= row[WHO] <= players
        and row[RET] == row[ANSWER] == 0
        and row[CHAIN_LENGTH] == row[WORK_DONE] == 0
        and 0 <= row[ACTIVE] <= players
        and row[LEAVE] >= SETTING_UP
        and 0 <= row[HOLD] <= program.chain
        and 0 <= row[QUEUE] <= program.stack
        and row[DRAINING] in (0, 1)
        and bool(row[SP]) == bool(row[SITE])
        and all(0 <= row[position.slot] <= position.keeps for position in program.positions)
        and 0 <= (row[program.secret_action] if program.secret_action else 0) <= len(program.secret_audiences)
        and 0 <= (row[program.secret_action + 1] if program.secret_action else 0) <= players
    )


# --- the queue ---


def _waits_in_line(program: Program, row: Row) -> bool:
    """Every rule that waits is one of the rules, with values it can be set off with; nothing stands behind the last."""
    queue = program.queue
    if queue is None:
        return row[QUEUE] == row[DRAINING] == 0
    if row[QUEUE] > queue.length:
        return False
    words = row[queue.slot : queue.slot + queue.length * queue.entry]
    entries = [words[n : n + queue.entry] for n in range(0, len(words), queue.entry)]
    waiting, behind = entries[: row[QUEUE]], entries[row[QUEUE] :]
    return all(_is_triggered(program, entry) for entry in waiting) and not any(map(any, behind))


def _is_triggered(program: Program, entry: Row) -> bool:
    assert program.queue is not None
    if not 0 < entry[0] <= len(program.queue.rules):
        return False
    types = program.queue.rules[entry[0] - 1]
    ranges = [type_range(program, type, n) for type, words in types for n in range(words)]
    given = (entry[1], *entry[3:])
    return all(word in found for word, found in zip(given, ranges, strict=False))


# --- attributes ---


def _fits(program: Program, column: ColumnInfo, row: Row) -> bool:
    words = row[column.base + 1 : column.base + 1 + column.size]
    allowed = [type_range(program, column.type, number) for number in range(column.words)]
    return all(word in allowed[n % column.words] for n, word in enumerate(words))


# --- places ---


def _lies_somewhere(program: Program, kind: int, row: Row) -> bool:
    """Every thing lies nowhere or in a container for its kind."""
    homes = [place for place in program.places if place.holds == kind]
    if not homes:
        return True
    allowed = {0}.union(*(range(p.first + 1, p.first + p.count + 1) for p in homes))
    return all(row[homes[0].where + thing] in allowed for thing in range(1, len(program.kinds[kind].things)))


def _keeps_order(program: Program, place: PlaceInfo, row: Row) -> bool:
    """Whether the lists and counts of a place agree with the places of its things."""
    containers: dict[int, list[int]] = {n: [] for n in range(place.first + 1, place.first + place.count + 1)}
    for thing in range(1, len(program.kinds[place.holds].things)):
        containers.get(row[place.where + thing], []).append(thing)
    if place.form == "single":
        return all([row[place.occupant + n]] == (things or [0]) for n, things in containers.items())
    if place.form == "list":
        return all(_linked(place, n, things, row) for n, things in containers.items())
    return True


def _linked(place: PlaceInfo, container: int, things: list[int], row: Row) -> bool:
    """The chain from head to tail has each of the things once."""
    if row[place.size + container] != len(things):
        return False
    left, before, thing = dict.fromkeys(things), 0, row[place.head + container]
    while thing:
        if thing not in left or row[place.previous + thing] != before:
            return False
        del left[thing]
        before, thing = thing, row[place.next + thing]
    return not left and row[place.tail + container] == before

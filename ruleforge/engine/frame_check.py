"""The frame check tests the stack of an untrusted row: frames follow one another and hold possible locals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeGuard

from ruleforge.compiler.ir import (
    FRAME_CALLER,
    FRAME_LOCALS,
    FRAME_PC,
    SITE,
    SP,
    WHO,
    Binary,
    Const,
    Element,
    ForRange,
    FrameClear,
    FrameLoad,
    FrameStore,
    Local,
    PausedFunction,
    Program,
    Push,
    Wait,
)
from ruleforge.compiler.visit import all_expressions, statements
from ruleforge.engine.stack_ranges import StackRanges

Row = Sequence[int]
_COUNTERS = ("position#", "count#")  # of loops that were cut where they pause


def is_stacked(program: Program, row: Row, ranges: StackRanges) -> bool:
    """The frames one behind the other, down to that of the whole game; the top one is the one that waits here."""
    if not row[SP]:
        return not any(row[program.stack :])
    address, end = row[SP], program.row_size
    above: tuple[PausedFunction, Row] | None = None
    while address:
        if not program.stack <= address <= end - FRAME_LOCALS:
            return False
        number = row[address]
        function = program.paused[number] if 0 < number < len(program.paused) else None
        if function is None or address + function.frame_size > end:
            return False
        if any(row[address + function.frame_size : end]):
            return False  # between two frames, and behind the last, there is nothing
        frame = row[address : address + function.frame_size]
        if not _goes_on(function, frame, above, row):
            return False
        if not _asks_players(program, function, frame) or not _holds(program, function, frame, ranges):
            return False
        address, end, above = frame[FRAME_CALLER], address, (function, frame)
    return end == program.stack and row[end] == 1


def _goes_on(
    function: PausedFunction, frame: Row, above: tuple[PausedFunction, Row] | None, row: Row
) -> bool:
    """Whether a frame goes on behind what it waits for, with the words it asked with or handed on."""
    for statement in (s for block in function.blocks for s in statements(block)):
        match statement:
            case Wait(site=site, who=who, block=then) if above is None:
                if (site, then) == (row[SITE], frame[FRAME_PC]) and _gives(frame, who, row[WHO]):
                    return True
            case Push(function=pushed, arguments=arguments, block=then) if above is not None:
                callee, words = above
                if (pushed, then) == (callee.name, frame[FRAME_PC]) and all(
                    _gives(frame, arguments[at - FRAME_LOCALS], words[at])
                    for at in _unchanged_parameters(callee)
                ):
                    return True
    return False


def _gives(frame: Row, expression: object, word: int) -> bool:
    """Whether it is this word, as far as that can be read from the frame alone."""
    match expression:
        case FrameLoad(offset=offset, index=None):
            return frame[offset] == word
        case Const(value=value):
            return value == word
    return True


def _unchanged_parameters(function: PausedFunction) -> Iterator[int]:
    """The offsets of the parameters that a function never changes."""
    changed: set[int] = set()
    for statement in (s for block in function.blocks for s in statements(block)):
        match statement:
            case FrameStore(offset=offset):
                changed.add(offset)
            case FrameClear(offset=offset, size=size):
                changed.update(range(offset, offset + size))
    parameters = range(FRAME_LOCALS, FRAME_LOCALS + len(function.parameters))
    yield from (at for at in parameters if at not in changed)


def _asks_players(program: Program, function: PausedFunction, frame: Row) -> bool:
    """Whether each question in the frame goes to a player, or to none yet."""
    seats = range(len(program.kinds[0].things))
    whom: list[object] = [
        s.who for block in function.blocks for s in statements(block) if isinstance(s, Wait)
    ]
    return all(frame[who.offset] in seats for who in whom if isinstance(who, FrameLoad) and who.index is None)


def _holds(program: Program, function: PausedFunction, frame: Row, ranges: StackRanges) -> bool:
    """Every local is one that the function can have left there."""
    for name, offset in function.saved.items():
        known = ranges.word(function, name, frame[FRAME_PC])
        words = frame[offset : offset + function.arrays.get(name, 1)]
        if not all(word in known for word in words) or (name.startswith(_COUNTERS) and words[0] < 0):
            return False
    if function.name not in ranges.bounds:
        ranges.bounds[function.name] = (*_gathered(function), *_walked(program, function))
    return all(-1 <= frame[at] <= most for at, most in ranges.bounds[function.name])


def _gathered(function: PausedFunction) -> Iterator[tuple[int, int]]:
    """The offset of each count of things that a loop has gathered, with the room for them."""
    for name, size in function.arrays.items():
        stem, _, number = name.partition("#")
        count = f"count#{int(number) + 1}" if stem == "members" else ""
        if count in function.saved:
            yield function.saved[count], size


def _walked(program: Program, function: PausedFunction) -> Iterator[tuple[int, int]]:
    """The offsets of the positions and ends of loops over the elements of an array, with their limits."""
    for loop in statements(program.functions[function.name].body):
        if not isinstance(loop, ForRange) or loop.name not in function.saved:
            continue
        walked = [e.array for e in all_expressions(loop.body) if _is_element(e, loop.name)]
        sizes = [function.arrays[name] for name in walked if name in function.arrays]
        if sizes:
            at = function.saved[loop.name]
            yield at, min(sizes)
            yield from ((limit, min(sizes) - 1) for limit in _limits(function, at))


def _is_element(e: object, index: str) -> TypeGuard[Element]:
    return isinstance(e, Element) and e.index == Local(index)


def _limits(function: PausedFunction, at: int) -> Iterator[int]:
    """The offset of the end of a split loop: the loop compares with it after each iteration."""
    for block in function.blocks:
        for e in all_expressions(block):
            if isinstance(e, Binary) and e.op == "<=":
                left: object = e.left
                right: object = e.right
                if left == FrameLoad(at) and isinstance(right, FrameLoad):
                    yield right.offset

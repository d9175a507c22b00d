"""A function that waits -> which words of its frame were surely written where each of its blocks begins.

A word that is not needed any more is set to 0, so writing a 0 does not count.
"""

from __future__ import annotations

from ruleforge.compiler.ir import (
    FRAME_LOCALS,
    Body,
    Const,
    Finish,
    FrameStore,
    Goto,
    If,
    PausedFunction,
    Push,
    Return,
    Trap,
    Wait,
)

Words = frozenset[int]


def written_words(function: PausedFunction) -> tuple[Words, ...]:
    """For each block the words that hold what the function or its caller put there, whichever way it came."""
    return _Following(function).blocks()


class _Following:
    def __init__(self, function: PausedFunction) -> None:
        self._function = function
        handed = range(FRAME_LOCALS, FRAME_LOCALS + len(function.parameters))
        self._known: dict[int, Words] = {0: frozenset(handed)}
        self._todo = [0]

    def blocks(self) -> tuple[Words, ...]:
        while self._todo:
            number = self._todo.pop()
            self._body(self._function.blocks[number], self._known[number])
        return tuple(self._known.get(number, frozenset()) for number in range(len(self._function.blocks)))

    def _body(self, body: Body, written: Words) -> Words | None:
        """What is written after a body; None if nothing comes after it."""
        for statement in body:
            match statement:
                case FrameStore(offset=offset, index=None, value=value):
                    written = written - {offset} if value == Const(0) else written | {offset}
                case If(then=then, other=other):
                    sides = [self._body(side, written) for side in (then, other)]
                    going_on = [side for side in sides if side is not None]
                    if not going_on:
                        return None
                    written = frozenset.intersection(*going_on)
                case Goto(block=block) | Wait(block=block) | Push(block=block):
                    self._arrive(block, written)
                    return None
                case Return() | Finish() | Trap():
                    return None
        return written

    def _arrive(self, block: int, written: Words) -> None:
        old = self._known.get(block)
        new = written if old is None else old & written
        if new != old:
            self._known[block] = new
            self._todo.append(block)

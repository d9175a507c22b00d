"""`frames` finds sealed answers in the frames of a row, and the other answers that could be there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ruleforge.compiler.ir import (
    FRAME_CALLER,
    FRAME_FUNCTION,
    SITE,
    SP,
    WHO,
    PausedFunction,
    Program,
)
from ruleforge.support.records import dataclass

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant


@dataclass(frozen=True, slots=True)
class SealedAnswer:
    """A sealed answer: its player, its site, its frame, and the slot that holds it (its code + 1)."""

    player: int
    site: int
    frame: int
    slot: int


def sealed_answers(variant: Variant, row: list[int]) -> tuple[SealedAnswer, ...]:
    """The answers given and not yet brought to light: those to the question that others are still asked."""
    program, frame = variant.program, row[SP]
    site = program.sites[row[SITE]]
    if not row[SITE] or site.sealed is None:
        return ()
    function = program.paused[row[frame + FRAME_FUNCTION]]
    assert function is not None
    first = frame + offset_of(function, site.sealed.answers)
    players = range(1, len(variant.player_names) + 1)
    given = [player for player in players if row[first + player] > 0]
    return tuple(SealedAnswer(player, site.number, frame, first + player) for player in given)


def possible_answers(variant: Variant, row: list[int], answer: SealedAnswer) -> list[int]:
    """The possible contents of the slot: the answers that this player was offered, in order."""
    program = variant.program
    sealed = program.sites[answer.site].sealed
    assert sealed is not None
    copied = list(row)
    copied[SP], copied[SITE], copied[WHO] = answer.frame, answer.site, answer.player
    function = program.paused[row[answer.frame + FRAME_FUNCTION]]
    assert function is not None
    copied[answer.frame + offset_of(function, sealed.player)] = answer.player
    choices = variant.runtime.listing(variant.runtime.attach(copied))
    return sorted(choice._code + 1 for choice in choices)


def filled(function: PausedFunction, block: int) -> frozenset[str]:
    """The locals in a frame that may hold something where a block begins."""
    return frozenset(function.saved) & {*function.parameters, *function.filled[block]}


def frames(program: Program, row: list[int]) -> Iterator[tuple[int, PausedFunction]]:
    frame = row[SP]
    while frame:
        function = program.paused[row[frame + FRAME_FUNCTION]]
        assert function is not None
        yield frame, function
        frame = row[frame + FRAME_CALLER]


def offset_of(function: PausedFunction, local: str) -> int:
    """The offset of a local in the frame; the local has a prefix if its function was inlined."""
    return next(at for name, at in function.saved.items() if name == local or name.endswith(f".{local}"))

"""The product of the compiler: functions cut into numbered blocks over frames in the row, ready for any
backend.
"""

from __future__ import annotations

from dataclasses import field

from ruleforge.compiler.ir.expressions import Expr
from ruleforge.compiler.ir.programs import Function, Lowered
from ruleforge.compiler.ir.statements import Body, Placed, Statement
from ruleforge.support.records import dataclass

# Ask, and Perform of a pausing function, are gone; a pausing function is numbered blocks over a frame of the row.
# Every path through a block ends with Goto, Wait, Push, Return, Finish or Trap. At rest (waiting or over) the
# words ANSWER, RET, CHAIN_LENGTH and WORK_DONE are 0, so equal positions are equal rows.


@dataclass(frozen=True, slots=True)
class FrameLoad:
    """Word `offset` (+ `index`) of the running function's frame."""

    offset: int
    index: Expr | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The word ANSWER, which becomes 0: first thing in the block after a Wait."""


@dataclass(frozen=True, slots=True)
class Result:
    """The word RET, which becomes 0: first thing in the block after a Push whose result is used."""


@dataclass(frozen=True, slots=True)
class RelationSize:
    """Number of rows of relation[key]."""

    relation: int
    key: Expr


@dataclass(frozen=True, slots=True)
class RelationItem:
    """Row `position` (from 0) of relation[key]; its field `field`, or None if rows are plain numbers."""

    relation: int
    key: Expr
    position: Expr
    field: int | None = None


@dataclass(frozen=True, slots=True)
class FrameStore(Placed):
    offset: int
    index: Expr | None
    value: Expr


@dataclass(frozen=True, slots=True)
class FrameClear(Placed):
    """Set `size` words of the frame to 0."""

    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class Goto(Placed):
    """Continue with another block of this function."""

    block: int


@dataclass(frozen=True, slots=True)
class Wait(Placed):
    """Stop for a choice at `site`, with `arguments` for its enumerator; continue at `block` with the code in ANSWER."""

    site: int
    who: Expr
    arguments: tuple[Expr, ...]
    block: int


@dataclass(frozen=True, slots=True)
class Push(Placed):
    """Run a pausing function in a new frame; then continue at `block`, with its result in RET.

    `checked`: the frame may not fit into the state vector, and traps with STACK.
    """

    function: str
    arguments: tuple[Expr, ...]
    block: int
    checked: bool = True


@dataclass(frozen=True, slots=True)
class Unwind(Placed):
    """If the game is over, leave this function at once."""


AnyExpr = Expr | FrameLoad | Answer | Result | RelationSize | RelationItem
AnyStatement = Statement | FrameStore | FrameClear | Goto | Wait | Push | Unwind


@dataclass(frozen=True, slots=True)
class PausedFunction:
    """A pausing function as numbered blocks; block 0 is the entry.

    `saved`: the offset in the frame of each local (and array) that lives there. `fixed`: the address of its
    frame if it is always the same. `result_used`: RET must be set on return. `filled`: the locals in the
    frame, without parameters, that may not be 0 at the start of each block.
    """

    name: str
    number: int
    parameters: tuple[str, ...]
    frame_size: int
    blocks: tuple[Body, ...]
    saved: dict[str, int]
    arrays: dict[str, int]
    fixed: int | None
    result_used: bool
    finishes: bool
    place: int = 0
    filled: tuple[frozenset[str], ...] = ()


@dataclass(frozen=True, slots=True)
class SiteFrame:
    """The function that waits at a site, and its enumerator's arguments as FrameLoad or Const of that frame."""

    function: str
    arguments: tuple[AnyExpr, ...]


@dataclass(frozen=True, kw_only=True)
class Program(Lowered):
    """A ruleset ready for any backend: cut into blocks, with the sizes of its row and frames.

    `paused[n]` is the function with number n (paused[0] is None); main is 1. `plain` are the functions that
    never wait. `functions` still holds all of them in direct style, for backends that play on without a
    pause.
    """

    row_size: int
    plain: dict[str, Function]
    paused: tuple[PausedFunction | None, ...]
    waits: dict[int, SiteFrame]
    counts_work: bool  # links of chains or work are counted at all
    traps: bool  # a choice can trap, so the caller must be able to roll back
    identity: str = field(
        default="", compare=False, repr=False
    )  # a digest of what it was made of, if that is known

    @property
    def start(self) -> tuple[int, ...]:
        """The row before set-up, the stack area included."""
        return self.own + (0,) * (self.row_size - self.stack)

"""The interface of every backend: it compiles a program to a runtime, which starts, resumes and plays rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from ruleforge.backends.playouts import Plan, Records
from ruleforge.compiler.ir import Program

if TYPE_CHECKING:
    from ruleforge.backends.vector_env import Terms, VectorEnv

# Words by slot: a list, or an array of 32-bit words. Behind Program.row_size a backend may keep derived lists,
# never saved or hashed.
Row = list[Any]
Choices = Sequence[
    Any
]  # for each site something that turns a code into the interned choice: choices[site][code]
Record = tuple[int, ...]  # (index into Program.notes, arguments ...)


class Numbers(Protocol):
    """The source of random numbers: a `random.Random`, or one that raises StopIteration when it runs out."""

    @property
    def random(self) -> Callable[[], float]: ...


class Runtime(Protocol):
    """One program, ready to run. At rest a row waits at SITE with at least one choice, or the game is over.

    A row that trapped (`Trapped`) is invalid: callers keep a copy when `program.traps`.
    """

    program: Program

    def new_row(self, seed: int) -> Row:
        """A row at its first choice, or over."""

    def attach(self, words: Sequence[int]) -> Row:
        """A row from its saved words: derived data are built anew."""

    def copy(self, row: Row) -> Row:
        """An independent row."""

    def resume(self, row: Row, code: int) -> Sequence[Any]:
        """Choose, and run to the next choice.

        Returns its list of choices (empty: over), which callers must not change.
        """

    def resume_codes(self, row: Row, code: int) -> Sequence[int]:
        """The same, giving codes."""

    def codes(self, row: Row) -> Sequence[int]:
        """All codes that are legal now."""

    def listing(self, row: Row) -> Sequence[Any]:
        """The same as interned choices."""

    def call(self, name: str, row: Row, arguments: Sequence[int] = ()) -> int:
        """The result of a function that does not pause; its work is added to WORK_DONE of the row."""

    def query_row(self, row: Row, apart: bool) -> Row:
        """A row as `call` takes it soonest, for one of which much is asked; `apart`: with a count of work of its own."""

    def playout(self, row: Row, rng: Numbers) -> Row:
        """Play at random to the end, in this row."""

    def playouts(self, row: Row, plan: Plan) -> Iterator[Records]:
        """The records of many random games (`playouts.py`), one behind the other, some at a time; the row stays."""

    def count_lines(self, row: Row, depth: int) -> int:
        """The number of lines of play of this many decisions."""

    def record(self, row: Row, code: int) -> tuple[Row, list[Record]]:
        """The row after a choice, and its events. The given row stays unchanged."""


class Tree(Protocol):
    """A tree of choices that simulations walk and grow."""

    def seed(self, pair: tuple[int, int]) -> None:
        """The words of its own generator, not both 0."""

    def simulate(self, row: Sequence[int], simulations: int, most: int, until: float = ...) -> int:
        """Run a number of simulations from a row, or until `time.monotonic()` passes a moment. Returns their
        number.

        Beyond the tree, at most `most` decisions are played.
        """

    def visits(self) -> dict[int, int]:
        """The number of visits of each choice of the first decision, by code."""


@runtime_checkable
class Searching(Protocol):
    """A runtime that has a tree search of its own."""

    def search(self) -> Tree:
        """A new tree; the one before is gone."""


@runtime_checkable
class Lockstep(Protocol):
    """A runtime that can step many games together."""

    def vector_env(self, program: Program, terms: Terms) -> VectorEnv:
        """`program` is the runtime's own with its observation."""


class Backend(Protocol):
    """A way to run programs."""

    def compile(self, program: Program, choices: Choices | None = None) -> Runtime:
        """Make a program ready; without `choices` a choice is its code."""


def words(row: Row, program: Program) -> list[int]:
    """The part of a row that is saved, compared and hashed."""
    return list(row[: program.row_size])

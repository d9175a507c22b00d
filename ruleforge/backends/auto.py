"""The recommended backend: generated Python at once, and machine code if it is faster and installed.

Generated Python steps small programs. For larger programs the backend times some decisions after a number of
copied rows. If they take long, it compiles the program to machine code. Later rows and copies are then
stepped there. A row is a list or an array, so its type tells which backend steps it. Large batches of
playouts always run in machine code. All backends compute the same rows, word for word.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from random import Random
from statistics import mean
from threading import Lock
from time import thread_time
from typing import TYPE_CHECKING, Any, cast

from ruleforge.backends import cached_python, native
from ruleforge.backends.api import Choices, Numbers, Record, Row, Runtime
from ruleforge.backends.faults import OutOfRoom, Trapped
from ruleforge.backends.playouts import Plan, Records
from ruleforge.backends.python_source import GeneratedPython
from ruleforge.compiler import ir
from ruleforge.compiler.passes.loop_unrolling import size

if TYPE_CHECKING:
    from ruleforge.backends.native.runtime import Native

SMALL, SHORT = (
    300,
    64,
)  # parts of a program and words of a row below which no timing is needed: steps are fast
WARM = (
    8  # rows that are copied before anything is timed: one for each game, each branch, or every 64 decisions
)
TIMED = 21  # decisions
SLOW = 12e-6  # seconds of a decision from which on machine code is quicker, with all it takes to get there and back
MANY = 200  # games for which it is at once


def compile(program: ir.Program, choices: Choices | None = None) -> Runtime:
    if native.missing() is not None:
        return cached_python.compile(program, choices)
    if choices is None or program.row_size <= SHORT or _size(program) <= SMALL:
        return _with_playouts(cached_python.compile(program, choices))
    return Tiered(program, choices)


def _size(program: ir.Program) -> int:
    blocks = (block for f in program.paused if f is not None for block in f.blocks)
    return sum(size(f.body) for f in program.plain.values()) + sum(map(size, blocks))


def _compiled(program: ir.Program, choices: Choices | None = None) -> Native | None:
    """Machine code, with memory of its own; None if there is no room here."""
    cached = import_module("ruleforge.backends.native.cached")  # only here is wasmtime needed

    try:
        return cast("Native", cached.compile(program, choices))
    except OutOfRoom:
        return None


def _with_playouts(python: GeneratedPython) -> GeneratedPython:
    """Generated Python that leaves many games to machine code; nothing stands between its functions and who steps."""
    stepwise = python.playouts

    def playouts(row: Row, plan: Plan) -> Iterator[Records]:
        runtime = _compiled(python.program) if plan.last - plan.first >= MANY else None
        if runtime is None:
            return stepwise(python.attach(list(row)) if _is_array(row) else row, plan)
        return runtime.playouts(runtime.attach(row) if row else row, plan)

    python.playouts = playouts  # type: ignore[method-assign]
    return python


def _is_array(row: Row) -> bool:
    """Whether a row is of machine code."""
    return row.__class__ is not list


class Tiered:
    """A `Runtime` that starts with generated Python and moves to machine code.

    Its `resume` is a generated function.
    """

    def __init__(self, program: ir.Program, choices: Choices) -> None:
        self.program = program
        self._python = _with_playouts(cached_python.compile(program, choices, self._resumed))
        self.resume, self.playouts = self._python.resume, self._python.playouts
        self._choices = choices
        self._copied = 0
        self._native: Native | None = None
        self._lock = Lock()  # machine code steps one row at a time
        self._last_query: tuple[bytes, Row] = (
            b"",
            [],
        )  # the last row that was asked about, for generated Python

    def _is_slow(self, row: Row) -> bool:
        """Whether decisions that are made from here on, at random, take long."""
        # On a copy, at random: the game itself must not notice that it was timed.
        scratch, rng = self._python.copy(row), Random(0)
        times: list[float] = []
        with suppress(Trapped):  # then it is for those before to tell
            codes = self._python.codes(scratch)
            while codes and len(times) < TIMED:
                began = thread_time()
                codes = self._python.resume_codes(scratch, rng.choice(codes))
                times.append(thread_time() - began)
        times.sort()
        usual = times[: -(-len(times) * 9 // 10)]  # something else may have come between
        return bool(usual) and mean(usual) > SLOW

    # --- rows ---

    def new_row(self, seed: int) -> Row:
        if self._native is None:
            return self._python.new_row(seed)
        with self._lock:
            return self._native.new_row(seed)

    def attach(self, words: Sequence[int]) -> Row:
        return (self._native or self._python).attach(words)

    def copy(self, row: Row) -> Row:
        if _is_array(row):
            return row[:]
        if self._native is None:
            self._copied += 1
            if self._copied == WARM and self._is_slow(row):
                self._native = _compiled(self.program, self._choices)
        return self._python.copy(row) if self._native is None else self._native.attach(row)

    # --- choices ---

    def resume_codes(self, row: Row, code: int) -> Sequence[int]:
        return (
            self._machine("resume_codes", row, code)
            if _is_array(row)
            else self._python.resume_codes(row, code)
        )

    def listing(self, row: Row) -> Sequence[Any]:
        return self._machine("listing", row) if _is_array(row) else self._python.listing(row)

    def codes(self, row: Row) -> Sequence[int]:
        return self._machine("codes", row) if _is_array(row) else self._python.codes(row)

    def _resumed(self, row: Row, code: int) -> Sequence[Any]:
        return self._machine("resume", row, code)

    def _machine(self, name: str, *arguments: Any) -> Sequence[Any]:
        with self._lock:
            return cast(Sequence[Any], getattr(self._native, name)(*arguments))

    # --- what generated Python does for all rows ---

    def call(self, name: str, row: Row, arguments: Sequence[int] = ()) -> int:
        if not _is_array(row):
            return self._python.call(name, row, arguments)
        twin, worked = self._twin(row), row[ir.WORK_DONE]
        try:
            return self._python.call(name, twin, arguments)
        finally:
            row[ir.WORK_DONE], twin[ir.WORK_DONE] = twin[ir.WORK_DONE], worked

    def query_row(self, row: Row, apart: bool) -> Row:
        return self._python.query_row(self._twin(row) if _is_array(row) else row, apart)

    def _twin(self, row: Row) -> Row:
        """The row as a list for generated Python. The last one is cached, because one row gets many queries."""
        # A row of machine code can change in place, so its bytes are compared, not its identity.
        words = cast(Any, row).tobytes()
        if words != self._last_query[0]:
            self._last_query = words, self._python.attach(list(row))
        return self._last_query[1]

    def playout(self, row: Row, rng: Numbers) -> Row:
        if not _is_array(row):
            return self._python.playout(row, rng)
        end = self._python.playout(self._listed(row), rng)
        row[:] = cast(Row, array("i", end[: self.program.row_size]))
        return row

    def count_lines(self, row: Row, depth: int) -> int:
        return self._python.count_lines(self._listed(row), depth)

    def record(self, row: Row, code: int) -> tuple[Row, list[Record]]:
        after, notes = self._python.record(self._listed(row), code)
        return (self.attach(after), notes) if _is_array(row) else (after, notes)

    def _listed(self, row: Row) -> Row:
        return self._python.attach(list(row)) if _is_array(row) else row

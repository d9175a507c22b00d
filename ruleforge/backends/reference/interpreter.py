"""The plain interpreter as a backend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from ruleforge.backends.api import Choices, Numbers, Record, Row
from ruleforge.backends.faults import CompilerBug
from ruleforge.backends.playouts import Plan, Records, first_words, lines, stepwise
from ruleforge.backends.reference.run import Run
from ruleforge.compiler import ir


def compile(program: ir.Program, choices: Choices | None = None) -> Interpreter:
    return Interpreter(program, choices)


class Interpreter:
    """A `Runtime` that interprets a program step by step."""

    def __init__(self, program: ir.Program, choices: Choices | None = None) -> None:
        self.program = program
        self.choices = choices
        self.plain, self.framed = (0, program.stack), (program.stack, program.row_size)  # words

    @cached_property
    def indexed(self) -> dict[int, int]:
        """The base of the indexed column of each slot."""
        columns = [self.program.columns[number] for number in self.program.indexed]
        return {c.base + i: c.base for c in columns for i in range(1, c.size + 1)}

    def run(self, row: Row, notes: list[Record] | None = None) -> Run:
        """A run over a row."""
        return Run(self, row, notes)

    def new_row(self, seed: int) -> Row:
        row = self.first_row(seed)
        self.run(row).go_on(0)
        return row

    def first_row(self, seed: int) -> Row:
        """A row before its set-up."""
        program = self.program
        row = first_words(program, seed)
        if len(row) != program.row_size:
            raise CompilerBug("start values do not fit the row")
        return row

    def attach(self, words: Sequence[int]) -> Row:
        return list(words[: self.program.row_size])

    def copy(self, row: Row) -> Row:
        return row[:]

    def resume_codes(self, row: Row, code: int) -> list[int]:
        if not row[ir.SITE]:
            raise CompilerBug("the game is over")
        return self.run(row).go_on(code)

    def resume(self, row: Row, code: int) -> list[Any]:
        return self._interned(row, self.resume_codes(row, code))

    def codes(self, row: Row) -> list[int]:
        codes = self.run(row).codes()
        row[ir.WORK_DONE] = 0
        return codes

    def listing(self, row: Row) -> list[Any]:
        return self._interned(row, self.codes(row))

    def _interned(self, row: Row, codes: list[int]) -> list[Any]:
        return codes if self.choices is None else [self.choices[row[ir.SITE]][code] for code in codes]

    def query_row(self, row: Row, apart: bool) -> Row:
        return self.copy(row) if apart else row

    def call(self, name: str, row: Row, arguments: Sequence[int] = ()) -> int:
        return self.run(row).call(name, arguments)

    def record(self, row: Row, code: int) -> tuple[Row, list[Record]]:
        after, notes = self.copy(row), []  # type: ignore[var-annotated]
        self.noted(after, code, notes)
        return after, notes

    def noted(self, row: Row, code: int, notes: list[Record]) -> None:
        """Choose, in this row, and append the events to the notes, up to a fault of the rules."""
        self.run(row, notes).go_on(code)

    def playout(self, row: Row, rng: Numbers) -> Row:
        while row[ir.SITE]:
            run = self.run(row)
            run.go_on(run.draw(rng.random))
        return row

    def playouts(self, row: Row, plan: Plan) -> Iterator[Records]:
        return stepwise(self, row, plan)

    def count_lines(self, row: Row, depth: int) -> int:
        return lines(self, row, depth)

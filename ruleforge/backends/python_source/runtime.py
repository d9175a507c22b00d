"""The runtime of generated Python."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import CodeType
from typing import Any

from ruleforge.backends.api import Choices, Record, Row
from ruleforge.backends.faults import Trapped
from ruleforge.backends.playouts import Plan, Records, first_words, lines, stepwise
from ruleforge.backends.python_source.indexes import Indexes
from ruleforge.backends.python_source.loop_extraction import code_of
from ruleforge.backends.python_source.module import source
from ruleforge.backends.python_source.patterns import Patterns, slot_sizes
from ruleforge.backends.python_source.writer import function_names
from ruleforge.backends.random32 import draw
from ruleforge.compiler import ir

Machine = Callable[[Row, int], Sequence[Any]]
CodeCache = Callable[[str, Callable[[], CodeType]], CodeType]  # (variant, how to compile it) -> its code


def compile_program(
    program: ir.Program,
    choices: Choices | None = None,
    cache: CodeCache | None = None,
    machine: Machine | None = None,
) -> GeneratedPython:
    """Make a program ready. Parts are compiled when they are first used."""
    return GeneratedPython(program, choices, cache, machine)


class GeneratedPython:
    """A `Runtime` of generated Python. `resume`, `listing`, `copy` and `playout` are generated functions.

    `machine` resumes the rows that are not lists.
    """

    def __init__(
        self,
        program: ir.Program,
        choices: Choices | None = None,
        cache: CodeCache | None = None,
        machine: Machine | None = None,
    ) -> None:
        self.program = program
        self.machine = machine
        self.choices = choices
        self.cache = cache
        self.indexes = Indexes(program, mirrored=choices is not None)
        self.mirrors = self.indexes.tables(choices) if choices is not None else {}
        self.modules: dict[str, dict[str, Any]] = {}
        step = self.module("codes" if choices is None else "interned")
        self.resume: Callable[[Row, int], Sequence[Any]] = step["resume"]
        self.listing: Callable[[Row], Sequence[Any]] = step["choices"]
        self.copy: Callable[[Row], Row] = step["copy"]
        self.plain = function_names("f_", list(self.program.plain))

    def module(self, variant: str) -> dict[str, Any]:
        """The globals of a variant, compiled when first wanted."""
        if variant not in self.modules:
            names = self.namespace()
            if variant == "playout":
                names["resume"] = self.module("codes")["resume"]
            exec(self.code(variant), names)
            names["trial"] = _trial(names["copy"], variant == "recording", self.program.work)
            self.modules[variant] = names
        return self.modules[variant]

    def code(self, variant: str) -> CodeType:
        shared = self.machine is not None and variant == "interned"

        def make() -> CodeType:
            text = source(self.program, variant, self.indexes, shared) + self.copy_source()
            return code_of(text, f"<{self.program.name}: {variant}>")

        cached = variant + "-mirrored" if self.indexes.mirrors else variant
        return make() if self.cache is None else self.cache(cached + "-shared" * shared, make)

    def copy_source(self) -> str:
        lines = self.indexes.copy_lines()
        if not lines:
            return "def copy(r): return r[:]\n"
        return "def copy(r):\n c = r[:]\n" + "".join(f" {line}\n" for line in lines) + " return c\n"

    def namespace(self) -> dict[str, Any]:
        """The globals of generated code: tables, relations, their sets, tables of choices, helpers."""
        program = self.program
        names: dict[str, Any] = {
            "Trapped": Trapped,
            "rand": draw,
            "bisect_left": bisect_left,
            "insort": insort,
            "checked": _checked,
            "take_result": _take_result,
            "connected": _connected,
            "machine": self.machine,
            "patterns": partial(Patterns, sizes=slot_sizes(program)),
        }
        names.update(self.mirrors)
        names.update(self.indexes.group_names())
        names.update({f"T{k}": table for k, table in enumerate(program.tables)})
        names.update({f"R{k}": relation for k, relation in enumerate(program.relations)})
        for k, relation in enumerate(program.relations):
            names[f"M{k}"] = tuple(frozenset(rows) for rows in relation)
        for site in program.sites:
            if site.sampler is not None:
                names[f"N{site.sampler.tries}"] = (None,) * site.sampler.tries  # quicker to walk than a range
        if self.choices is not None:
            names.update({f"D{k}": self.choices[k] for k in range(1, len(program.sites))})
        return names

    def new_row(self, seed: int) -> Row:
        row: Row = self.indexes.attach(first_words(self.program, seed), self.mirrors)
        self.resume(row, 0)
        return row

    def attach(self, words: Sequence[int]) -> Row:
        return self.indexes.attach(list(words), self.mirrors)

    def resume_codes(self, row: Row, code: int) -> Sequence[int]:
        return self.module("codes")["resume"](row, code)  # type: ignore[no-any-return]

    def codes(self, row: Row) -> Sequence[int]:
        return self.module("codes")["choices"](row)  # type: ignore[no-any-return]

    def playout(self, row: Row, rng: Any) -> Row:
        self.playout = self.module("playout")["playout"]  # type: ignore[method-assign]
        return self.playout(row, rng)

    def playouts(self, row: Row, plan: Plan) -> Iterator[Records]:
        return stepwise(self, row, plan)

    def count_lines(self, row: Row, depth: int) -> int:
        return lines(self, row, depth)

    def query_row(self, row: Row, apart: bool) -> Row:
        return self.copy(row) if apart else row

    def call(self, name: str, row: Row, arguments: Sequence[int] = ()) -> int:
        return self.module("calls")[self.plain[name]](row, *arguments)  # type: ignore[no-any-return]

    def record(self, row: Row, code: int) -> tuple[Row, list[Record]]:
        resume = self.module("recording")["resume"]
        after = self.copy(row)
        notes: list[Record] = []
        after.append(notes)
        resume(after, code)
        after.pop()
        return after, notes


def _connected(
    row: Row, base: int, near: Sequence[Sequence[int]], start: int, value: int, goal: frozenset[int]
) -> int:
    """Whether neighbours that hold a value lead from a cell, which is one of them, to a goal."""
    marked = {start}
    reached = [start] if row[base + start] == value else []
    for cell in reached:
        if cell in goal:
            return 1
        for other in near[cell]:
            if row[base + other] == value and other not in marked:
                marked.add(other)
                reached.append(other)
    return 0


def _trial(copy: Callable[[Row], Row], recording: bool, work: int) -> Callable[..., int]:
    """Make the function for speculative execution: it runs on a copy of the row, unrecorded, with the same
    step budget.
    """

    def trial(function: Callable[..., int], row: Row, *arguments: int) -> int:
        twin = copy(row)
        if recording:
            twin[-1] = []
        try:
            return function(twin, *arguments)
        except Trapped:
            if twin[ir.WORK_DONE] > work:
                raise
            return -1
        finally:
            row[ir.WORK_DONE] = twin[ir.WORK_DONE]

    return trial


def _checked(value: int) -> int:
    if not -2147483648 <= value <= 2147483647:
        raise Trapped(ir.OVERFLOW)
    return value


def _take_result(row: Row) -> int:
    value, row[ir.RET] = row[ir.RET], 0
    return value  # type: ignore[no-any-return]

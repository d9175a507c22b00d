"""The native runtime of a program. Rows are arrays of words, copied in and out."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, cast

from ruleforge.backends import python_source
from ruleforge.backends.api import Choices, Numbers, Record, Row
from ruleforge.backends.native import CodeCache, sliced_work
from ruleforge.backends.native.host import Export, Instance, check, checked, compiled
from ruleforge.backends.native.memory import Memory
from ruleforge.backends.native.module import calls_module, play_module, vector_env_module
from ruleforge.backends.native.native_vector_env import NativeVectorEnv
from ruleforge.backends.native.sliced_work import Tree
from ruleforge.backends.playouts import Plan, Records, first_words
from ruleforge.backends.vector_env import Terms
from ruleforge.compiler import ir


class Native:
    """A `Runtime` in machine code. Generated Python records events and draws single playouts."""

    def __init__(
        self, program: ir.Program, choices: Choices | None = None, cache: CodeCache | None = None
    ) -> None:
        self.program = program
        self.choices = choices
        self._cache = cache
        self._called: dict[str, Export] = {}
        self._instance = self._made("play", play_module)
        self._memory = memory = Memory(program)
        self._address, first = memory.row, memory.row // 4
        self._row = self._instance.words[first : first + program.row_size]
        self._list = self._instance.words[memory.offers // 4 : memory.offers // 4 + memory.most_choices]
        self._resume, self._choices = map(self._instance.export, ("resume", "choices"))

    def _made(self, variant: str, module: Callable[[ir.Program], bytes]) -> Instance:
        def make() -> bytes:
            return compiled(module(self.program))

        return Instance(make() if self._cache is None else self._cache(variant, make))

    # --- rows ---

    def new_row(self, seed: int) -> Row:
        row = self.attach(first_words(self.program, seed))
        self.resume_codes(row, 0)
        return row

    def attach(self, words: Sequence[int]) -> Row:
        return cast(Row, array("i", words[: self.program.row_size]))

    def copy(self, row: Row) -> Row:
        return row[:]

    # --- choices ---

    def resume_codes(self, row: Row, code: int) -> Sequence[int]:
        self._row[:] = cast(Any, row)
        count = self._resume(self._address, code)
        check(self._instance)
        memoryview(cast(Any, row))[:] = self._row
        return self._list[:count].tolist()

    def resume(self, row: Row, code: int) -> Sequence[Any]:
        return self._interned(row, self.resume_codes(row, code))

    def codes(self, row: Row) -> Sequence[int]:
        self._row[:] = cast(Any, row)
        count = self._choices(self._address)
        check(self._instance)
        return self._list[:count].tolist()

    def listing(self, row: Row) -> Sequence[Any]:
        return self._interned(row, self.codes(row))

    def _interned(self, row: Row, codes: Sequence[int]) -> Sequence[Any]:
        if self.choices is None:
            return codes
        choice = self.choices[row[ir.SITE]]
        return [choice[code] for code in codes]

    # --- functions ---

    @cached_property
    def _calls(self) -> Instance:
        return self._made("calls", calls_module)

    def query_row(self, row: Row, apart: bool) -> Row:
        return self.copy(row) if apart else row

    def call(self, name: str, row: Row, arguments: Sequence[int] = ()) -> int:
        if name not in self._called:
            self._called[name] = self._calls.export(name)
        first = self._address // 4
        self._calls.words[first : first + self.program.row_size] = cast(Any, row)
        result = self._called[name](self._address, *arguments)
        row[ir.WORK_DONE] = self._calls.words[first + ir.WORK_DONE]
        check(self._calls)
        return result

    # --- whole games ---

    def playouts(self, row: Row, plan: Plan) -> Iterator[Records]:
        start = self.attach(first_words(self.program, 0)) if plan.set_up else row
        export = self._checked("playouts")
        return sliced_work.playouts(self._instance.words, self._memory, export, start, plan)

    def count_lines(self, row: Row, depth: int) -> int:
        codes = self.codes(row)
        if depth == 1:
            return len(codes)
        export = self._checked("count_lines")
        return sliced_work.count_lines(self._instance.words, self._memory, export, row, codes, depth)

    def search(self) -> Tree:
        """A new tree; the one before is gone."""
        begin, search = map(self._checked, ("begin_search", "search"))
        return Tree(self._instance.words, self._memory, begin, search)

    def _checked(self, name: str) -> Export:
        return checked(self._instance, name)

    def vector_env(self, program: ir.Program, terms: Terms) -> NativeVectorEnv:
        """Games that advance together. `program` is this program with its observation."""
        return NativeVectorEnv(program, self._made("vector_env", lambda _: vector_env_module(program)), terms)

    # --- what the generated Python does: the same rows, word for word ---

    @cached_property
    def _python(self) -> python_source.GeneratedPython:
        return python_source.compile(self.program)

    def playout(self, row: Row, rng: Numbers) -> Row:
        end = self._python.playout(self._python.attach(row.tolist()), rng)  # type: ignore[attr-defined]
        row[:] = self.attach(end)
        return row

    def record(self, row: Row, code: int) -> tuple[Row, list[Record]]:
        after, notes = self._python.record(self._python.attach(row.tolist()), code)  # type: ignore[attr-defined]
        return self.attach(after), notes

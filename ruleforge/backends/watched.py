"""A run of the plain interpreter that somebody watches: before each statement, and wherever chance decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ruleforge.backends.api import Record, Row
from ruleforge.backends.reference import Interpreter, _Run
from ruleforge.compiler import ir


class Watcher(Protocol):
    """Whoever watches; an exception it raises ends the run, and the row is spoilt."""

    def before(self, run: WatchedRun, statement: Any) -> None:
        """A statement is about to be run."""

    def chance(self, run: WatchedRun, random: ir.Random, following: ir.Body) -> int | None:
        """What is drawn here; None leaves it to the generator. `following` are the statements behind it."""


class WatchedRun(_Run):
    """The same run, with a watcher at every statement."""

    def __init__(self, program: ir.Program, row: Row, watcher: Watcher, notes: list[Record]) -> None:
        super().__init__(Interpreter(program), row, notes)
        self.watcher = watcher
        self.calls = 0  # functions that were called and have not returned
        self.aside = 0  # above 0 while an expression is worked out, or choices are listed
        self._following: ir.Body = ()

    @property
    def depth(self) -> int:
        """How many functions wait for others to return: frames of the row, then calls."""
        frames, at = 0, self.row[ir.SP]
        while at:
            frames, at = frames + 1, self.row[at + ir.FRAME_CALLER]
        return frames + self.calls

    def held(self) -> dict[str, Any]:
        """The locals of the running function, those of its frame first; what was assigned last stands last."""
        found: dict[str, Any] = {}
        if self.frame:
            function = self.program.paused[self.row[self.frame]]
            assert function is not None
            found |= {name: self.row[self.frame + at] for name, at in function.saved.items()}
        for name, value in self.locals.items():
            found.pop(name, None)
            found[name] = value
        return found

    def body(self, body: ir.Body) -> None:
        for position, statement in enumerate(body):
            self._following = body[position + 1 :]
            self.watcher.before(self, statement)
            self.DO[type(statement)](self, statement)

    def result(self, body: ir.Body) -> int:
        self.body(body)
        return 0

    def do_set(self, node: ir.Set) -> None:
        value = self.value(node.value)
        self.locals.pop(node.name, None)
        self.locals[node.name] = value

    def do_random(self, node: ir.Random) -> None:
        drawn = self.watcher.chance(self, node, self._following)
        if drawn is None:
            super().do_random(node)
        else:
            self.locals[node.into] = drawn

    def call(self, name: str, arguments: Sequence[int]) -> int:
        self.calls += 1
        try:
            return super().call(name, arguments)
        finally:
            self.calls -= 1

    def of_callexpr(self, node: ir.CallExpr) -> int:
        self.aside += 1
        try:
            return super().of_callexpr(node)
        finally:
            self.aside -= 1

    def codes(self) -> list[int]:
        self.aside += 1
        try:
            return super().codes()
        finally:
            self.aside -= 1

"""The plain interpreter with observers: coverage, debuggers and profilers watch a run through them.

An observer overrides the hooks that it needs, and a run pays only for those. Each hook gets the run and can
read `run.program`, `run.words`, `run.variables`, `run.evaluate(expression)` and the position of the run
(`run.depth`, `run.aside`, `run.tried`). An exception of an observer ends the run and invalidates its row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast
from weakref import proxy

from ruleforge.backends.api import Choices, Record, Row
from ruleforge.backends.reference.expressions import Methods, methods
from ruleforge.backends.reference.interpreter import Interpreter
from ruleforge.backends.reference.run import Run
from ruleforge.compiler import ir


class Observer:
    """Receives the steps of a run in order, also those of trials. `run.tried` marks a trial."""

    def statement(self, run: TracedRun, statement: ir.Statement) -> None:
        """A statement is about to run. `run.program.place_of(statement)` gives its place in the rules."""

    def enter(self, run: TracedRun, function: str, arguments: Sequence[int]) -> None:
        """A function is called. A function that waits for an answer is not entered again when it continues."""

    def leave(self, run: TracedRun, function: str) -> None:
        """A function has returned."""

    def branch(self, run: TracedRun, node: ir.If | ir.Select | ir.While, taken: bool) -> None:
        """The test of a node was evaluated."""

    def value(self, run: TracedRun, expression: Any, value: int) -> None:
        """An expression was evaluated, after its parts."""

    def read(self, run: TracedRun, slot: int) -> None:
        """Called before a node or a step of the interpreter reads a word of the row."""

    def write(self, run: TracedRun, slot: int, value: int) -> None:
        """A word of the row is about to be written."""

    def chance(self, run: TracedRun, node: ir.Random) -> int | None:
        """A number is about to be drawn: this one, or None for one of the generator's."""
        return None

    def answer(self, run: TracedRun, site: ir.Site, code: int) -> None:
        """A choice is made at a site."""


HOOKS = tuple(name for name, hook in vars(Observer).items() if callable(hook))


class TracingInterpreter(Interpreter):
    """An interpreter whose runs notify observers of every step."""

    def __init__(
        self, program: ir.Program, observers: Sequence[Observer], choices: Choices | None = None
    ) -> None:
        super().__init__(program, choices)
        self.hooks_of = {name: _hooks(observers, name) for name in HOOKS}
        self.statements = _reporting_before(self.hooks_of["statement"], TracedRun.DO)
        self.expressions = _reporting_after(self.hooks_of["value"], TracedRun.OF)
        self.row_is_watched = bool(self.hooks_of["read"] or self.hooks_of["write"])

    def run(self, row: Row, notes: list[Record] | None = None) -> TracedRun:
        return TracedRun(self, row, notes)


class TracedRun(Run):
    """A run that notifies its observers. They read its row through `words`, because a read of `row` is
    notified.

    `aside`: the run evaluates an expression or lists choices. `tried`: it works on a copy.
    """

    machine: TracingInterpreter

    def __init__(
        self, machine: TracingInterpreter, row: Row, notes: list[Record] | None = None, tried: bool = False
    ) -> None:
        super().__init__(machine, row, notes)
        self.words = row
        if machine.row_is_watched:
            self.row = cast(Row, TracedRow(row, self))
        self.DO, self.OF = machine.statements, machine.expressions
        self.calls = 0  # functions that were called and have not returned
        self.tried = tried
        self._asides = 0

    def tell(self, hook: str, *what: Any) -> None:
        for hear in self.machine.hooks_of[hook]:
            hear(self, *what)

    # --- where it is ---

    @property
    def aside(self) -> bool:
        return self._asides > 0 or self.tried

    @property
    def depth(self) -> int:
        """The number of functions that wait for others to return: frames of the row, then calls."""
        frames, at = 0, self.words[ir.SP]
        while at:
            frames, at = frames + 1, self.words[at + ir.FRAME_CALLER]
        return frames + self.calls

    @property
    def variables(self) -> dict[str, Any]:
        """The locals of the running function, those of its frame first. The last assigned local is last."""
        found: dict[str, Any] = {}
        if self.frame:
            function = self.program.paused[self.words[self.frame]]
            assert function is not None
            found |= {name: self.words[self.frame + at] for name, at in function.saved.items()}
        for name, value in self.locals.items():
            found.pop(name, None)
            found[name] = value
        return found

    def evaluate(self, expression: Any, given: Mapping[str, int] | None = None) -> int:
        """The value of an expression here, with other values for some locals.

        It changes no state and notifies no observer.
        """
        apart = Run(self.machine, list(self.words))
        apart.frame, apart.locals = self.frame, {**self.locals, **(given or {})}
        return apart.value(expression)

    # --- notifications ---

    def trial(self, row: Row) -> TracedRun:
        return TracedRun(self.machine, row, tried=True)

    def go_on(self, answer: int) -> list[int]:
        if self.words[ir.SITE]:
            self.tell("answer", self.program.sites[self.words[ir.SITE]], answer)
        return super().go_on(answer)

    def call(self, name: str, arguments: Sequence[int]) -> int:
        self.tell("enter", name, arguments)
        self.calls += 1
        result = super().call(name, arguments)
        self.calls -= 1
        self.tell("leave", name)
        return result

    def push(self, function: ir.PausedFunction, push: ir.Push) -> None:
        super().push(function, push)
        first = self.words[ir.SP] + ir.FRAME_LOCALS
        self.tell("enter", push.function, self.words[first : first + len(push.arguments)])

    def pop(self, function: ir.PausedFunction, value: Any) -> None:
        super().pop(function, value)
        self.tell("leave", function.name)

    def result(self, body: ir.Body) -> int:
        for statement in body:
            if type(statement) is ir.Return:
                self.tell("statement", statement)
                return self.value(statement.value)
            self.DO[type(statement)](self, statement)
        return 0

    def of_callexpr(self, node: ir.CallExpr) -> int:
        self._asides += 1
        result = super().of_callexpr(node)
        self._asides -= 1
        return result

    def codes(self) -> list[int]:
        self._asides += 1
        found = super().codes()
        self._asides -= 1
        return found

    def do_set(self, node: ir.Set) -> None:
        value = self.value(node.value)
        self.locals.pop(node.name, None)  # so that it stands last
        self.locals[node.name] = value

    def do_random(self, node: ir.Random) -> None:
        for hear in self.machine.hooks_of["chance"]:
            drawn = hear(self, node)
            if drawn is not None:
                self.locals[node.into] = drawn
                return
        super().do_random(node)

    def test(self, node: ir.If | ir.Select | ir.While) -> bool:
        taken = self.value(node.test) != 0
        self.tell("branch", node, taken)
        return taken

    def do_if(self, node: ir.If) -> None:
        self.body(node.then if self.test(node) else node.other)

    def do_while(self, node: ir.While) -> None:
        self.loop(node, iter(lambda: self.test(node), False), ())

    def of_select(self, node: ir.Select) -> int:
        return self.value(node.then if self.test(node) else node.other)


class TracedRow:
    """A row that notifies each read and write of a word. A copy of the whole row is not notified.

    No node of the intermediate form, not even a new one, can read a word unnoticed.
    """

    def __init__(self, row: Row, run: TracedRun) -> None:
        self._row = row
        self._run = proxy(run)  # which holds this row: neither keeps the other alive
        self._reads, self._writes = run.machine.hooks_of["read"], run.machine.hooks_of["write"]

    def __iter__(self) -> Iterator[int]:
        return iter(self._row)

    def __getitem__(self, slot: Any) -> Any:
        for each in self._slots(slot):
            for hear in self._reads:
                hear(self._run, each)
        return self._row[slot]

    def __setitem__(self, slot: Any, value: Any) -> None:
        words = value if isinstance(slot, slice) else (value,)
        for each, word in zip(self._slots(slot), words, strict=True):
            for hear in self._writes:
                hear(self._run, each, word)
        self._row[slot] = value

    def _slots(self, slot: Any) -> Sequence[int]:
        return range(*slot.indices(len(self._row))) if isinstance(slot, slice) else (slot,)


TracedRun.DO, TracedRun.OF = methods(TracedRun, "do_"), methods(TracedRun, "of_")

Hook = Callable[..., Any]


def _hooks(observers: Sequence[Observer], name: str) -> tuple[Hook, ...]:
    """The hooks of this name that do something."""
    silent = getattr(Observer, name)
    return tuple(getattr(o, name) for o in observers if getattr(type(o), name) is not silent)


def _reporting_before(hooks: tuple[Hook, ...], known: Methods) -> Methods:
    """The same methods, each of which tells of its node first."""

    def reporting(method: Hook) -> Hook:
        def step(run: TracedRun, node: Any) -> Any:
            for hear in hooks:
                hear(run, node)
            return method(run, node)

        return step

    return {kind: reporting(method) for kind, method in known.items()} if hooks else known


def _reporting_after(hooks: tuple[Hook, ...], known: Methods) -> Methods:
    """The same methods, each of which tells what came of its node."""

    def reporting(method: Hook) -> Hook:
        def step(run: TracedRun, node: Any) -> Any:
            value = method(run, node)
            for hear in hooks:
                hear(run, node, value)
            return value

        return step

    return {kind: reporting(method) for kind, method in known.items()} if hooks else known

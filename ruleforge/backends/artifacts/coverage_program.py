"""Run the rules of a game and record coverage: every statement, marked value and answer that ran."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ruleforge.backends.api import Choices, Runtime
from ruleforge.backends.artifacts.compiled import Compiled, Questioning
from ruleforge.backends.artifacts.info import PackInfo
from ruleforge.backends.artifacts.setup import Setup
from ruleforge.backends.reference.trace import Observer, TracedRun, TracingInterpreter
from ruleforge.compiler import ir
from ruleforge.compiler.ir import Program
from ruleforge.compiler.program import program_from_checked, questioning_program
from ruleforge.compiler.trace_marks import Marks, shown_by
from ruleforge.lang.checker.typed import Checked
from ruleforge.support.diagnostics import Span


class Covered(Compiled):
    """A `Compiled` whose plain interpreter records coverage. Its programs are not cached on disk."""

    def __init__(
        self,
        checked: Checked,
        texts: Mapping[str, str],
        backend: str,
        packs: tuple[PackInfo, ...],
        *,
        marks: Marks,
    ) -> None:
        super().__init__(checked, texts, backend, packs)
        self._marks = marks
        self._observers: list[Coverage] = []

    def program(self, setup: Setup) -> Program:
        if setup not in self._programs:
            words, explicit = self._words(setup), setup.chance == "explicit"
            self._programs[setup] = program_from_checked(
                self._checked, setup.players, words, explicit, self._marks, self._first(setup)
            )
        return self._programs[setup]

    def runtime(self, setup: Setup, choices: Choices, program: Program | None = None) -> Runtime:
        if program is not None:
            return super().runtime(setup, choices, program)
        return self._watched(self.program(setup), choices)

    def questioning(self, setup: Setup) -> Questioning:
        if setup not in self._questioning:
            words, explicit = self._words(setup), setup.chance == "explicit"
            questions = questioning_program(self._checked, setup.players, words, explicit, self._marks)
            self._questioning[setup] = Questioning(
                self._watched(questions.program), questions.actions, questions.sites
            )
        return self._questioning[setup]

    def _watched(self, program: Program, choices: Choices | None = None) -> Runtime:
        observer = Coverage(program)
        self._observers.append(observer)
        return observer.interpreter(choices)

    def take(self) -> Iterator[tuple[Coverage, Ran]]:
        """The coverage of each program since the last call."""
        for observer in self._observers:
            yield observer, observer.take()


# The coverage of a program: statements by place, marked values, given answers.


@dataclass(slots=True)
class Ran:
    """The coverage of one program.

    Places are numbers of the program. The bits of a marked function mean: bit 0 that it gave 0, bit 1 that it
    gave another value.
    """

    places: set[int] = field(default_factory=set)
    tried: set[int] = field(default_factory=set)  # on a copy only
    values: dict[str, int] = field(default_factory=dict)
    answers: set[tuple[int, int]] = field(default_factory=set)  # site, option


class Coverage(Observer):
    """An observer that collects coverage until `take` is called."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.ran = Ran()
        shown = {name: found for name in program.functions if (found := shown_by(name))}
        self.marked = {name: found.kind for name, found in shown.items()}
        self._fixed = {n: 1 << f.fixed for n, f in shown.items() if f.fixed is not None}

    def statement(self, run: TracedRun, statement: ir.Statement) -> None:
        (self.ran.tried if run.tried else self.ran.places).add(statement.place)

    def enter(self, run: TracedRun, function: str, arguments: Sequence[int]) -> None:
        if function in self.marked:
            bit = 2 if not arguments or arguments[0] else 1
            self.ran.values[function] = self.ran.values.get(function, 0) | bit

    def answer(self, run: TracedRun, site: ir.Site, code: int) -> None:
        self.ran.answers.add((site.number, site.number_of(code)))

    def interpreter(self, choices: Choices | None = None) -> TracingInterpreter:
        """An interpreter of the program with this observer."""
        return TracingInterpreter(self.program, (self,), choices)

    def take(self) -> Ran:
        """The coverage since the last call, including the values that were fixed before play."""
        ran, self.ran = self.ran, Ran()
        if ran.places:
            ran.values |= self._fixed
        return ran

    def places(self, numbers: set[int]) -> Iterator[Span]:
        return (self.program.written[number].span for number in numbers)

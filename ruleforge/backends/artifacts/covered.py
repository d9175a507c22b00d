"""The rules of a game, run so that what ran is kept: every statement, marked value and answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleforge.backends.api import Choices, Runtime
from ruleforge.backends.artifacts.compiled import Compiled, Questioning
from ruleforge.backends.artifacts.info import PackInfo
from ruleforge.backends.artifacts.setup import Setup
from ruleforge.backends.coverage import Coverage, Ran
from ruleforge.compiler.ir import Program
from ruleforge.compiler.marks import Marks
from ruleforge.compiler.program import program_from_checked, questioning_program
from ruleforge.lang.checker.typed import Checked


class Covered(Compiled):
    """As `Compiled`, with the plain interpreter and marks; programs are not kept between runs."""

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
            asked = questioning_program(self._checked, setup.players, words, explicit, self._marks)
            self._questioning[setup] = Questioning(self._watched(asked.program), asked.actions, asked.sites)
        return self._questioning[setup]

    def _watched(self, program: Program, choices: Choices | None = None) -> Runtime:
        observer = Coverage(program)
        self._observers.append(observer)
        return observer.interpreter(choices)

    def take(self) -> Iterator[tuple[Coverage, Ran]]:
        """What ran since it was last taken, by program."""
        for observer in self._observers:
            yield observer, observer.take()

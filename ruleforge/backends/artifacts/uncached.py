"""The rules of a game that is looked at once and thrown away: nothing of it is kept between runs."""

from __future__ import annotations

from collections.abc import Mapping

from ruleforge.backends import python_source, reference
from ruleforge.backends.api import Backend
from ruleforge.backends.artifacts.compiled import Compiled
from ruleforge.backends.artifacts.info import PackInfo
from ruleforge.backends.artifacts.setup import Setup
from ruleforge.compiler.ir import Program
from ruleforge.compiler.questions import QuestioningProgram
from ruleforge.lang.checker.typed import Checked

_RUNNERS: Mapping[str, Backend] = {"reference": reference, "python": python_source}


class Unkept(Compiled):
    """As `Compiled`, run by the plain interpreter, which is ready at once, or by generated Python."""

    def __init__(
        self, checked: Checked, texts: Mapping[str, str], backend: str, packs: tuple[PackInfo, ...]
    ) -> None:
        super().__init__(checked, texts, backend, packs)
        self._runner = _RUNNERS[backend]

    def program(self, setup: Setup) -> Program:
        if setup not in self._programs:
            self._programs[setup] = self._compile(setup)
        return self._programs[setup]

    def _questions(self, setup: Setup) -> QuestioningProgram:
        return self._compile_questions(setup)

    def take_programs(self, other: Unkept) -> None:
        """Go on with what another one of the same rules has compiled."""
        self._programs = other._programs

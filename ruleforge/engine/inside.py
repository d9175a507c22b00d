"""Program -> the questions that may be asked inside of something which hidden things steer.

What was steered goes on after the answer, in another step; after all other questions nothing has to be remembered.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ruleforge.backends.api import Row
from ruleforge.compiler.ir import (
    QUEUE,
    SITE,
    Ask,
    Body,
    Note,
    Perform,
    Program,
    RuleDue,
    Site,
    Unveiled,
    Veiled,
)
from ruleforge.compiler.visit import bodies, statements

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant


def is_inside(variant: Variant, row: Row) -> bool:
    """Whether a step that begins here may be inside of something, or rules wait for it to be over."""
    return bool(row[QUEUE]) or row[SITE] in variant.inside


def asked_inside(program: Program) -> frozenset[int]:
    """The sites; a phase that asks openly is known to have come, whatever decided about that."""
    if not any(isinstance(info.means, Veiled | RuleDue) for info in program.notes):
        return frozenset()
    search = _Search(program)
    for function in program.functions.values():
        if function.pauses:
            search.follow(function.body, 0)
    return frozenset(site for site in search.found() if not _tells_all(program.sites[site]))


def _tells_all(site: Site) -> bool:
    return site.flow and site.sees is None


class _Search:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._sites: set[int] = set()
        self._called: set[str] = set()  # from inside of something

    def follow(self, body: Body, depth: int) -> int:
        """How much we are inside of after a body, at most; what is left early stays open to the end of its function."""
        for statement in body:
            match statement:
                case Note(note=number):
                    depth += self._opens(number)
                case Ask(site=site) if depth > 0:
                    self._sites.add(site)
                case Perform(function=function) if depth > 0 and self._program.functions[function].pauses:
                    self._called.add(function)
            depth = max((self.follow(inner, depth) for inner in bodies(statement)), default=depth)
        return depth

    def _opens(self, note: int) -> int:
        match self._program.notes[note].means:
            case Veiled() | RuleDue():
                return 1
            case Unveiled():
                return -1
        return 0

    def found(self) -> Iterator[int]:
        """The sites met inside, and all that what is called there may come to."""
        yield from self._sites
        todo = [*sorted(self._called)]
        for name in todo:
            for statement in statements(self._program.functions[name].body):
                match statement:
                    case Ask(site=site):
                        yield site
                    case Perform(function=function) if function not in self._called:
                        self._called.add(function)
                        todo.append(function)

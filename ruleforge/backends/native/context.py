"""What all emitted functions of a module share: its memory, and a number for each function that is called."""

from __future__ import annotations

from dataclasses import dataclass, field

from ruleforge.backends.native.memory import Memory
from ruleforge.compiler import ir
from ruleforge.compiler.inline import Inliner

# Globals of the module: where the list of choices begins and ends, and the top of the stack of arrays.
BEGIN, END, TOP = 0, 1, 2

Key = tuple[str, str | int]  # what sort of function, and its name or number


@dataclass(slots=True)
class Context:
    """A function gets its number when it is first called, and is emitted because of that."""

    program: ir.Program
    memory: Memory
    inliner: Inliner
    numbers: dict[Key, int] = field(default_factory=dict)

    def number(self, sort: str, name: str | int) -> int:
        return self.numbers.setdefault((sort, name), len(self.numbers))

    def plain(self, name: str) -> int:
        """A function of the rules: row and arguments -> value."""
        return self.number("plain", name)

    def trial(self, name: str) -> int:
        """The same, leaving the row as it is; -1 if it traps."""
        return self.number("trial", name)

    def step(self, number: int) -> int:
        """A pausing function: row, frame and answer -> number of choices, -1 when it returned."""
        return self.number("step", number)

    def lister(self, site: int) -> int:
        """Row and arguments -> number of choices at a site, which are then the list."""
        return self.number("list", site)

    def library(self, name: str) -> int:
        """A function that is the same for all programs."""
        return self.number("library", name)

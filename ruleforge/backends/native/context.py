"""The state that all emitted functions of a module share: its memory, and a number for each called function."""

from __future__ import annotations

from dataclasses import dataclass, field

from ruleforge.analysis.dataflow import reach
from ruleforge.backends.native.index_bounds import EarlyRanges
from ruleforge.backends.native.memory import Memory
from ruleforge.backends.native.offer_scans import packed_bases
from ruleforge.compiler import ir
from ruleforge.compiler.function_traits import Traits
from ruleforge.compiler.passes.inline import Inliner
from ruleforge.compiler.passes.loop_unrolling import size, unroll
from ruleforge.compiler.visit import calls, statements

# Globals of the module: where the list of choices begins and ends, the top of the stack of arrays, the end of the
# log of trials.
BEGIN, END, TOP, LOG = range(4)

SMALL = 60  # functions up to this size are put in place wherever they are called
WHOLE = 480  # if they are no longer than this with those they call in place

_WRITING = (ir.Store, ir.Random, ir.Link, ir.Finish)

Key = tuple[str, str | int]  # what sort of function, and its name or number


@dataclass(slots=True)
class Context:
    """Numbers the functions of a module.

    A function gets its number at its first call, and is emitted because of that.
    """

    program: ir.Program
    memory: Memory
    inliner: Inliner
    numbers: dict[Key, int] = field(default_factory=dict)
    early: EarlyRanges = field(init=False)
    _bodies: dict[str, ir.Body] = field(default_factory=dict)
    _small: dict[str, bool] = field(default_factory=dict)
    _traits: Traits | None = None
    _whole: dict[str, int] = field(
        default_factory=dict
    )  # sizes with the small functions in them put in place

    def __post_init__(self) -> None:
        self.early = EarlyRanges(self.program)

    def body(self, name: str) -> ir.Body:
        """The body of a plain function, with small functions inlined and loops unrolled."""
        if name not in self._bodies:
            body = self.inliner.whole(self.program.plain[name].body)
            packed = packed_bases(body)
            self._bodies[name] = unroll(body, self.program.tables, self.program.relations, packed)
        return self._bodies[name]

    def is_small(self, name: str) -> bool:
        """Whether a function is put in place also in the middle of an expression. Arrays would need room there."""
        if name not in self._small:
            self._small[name] = False  # during its own inlining: never into itself
            body = self.body(name)
            needs_room = any(
                isinstance(s, ir.NewArray) or (isinstance(s, ir.Scan) and s.frozen) for s in statements(body)
            )
            whole = size(body) + sum(self._whole[callee] for callee in calls(body) if self.is_small(callee))
            self._whole[name] = whole
            self._small[name] = not needs_room and size(body) <= SMALL and whole <= WHOLE
        return self._small[name]

    def writes(self, body: ir.Body) -> bool:
        """Whether a body, or a function that it calls, changes the row."""
        called = reach(calls(body), lambda name: calls(self.body(name)))
        bodies = (body, *map(self.body, called))
        return any(isinstance(s, _WRITING) for each in bodies for s in statements(each))

    @property
    def traits(self) -> Traits:
        if self._traits is None:
            self._traits = Traits(self.program.functions)
        return self._traits

    def number(self, sort: str, name: str | int) -> int:
        return self.numbers.setdefault((sort, name), len(self.numbers))

    def plain(self, name: str) -> int:
        """The number of a function of the rules. It takes the row and arguments and gives a value."""
        return self.number("plain", name)

    def trial(self, name: str) -> int:
        """The number of the trial of a function, which leaves the row unchanged. It gives -1 if it traps."""
        return self.number("trial", name)

    def tried(self, name: str) -> int:
        """A function that is run inside a trial."""
        return self.number("tried", name)

    def step(self, number: int) -> int:
        """The number of a pausing function. It takes row, frame and answer.

        It gives the number of choices, or -1 when it returned.
        """
        return self.number("step", number)

    def lister(self, site: int) -> int:
        """The number of the enumerator of a site.

        It takes row and arguments, writes the list and gives its length.
        """
        return self.number("list", site)

    def library(self, name: str) -> int:
        """A function that is the same for all programs."""
        return self.number("library", name)

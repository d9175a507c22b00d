"""Generate resumable Python functions over frames: they run until a player must choose.

Each returns the list of choices when it waits, an empty list when the game is over, None when it is finished.
"""

from __future__ import annotations

from collections import Counter

from ruleforge.analysis.intervals import Interval
from ruleforge.backends.python_source.choice_lists import Lister
from ruleforge.backends.python_source.expressions import SUM
from ruleforge.backends.python_source.statements import AT_REST, Context, Statements
from ruleforge.backends.python_source.writer import Writer
from ruleforge.compiler import ir
from ruleforge.compiler.passes.folding import fold
from ruleforge.compiler.visit import Expression, Node, all_expressions, statements


class Step(Statements):
    """Prints one paused function."""

    def __init__(
        self, context: Context, out: Writer, function: ir.PausedFunction, listers: dict[int, Lister]
    ) -> None:
        super().__init__(context, out)
        self.function = function
        self.speaker = function.name
        self.listers = listers
        self.names.taken.update(("r", "fp", "v", "pc", "L"))
        self.cached: dict[int, str] = {}
        self.block = 0
        self.by_name = {f.name: f for f in context.program.paused if f is not None}

    def write(self) -> None:
        function = self.function
        with self.out.block(f"def step_{function.number}({'r, v' if function.number == 1 else 'r, fp, v'}):"):
            self.out(f"pc = r[{self.place(ir.FRAME_PC)}]")
            with self.out.block("while True:"):
                self.dispatch(hot_first(function.blocks), "pc")

    def dispatch(self, numbers: list[int], pc: str) -> None:
        """A chain of tests; a tree when there are many blocks."""
        # Python has no jump table. A tree of tests keeps the way to any block short.
        if len(numbers) > 8:
            ordered = sorted(numbers)
            half = len(ordered) // 2
            with self.out.block(f"if {pc} < {ordered[half]}:"):
                self.dispatch(ordered[:half], pc)
            with self.out.block("else:"):
                self.dispatch(ordered[half:], pc)
            return
        if len(numbers) == 1:
            self.write_block(numbers[0])
            return
        for position, number in enumerate(numbers):
            last = position == len(numbers) - 1
            word = "if" if position == 0 else "elif"
            with self.out.block("else:" if last else f"{word} {pc} == {number}:"):
                self.write_block(number)

    def write_block(self, number: int) -> None:
        self.block = number
        block = fold(self.context.inliner.whole(self.function.blocks[number]), self.context.program.tables)
        self.cache_words(block)
        self.whole(block)

    # --- the frame ---

    def is_plain(self, e: Expression) -> bool:
        return super().is_plain(e) or (
            isinstance(e, ir.FrameLoad) and e.index is None and e.offset in self.cached
        )

    def range_of(self, e: Expression) -> Interval:
        if isinstance(e, ir.FrameLoad) and e.index is None:
            e = next((ir.Local(name) for name, at in self.function.saved.items() if at == e.offset), e)
        return super().range_of(e)

    def place(self, offset: int) -> str:
        fixed = self.function.fixed
        return str(fixed + offset) if fixed is not None else f"fp + {offset}" if offset else "fp"

    def address(self) -> str:
        return str(self.function.fixed) if self.function.fixed is not None else "fp"

    def cache_words(self, block: ir.Body) -> None:
        """Read words of the frame that a block needs more than once into locals first."""
        reads = Counter(
            e.offset for e in all_expressions(block) if isinstance(e, ir.FrameLoad) and e.index is None
        )
        # A local is several times as fast as a word of a list.
        self.cached = {offset: f"f{offset}" for offset, count in reads.items() if count > 1}
        self.names.taken.update(self.cached.values())
        for offset in sorted(self.cached):
            if not _written_first(block, offset):
                self.out(f"f{offset} = r[{self.place(offset)}]")

    def frame_word(self, offset: int, index: Expression | None) -> str:
        if index is None:
            return self.cached.get(offset) or f"r[{self.place(offset)}]"
        return f"r[{self.frame_slot(offset, index)}]"

    def frame_slot(self, offset: int, index: Expression) -> str:
        if self.function.fixed is not None:
            return self.slot(self.function.fixed + offset, index)
        if isinstance(index, ir.Const):
            return self.place(offset + index.value)
        return f"{self.place(offset)} + {self.number(index, SUM)}"

    def do_framestore(self, s: ir.FrameStore) -> None:
        if s.index is not None:
            self.assign(f"r[{self.frame_slot(s.offset, s.index)}]", s.value)
        elif s.offset in self.cached:
            self.assign(f"r[{self.place(s.offset)}] = {self.cached[s.offset]}", s.value)
        else:
            self.assign(f"r[{self.place(s.offset)}]", s.value)

    def do_frameclear(self, s: ir.FrameClear) -> None:
        self.clear(s.offset, s.size)

    def clear(self, offset: int, size: int) -> None:
        if size <= 6:
            self.out(" = ".join(f"r[{self.place(offset + i)}]" for i in range(size)) + " = 0")
        else:
            self.out(f"r[{self.place(offset)}:{self.place(offset + size)}] = [0] * {size}")

    # --- ends of blocks ---

    def do_goto(self, s: ir.Goto) -> None:
        self.out(f"pc = {s.block}")

    def do_wait(self, s: ir.Wait) -> None:
        lister = self.listers[s.site]
        who = self.value(s.who)
        lister.write(self, s.arguments, cold=self.is_cold())
        if lister.never_empty:
            self.rest(s, who)
            return
        with self.out.block("if L:"):
            self.rest(s, who)
        self.out(f"r[{self.place(ir.FRAME_PC)}] = pc = {s.block}")
        self.out(f"r[{ir.SITE}] = {s.site}")
        self.out(f"r[{ir.SP}] = {self.address()}")
        # Without a choice the game goes on by itself, as if the answer were -1.
        self.out("v = -1")

    def is_cold(self) -> bool:
        """The entry of main runs once a game."""
        return self.function.number == 1 and self.block == 0

    def rest(self, s: ir.Wait, who: str) -> None:
        """Return and leave the row waiting. A block that waits at its own start finds most words unchanged."""
        if s.block != self.block:
            self.out(f"r[{self.place(ir.FRAME_PC)}] = {s.block}")
            self.out(f"r[{ir.SITE}] = {s.site}")
            self.out(f"r[{ir.SP}] = {self.address()}")
        self.out(f"r[{ir.WHO}] = {who}")
        if self.context.program.counts_work:
            self.out(AT_REST)
        self.out("return L")

    def do_push(self, s: ir.Push) -> None:
        callee = self.by_name[s.function]
        size = self.function.frame_size  # the new frame begins behind this one
        if s.checked:
            limit = self.context.program.row_size - callee.frame_size
            self.out(f"if {self.place(size)} > {limit}: raise Trapped({ir.STACK})")
        for k, argument in enumerate(s.arguments):
            self.assign(f"r[{self.place(size + ir.FRAME_LOCALS + k)}]", argument)
        self.out(f"r[{self.place(size + ir.FRAME_FUNCTION)}] = {callee.number}")
        self.out(f"r[{self.place(size + ir.FRAME_CALLER)}] = {self.address()}")
        self.out(f"r[{self.place(ir.FRAME_PC)}] = pc = {s.block}")
        # The new function runs at once. A list means that it waits or that the game is over; None means that it
        # is finished, and this one goes on at the block that its frame names.
        self.out(f"L = step_{callee.number}(r, {self.place(size)}, 0)")
        self.out("if L is not None: return L")

    def do_return(self, s: ir.Return) -> None:
        function = self.function
        if function.number == 1:
            self.out("return over(r)")
            return
        if function.result_used:
            self.assign(f"r[{ir.RET}]", s.value)
        # The words of the frame become 0 again: equal positions have to be equal rows.
        self.out(f"r[{ir.SP}] = r[{self.place(ir.FRAME_CALLER)}]")
        self.clear(0, function.frame_size)
        self.out("return None")

    def leave(self) -> None:
        self.out("return over(r)")


def hot_first(blocks: tuple[ir.Body, ...]) -> list[int]:
    """The block numbers, those after a Wait first and the entry last."""
    waited = {s.block for b in blocks for s in statements(b) if isinstance(s, ir.Wait)}
    return sorted(range(len(blocks)), key=lambda n: (n == 0, n not in waited, n))


def _written_first(block: ir.Body, offset: int) -> bool:
    """Whether a word of the frame is set in a block before anything reads it."""
    for statement in block:
        if _reads(statement, offset):
            return False
        if isinstance(statement, ir.FrameStore) and statement.offset == offset and statement.index is None:
            return True
    return False


def _reads(statement: Node, offset: int) -> bool:
    return any(
        isinstance(e, ir.FrameLoad) and e.offset == offset and e.index is None
        for e in all_expressions((statement,))
    )

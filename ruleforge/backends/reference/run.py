"""One run of the plain interpreter over one row: frames, choices and statements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ruleforge.backends.api import Record, Row
from ruleforge.backends.faults import CompilerBug, Trapped
from ruleforge.backends.random32 import draw as draw_number
from ruleforge.backends.reference.expressions import Expressions, Methods, methods, within
from ruleforge.compiler import ir

if TYPE_CHECKING:
    from ruleforge.backends.reference.interpreter import Interpreter


class Left(Exception):
    """Control leaves the body: by a Break, or by the statement that ends a block or function."""

    def __init__(self, by: Any) -> None:
        self.by = by


class Run(Expressions):
    """Runs frames and statements.

    `DO` holds the method for each type of statement, as `OF` does for expressions.
    """

    DO: Methods

    def __init__(self, machine: Interpreter, row: Row, notes: list[Record] | None = None) -> None:
        self.machine = machine
        self.program = machine.program
        self.row, self.notes = row, notes
        self.plain, self.framed = machine.plain, machine.framed
        self.offers: list[int] = []
        self.locals = {}
        self.frame = 0

    def trial(self, row: Row) -> Run:
        return Run(self.machine, row)

    # --- frames ---

    def go_on(self, answer: int) -> list[int]:
        """Run until a player has to choose, or the game is over. Returns the codes."""
        row = self.row
        row[ir.ANSWER] = answer
        while True:
            waits = self.run_frames()
            codes = self.codes() if waits else []
            # The budget is for one decision. Without choices the answer is -1 and the budget runs on, so that
            # decisions without choices cannot follow one another for ever.
            if codes or not waits:
                row[ir.CHAIN_LENGTH] = row[ir.WORK_DONE] = 0
                return codes
            row[ir.ANSWER] = -1

    def run_frames(self) -> bool:
        """Run the top frame until one waits (True) or none is left (False)."""
        row = self.row
        while row[ir.SP]:
            # A block begins without locals. Values that outlive a pause lie in the frame, which is part of the row.
            self.frame, self.locals = row[ir.SP], {}
            function = self.program.paused[row[self.frame]]
            if function is None:
                raise CompilerBug("a frame without function")
            end = self.end_of(function, row[self.frame + ir.FRAME_PC])
            match end:
                case ir.Goto(block=block):
                    row[self.frame + ir.FRAME_PC] = block
                case ir.Wait(site=site, who=who, block=block):
                    row[ir.SITE], row[ir.WHO] = site, self.value(who)
                    row[self.frame + ir.FRAME_PC] = block
                    return True
                case ir.Push():
                    self.push(function, end)
                case ir.Return(value=value):
                    self.pop(function, value)
                case _:
                    break
        # The game is over. Nothing of the way to its end stays in the row, so that equal ends are equal rows.
        row[ir.SITE] = row[ir.WHO] = row[ir.SP] = row[ir.RET] = row[ir.ANSWER] = 0
        row[self.program.stack : self.program.row_size] = [0] * (self.program.row_size - self.program.stack)
        return False

    def end_of(self, function: ir.PausedFunction, block: int) -> Any:
        """Run a block; gives the statement that ends it."""
        try:
            self.body(function.blocks[block])
        except Left as left:
            return left.by
        raise CompilerBug("a block ran past its end")

    def push(self, function: ir.PausedFunction, push: ir.Push) -> None:
        row = self.row
        callee = next(f for f in self.program.paused if f is not None and f.name == push.function)
        arguments = [self.value(a) for a in push.arguments]
        # The new frame begins where this one ends, so the stack needs no pointer of its own but SP.
        address = self.frame + function.frame_size
        if address + callee.frame_size > self.program.row_size:
            if not push.checked:
                raise CompilerBug("an unchecked push does not fit")
            raise Trapped(ir.STACK)
        row[self.frame + ir.FRAME_PC] = push.block
        row[address : address + 3 + len(arguments)] = [callee.number, 0, self.frame, *arguments]
        row[ir.SP] = address

    def pop(self, function: ir.PausedFunction, value: Any) -> None:
        row = self.row
        if function.result_used:
            row[ir.RET] = self.value(value)
        row[ir.SP] = row[self.frame + ir.FRAME_CALLER]
        row[self.frame : self.frame + function.frame_size] = [0] * function.frame_size

    # --- choices ---

    def site_arguments(self) -> tuple[ir.Site, dict[str, int]]:
        site = self.program.sites[self.row[ir.SITE]]
        self.frame = self.row[ir.SP]
        values = [self.value(a) for a in self.program.waits[site.number].arguments]
        names = self.program.functions[site.enumerator].parameters
        return site, dict(zip(names, values, strict=True))

    def codes(self) -> list[int]:
        if not self.row[ir.SITE]:
            return []
        site, arguments = self.site_arguments()
        self.offers = []
        self.call(site.enumerator, list(arguments.values()))
        # The oracle checks what the compiler promises. The other backends rely on it and check nothing.
        if len(set(self.offers)) != len(self.offers):
            raise CompilerBug(f"site {site.number} offers a code twice")
        return self.offers

    def draw(self, random: Callable[[], float]) -> int:
        """Choose one choice at random, each equally likely."""
        site, arguments = self.site_arguments()
        sampler = site.sampler
        # A draw counts as a whole or not at all, so each choice stays as likely as every other one.
        for _ in range(sampler.tries if sampler is not None else 0):
            assert sampler is not None
            self.locals = dict(arguments)
            for name, how in zip(sampler.names, sampler.draws, strict=True):
                among = self.candidates(how)
                if not among:
                    break
                self.locals[name] = among[int(random() * len(among))]
            else:
                if self.value(sampler.test):
                    return self.value(sampler.code)
        codes = self.codes()
        return codes[int(random() * len(codes))] if codes else -1

    def candidates(self, how: ir.Draw) -> Sequence[int]:
        match how:
            case ir.DrawScan(base, size, value):
                return self.members(base, size, self.value(value))
            case ir.DrawEach(relation, key):
                return self.relation(relation, self.value(key))
            case ir.DrawRange(low, high):
                return range(low, high + 1)

    # --- statements ---

    def call(self, name: str, arguments: Sequence[int]) -> int:
        function = self.program.plain[name]
        outer, self.locals = (self.locals, self.frame), dict(zip(function.parameters, arguments, strict=True))
        try:
            self.frame = 0
            return self.result(function.body)
        except Left as left:
            return self.value(left.by.value) if isinstance(left.by, ir.Return) else 0
        finally:
            self.locals, self.frame = outer

    def result(self, body: ir.Body) -> int:
        """The result of a function. Most functions return at their end, which needs no exception."""
        for statement in body:
            if type(statement) is ir.Return:
                return self.OF[type(statement.value)](self, statement.value)  # type: ignore[no-any-return]
            self.DO[type(statement)](self, statement)
        return 0

    def body(self, body: ir.Body) -> None:
        for statement in body:
            self.DO[type(statement)](self, statement)

    def leave(self, node: Any) -> None:
        raise Left(node)

    do_break = do_return = do_goto = do_wait = do_push = leave

    def do_set(self, node: ir.Set) -> None:
        self.locals[node.name] = self.OF[type(node.value)](self, node.value)

    def do_store(self, node: ir.Store) -> None:
        slot = self.slot(node.base, node.index)
        if node.index is not None and self.machine.indexed.get(slot, node.base) != node.base:
            raise CompilerBug(
                f"a store at {node.base} reaches the indexed column at {self.machine.indexed[slot]}"
            )
        self.row[slot] = self.value(node.value)

    def do_framestore(self, node: ir.FrameStore) -> None:
        slot = self.slot(self.frame + node.offset, node.index, stack=True)
        self.row[slot] = self.value(node.value)

    def do_frameclear(self, node: ir.FrameClear) -> None:
        start = self.frame + node.offset
        self.row[start : start + node.size] = [0] * node.size

    def do_newarray(self, node: ir.NewArray) -> None:
        self.locals[node.name] = [0] * node.size

    def do_setelement(self, node: ir.SetElement) -> None:
        array, index = self.array(node.array), self.value(node.index)
        array[within(index, len(array))] = self.value(node.value)

    def do_if(self, node: ir.If) -> None:
        body = node.then if self.OF[type(node.test)](self, node.test) else node.other
        if body:
            self.body(body)

    def do_while(self, node: ir.While) -> None:
        self.loop(node, iter(lambda: self.value(node.test) != 0, False), ())

    def do_forrange(self, node: ir.ForRange) -> None:
        self.loop(node, range(self.value(node.low), self.value(node.high) + 1), (node.name,))

    def do_each(self, node: ir.Each) -> None:
        self.loop(node, self.relation(node.relation, self.value(node.key)), node.names)

    def do_scan(self, node: ir.Scan) -> None:
        wanted = self.value(node.value)
        members = self.members(node.base, node.size, wanted)
        self.loop(node, members, (node.name,))
        if not node.frozen and self.members(node.base, node.size, wanted) != members:
            raise CompilerBug("a scan that is not frozen changed its members")

    def loop(self, node: Any, items: Any, names: tuple[str, ...]) -> None:
        try:
            for item in items:
                if len(names) == 1:
                    self.locals[names[0]] = item
                elif names:
                    self.locals.update(zip(names, item, strict=True))
                self.body(node.body)
        except Left as left:
            if not isinstance(left.by, ir.Break):
                raise

    def do_perform(self, node: ir.Perform) -> None:
        result = self.call(node.function, [self.value(a) for a in node.arguments])
        if node.into is not None:
            self.locals[node.into] = result

    def do_offer(self, node: ir.Offer) -> None:
        self.offers.append(self.value(node.code))

    def do_random(self, node: ir.Random) -> None:
        bound = self.value(node.bound)
        if bound < 1:
            raise CompilerBug("nothing to draw from")
        self.locals[node.into] = draw_number(self.row, bound)

    def do_finish(self, node: ir.Finish) -> None:
        self.row[ir.OUTCOME], self.row[ir.WINNERS] = 1 + node.ending, self.value(node.winners)
        self.leave(node)

    def do_unwind(self, node: ir.Unwind) -> None:
        # A function that ends the game returns like any other. Its callers leave here, one after the other.
        if self.row[ir.OUTCOME]:
            self.leave(node)

    def do_trap(self, node: ir.Trap) -> None:
        raise Trapped(node.fault)

    def do_link(self, node: ir.Link) -> None:
        self.row[ir.CHAIN_LENGTH] += 1
        if self.row[ir.CHAIN_LENGTH] > self.program.chain:
            raise Trapped(ir.RUNAWAY)

    def do_spend(self, node: ir.Spend) -> None:
        self.row[ir.WORK_DONE] += node.work
        if self.row[ir.WORK_DONE] > self.program.work:
            raise Trapped(ir.RUNAWAY if self.row[ir.CHAIN_LENGTH] > ir.LONG else node.fault)

    def do_note(self, node: ir.Note) -> None:
        if self.notes is not None:
            self.notes.append((node.note, *(self.value(a) for a in node.arguments)))


Run.DO = methods(Run, "do_")

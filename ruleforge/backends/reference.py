"""The plain interpreter of the intermediate form: the oracle other backends are tested against.

It checks whatever can be checked (slots, ranges, locals that were never set) and raises CompilerBug.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, NoReturn

from ruleforge.backends.api import Choices, Numbers, Record, Row
from ruleforge.backends.faults import CompilerBug, Trapped
from ruleforge.backends.playouts import Plan, Records, first_words, lines, stepwise
from ruleforge.backends.random32 import draw as draw_number
from ruleforge.compiler import ir
from ruleforge.compiler.passes.numbers import COMPARISONS, HIGHEST, LOWEST, OPERATIONS

Method = Callable[[Any, Any], Any]  # of a run, for a node
DIVISIONS, SHIFTS = frozenset(("//", "%")), frozenset(("<<", ">>"))


def compile(program: ir.Program, choices: Choices | None = None) -> Interpreter:
    return Interpreter(program, choices)


class Interpreter:
    """Runs a program step by step, as `Runtime` describes."""

    def __init__(self, program: ir.Program, choices: Choices | None = None) -> None:
        self.program = program
        self.choices = choices
        self.plain, self.framed = (0, program.stack), (program.stack, program.row_size)  # words
        columns = [program.columns[number] for number in program.indexed]
        self.indexed = {
            c.base + i: c.base for c in columns for i in range(1, c.size + 1)
        }  # slot -> where it begins

    def run(self, row: Row, notes: list[Record] | None = None) -> _Run:
        """A run over a row."""
        return _Run(self, row, notes)

    def new_row(self, seed: int) -> Row:
        row = self.first_row(seed)
        self.run(row).go_on(0)
        return row

    def first_row(self, seed: int) -> Row:
        """A row before its set-up."""
        program = self.program
        row = first_words(program, seed)
        if len(row) != program.row_size:
            raise CompilerBug("start values do not fit the row")
        return row

    def attach(self, words: Sequence[int]) -> Row:
        return list(words[: self.program.row_size])

    def copy(self, row: Row) -> Row:
        return row[:]

    def resume_codes(self, row: Row, code: int) -> list[int]:
        if not row[ir.SITE]:
            raise CompilerBug("the game is over")
        return self.run(row).go_on(code)

    def resume(self, row: Row, code: int) -> list[Any]:
        return self._interned(row, self.resume_codes(row, code))

    def codes(self, row: Row) -> list[int]:
        codes = self.run(row).codes()
        row[ir.METER] = 0
        return codes

    def listing(self, row: Row) -> list[Any]:
        return self._interned(row, self.codes(row))

    def _interned(self, row: Row, codes: list[int]) -> list[Any]:
        return codes if self.choices is None else [self.choices[row[ir.SITE]][code] for code in codes]

    def asked(self, row: Row, apart: bool) -> Row:
        return self.copy(row) if apart else row

    def call(self, name: str, row: Row, arguments: Sequence[int] = ()) -> int:
        return self.run(row).call(name, arguments)

    def record(self, row: Row, code: int) -> tuple[Row, list[Record]]:
        after, notes = self.copy(row), []  # type: ignore[var-annotated]
        self.noted(after, code, notes)
        return after, notes

    def noted(self, row: Row, code: int, notes: list[Record]) -> None:
        """Choose, in this row; what happens is added to the notes, up to where the rules stop."""
        self.run(row, notes).go_on(code)

    def playout(self, row: Row, rng: Numbers) -> Row:
        while row[ir.SITE]:
            run = self.run(row)
            run.go_on(run.draw(rng.random))
        return row

    def playouts(self, row: Row, plan: Plan) -> Iterator[Records]:
        return stepwise(self, row, plan)

    def count_lines(self, row: Row, depth: int) -> int:
        return lines(self, row, depth)


class _Left(Exception):
    """Control leaves the body: by a Break, or by the statement that ends a block or function."""

    def __init__(self, by: Any) -> None:
        self.by = by


class _Run:
    """One run over one row. `locals` are those of the running function, `frame` its frame (0: none).

    `DO` and `OF` hold the method for each type of statements and expressions: one is looked for at every step. What is
    met most often looks there itself: to ask `value` for it takes as long again.
    """

    DO: ClassVar[dict[type, Method]]
    OF: ClassVar[dict[type, Method]]

    def __init_subclass__(cls) -> None:
        cls.DO = _methods(cls, "do_")
        cls.OF = {kind: cls.looked_at(method) for kind, method in _methods(cls, "of_").items()}

    @staticmethod
    def looked_at(work_out: Method) -> Method:
        """How expressions of a type are worked out, for runs that want to know more of each value."""
        return work_out

    def __init__(self, machine: Interpreter, row: Row, notes: list[Record] | None = None) -> None:
        self.machine = machine
        self.program = machine.program
        self.row, self.notes = row, notes
        self.plain, self.framed = machine.plain, machine.framed
        self.offers: list[int] = []
        self.locals: dict[str, Any] = {}
        self.frame = 0

    def trial(self, row: Row) -> _Run:
        """A run that only tries something out, on a copy."""
        return _Run(self.machine, row)

    # --- frames ---

    def go_on(self, answer: int) -> list[int]:
        """Run until somebody has something to choose, or the game is over; gives the codes."""
        row = self.row
        row[ir.ANSWER] = answer
        while True:
            waits = self.run_frames()
            codes = self.codes() if waits else []
            if codes or not waits:
                row[ir.FUSE] = row[ir.METER] = 0
                return codes
            row[ir.ANSWER] = -1

    def run_frames(self) -> bool:
        """Run the top frame until one waits (True) or none is left (False)."""
        row = self.row
        while row[ir.SP]:
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
                    if function.result_used:
                        row[ir.RET] = self.value(value)
                    row[ir.SP] = row[self.frame + ir.FRAME_CALLER]
                    row[self.frame : self.frame + function.frame_size] = [0] * function.frame_size
                case _:
                    break
        row[ir.SITE] = row[ir.WHO] = row[ir.SP] = row[ir.RET] = row[ir.ANSWER] = 0
        row[self.program.stack : self.program.row_size] = [0] * (self.program.row_size - self.program.stack)
        return False

    def end_of(self, function: ir.PausedFunction, block: int) -> Any:
        """Run a block; gives the statement that ends it."""
        try:
            self.body(function.blocks[block])
        except _Left as left:
            return left.by
        raise CompilerBug("a block ran past its end")

    def push(self, function: ir.PausedFunction, push: ir.Push) -> None:
        row = self.row
        callee = next(f for f in self.program.paused if f is not None and f.name == push.function)
        arguments = [self.value(a) for a in push.arguments]
        address = self.frame + function.frame_size
        if address + callee.frame_size > self.program.row_size:
            if not push.checked:
                raise CompilerBug("an unchecked push does not fit")
            raise Trapped(ir.STACK)
        row[self.frame + ir.FRAME_PC] = push.block
        row[address : address + 3 + len(arguments)] = [callee.number, 0, self.frame, *arguments]
        row[ir.SP] = address

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
        if len(set(self.offers)) != len(self.offers):
            raise CompilerBug(f"site {site.number} offers a code twice")
        return self.offers

    def draw(self, random: Callable[[], float]) -> int:
        """One choice at random, each equally likely."""
        site, arguments = self.site_arguments()
        sampler = site.sampler
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
        except _Left as left:
            return self.value(left.by.value) if isinstance(left.by, ir.Return) else 0
        finally:
            self.locals, self.frame = outer

    def result(self, body: ir.Body) -> int:
        """What a function gives; most return at their end, which needs no exception."""
        for statement in body:
            if type(statement) is ir.Return:
                return self.OF[type(statement.value)](self, statement.value)  # type: ignore[no-any-return]
            self.DO[type(statement)](self, statement)
        return 0

    def body(self, body: ir.Body) -> None:
        for statement in body:
            self.DO[type(statement)](self, statement)

    def leave(self, node: Any) -> None:
        raise _Left(node)

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
        array[_within(index, len(array))] = self.value(node.value)

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
        except _Left as left:
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
        if self.row[ir.OUTCOME]:
            self.leave(node)

    def do_trap(self, node: ir.Trap) -> None:
        raise Trapped(node.fault)

    def do_burn(self, node: ir.Burn) -> None:
        self.row[ir.FUSE] += 1
        if self.row[ir.FUSE] > self.program.fuse:
            raise Trapped(ir.RUNAWAY)

    def do_meter(self, node: ir.Meter) -> None:
        self.row[ir.METER] += node.work
        if self.row[ir.METER] > self.program.work:
            raise Trapped(ir.RUNAWAY if self.row[ir.FUSE] > ir.LONG else node.fault)

    def do_note(self, node: ir.Note) -> None:
        if self.notes is not None:
            self.notes.append((node.note, *(self.value(a) for a in node.arguments)))

    # --- expressions ---

    def value(self, node: Any) -> int:
        return self.OF[type(node)](self, node)  # type: ignore[no-any-return]

    def word(self, result: int, node: Any) -> int:
        """What is worked out or looked up must be a word; what is only handed on was one already."""
        if type(result) is not int or not LOWEST <= result <= HIGHEST:
            raise CompilerBug(f"not a 32-bit number: {result!r} from {node!r}")
        return result

    def of_const(self, node: ir.Const) -> int:
        value = node.value
        return value if type(value) is int and LOWEST <= value <= HIGHEST else self.word(value, node)

    def of_local(self, node: ir.Local) -> int:
        value = self.locals.get(node.name)
        if type(value) is not int:
            raise CompilerBug(f"local `{node.name}` was never set")
        return value

    def of_load(self, node: ir.Load) -> int:
        index = node.index
        slot = node.base if index is None else node.base + self.OF[type(index)](self, index)
        low, high = self.plain
        return self.row[slot if low <= slot < high else self.outside(slot, low, high)]  # type: ignore[no-any-return]

    def of_frameload(self, node: ir.FrameLoad) -> int:
        return self.row[self.slot(self.frame + node.offset, node.index, stack=True)]  # type: ignore[no-any-return]

    def of_table(self, node: ir.Table) -> int:
        table = self.program.tables[node.table]
        return self.word(table[_within(self.value(node.index), len(table))], node)

    def of_element(self, node: ir.Element) -> int:
        array = self.array(node.array)
        return array[_within(self.value(node.index), len(array))]

    def of_binary(self, node: ir.Binary) -> int:
        op, of, left, right = node.op, self.OF, node.left, node.right
        left, right = of[type(left)](self, left), of[type(right)](self, right)
        if op == "==":
            return 1 if left == right else 0
        if op in COMPARISONS:
            return OPERATIONS[op](left, right)
        if (right == 0 and op in DIVISIONS) or (op in SHIFTS and not 0 <= right < 32):
            raise CompilerBug(f"{left} {op} {right}")
        result = OPERATIONS[op](left, right)
        if not LOWEST <= result <= HIGHEST:
            if node.checked:
                raise Trapped(ir.OVERFLOW)
            self.word(result, node)
        return result

    def of_negate(self, node: ir.Negate) -> int:
        return self.word(-self.value(node.value), node)

    def of_logicnot(self, node: ir.LogicNot) -> int:
        return 0 if self.value(node.value) else 1

    def of_logic(self, node: ir.Logic) -> int:
        enough, of = node.op == "or", self.OF
        for part in node.parts:
            if (of[type(part)](self, part) != 0) is enough:
                return int(enough)
        return int(not enough)

    def of_select(self, node: ir.Select) -> int:
        return self.value(node.then if self.OF[type(node.test)](self, node.test) else node.other)

    def of_callexpr(self, node: ir.CallExpr) -> int:
        return self.call(node.function, [self.OF[type(a)](self, a) for a in node.arguments])

    def of_trial(self, node: ir.Trial) -> int:
        arguments = [self.value(a) for a in node.arguments]
        twin = self.row[:]
        try:
            return self.trial(twin).call(node.function, arguments)
        except Trapped:
            if twin[ir.METER] > self.program.work:
                raise
            return -1
        finally:
            self.row[ir.METER] = twin[ir.METER]  # what was tried was work all the same

    def of_member(self, node: ir.Member) -> int:
        key = self.value(node.key)
        return int(self.value(node.value) in self.relation(node.relation, key))

    def of_connected(self, node: ir.Connected) -> int:
        start, value = self.value(node.start), self.value(node.value)
        goal = self.relation(node.goal, self.value(node.key))
        reached = [start] if self.row[node.base + start] == value else []
        met = {start}
        for cell in reached:
            if cell in goal:
                return 1
            near = [n for n in self.relation(node.near, cell) if n not in met]
            met.update(near)
            reached += [n for n in near if self.row[node.base + n] == value]
        return 0

    def of_answer(self, node: ir.Answer) -> int:
        return self.take(ir.ANSWER)

    def of_result(self, node: ir.Result) -> int:
        return self.take(ir.RET)

    def of_relationsize(self, node: ir.RelationSize) -> int:
        return len(self.relation(node.relation, self.value(node.key)))

    def of_relationitem(self, node: ir.RelationItem) -> int:
        item = self.relation(node.relation, self.value(node.key))[self.value(node.position)]
        return self.word(item if node.field is None else item[node.field], node)

    # --- access ---

    def take(self, slot: int) -> int:
        value, self.row[slot] = self.row[slot], 0
        return value  # type: ignore[no-any-return]

    def members(self, base: int, size: int, wanted: int) -> list[int]:
        """Which of the slots behind a base hold a value."""
        return [i for i, word in enumerate(self.row[base + 1 : base + size + 1], 1) if word == wanted]

    def slot(self, base: int, index: Any, stack: bool = False) -> int:
        slot = base if index is None else base + self.OF[type(index)](self, index)
        low, high = self.framed if stack else self.plain
        return slot if low <= slot < high else self.outside(slot, low, high)

    def outside(self, slot: int, low: int, high: int) -> NoReturn:
        raise CompilerBug(f"slot {slot} is not within {low}..{high - 1}")

    def array(self, name: str) -> list[int]:
        if name not in self.locals:
            raise CompilerBug(f"array `{name}` was never declared")
        return self.locals[name]  # type: ignore[no-any-return]

    def relation(self, relation: int, key: int) -> Sequence[Any]:
        rows = self.program.relations[relation]
        return rows[_within(key, len(rows))]


def _methods(run: type[_Run], prefix: str) -> dict[type, Method]:
    """The methods of a class by the type of nodes that their names tell."""
    nodes = {name.lower(): kind for name, kind in vars(ir).items() if isinstance(kind, type)}
    names = [name for name in dir(run) if name.startswith(prefix)]
    return {nodes[name.removeprefix(prefix)]: getattr(run, name) for name in names}


_Run.DO, _Run.OF = _methods(_Run, "do_"), _methods(_Run, "of_")


def _within(index: int, length: int) -> int:
    if not 0 <= index < length:
        raise CompilerBug(f"index {index} is not within 0..{length - 1}")
    return index

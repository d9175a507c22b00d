"""Statements of the intermediate form -> WebAssembly instructions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager

from ruleforge.backends.native.code import Code, Label
from ruleforge.backends.native.context import END, TOP, Context
from ruleforge.backends.native.encode import I32, I64
from ruleforge.backends.native.expressions import ARRAYS, ROW, Expressions
from ruleforge.backends.native.firsts import bases, meeting, take_bits
from ruleforge.backends.native.memory import MOST_CHOICES, STACK_BYTES, Bits
from ruleforge.backends.native.nets import Tail
from ruleforge.backends.native.offered import line_of
from ruleforge.backends.native.packed import Packed
from ruleforge.backends.native.scan import Members, each_bit, kept_words, splat
from ruleforge.backends.native.sieve import Either, Lane, Term, Test, Ways, sieved, terms_of
from ruleforge.compiler import ir
from ruleforge.compiler.passes import fold, is_truth, renamed, simple, substitute
from ruleforge.compiler.visit import Expression, Node, assigned, statements

LIST = "%list"
WIDE = 8  # slots that are worth asking several at a time
RESERVE = 1 << 20  # of the stack, for functions of the library, which do not look
TOO_MANY, TOO_DEEP, BEYOND = range(
    1 << 20, (1 << 20) + 3
)  # faults of this backend, behind all those of rules


class Statements(Expressions):
    """Emits statements; subclasses say how a function is left."""

    def __init__(self, context: Context, code: Code) -> None:
        super().__init__(context, code)
        self.leave_loop: list[Label] = []
        self.exits: list[Label] = []  # of the functions in place
        self.placed: list[str] = []
        self.array_words = 0
        self.sizes: dict[str, int] = {}
        self.listing = False
        self.taken: dict[int, str] = {}  # locals with a bit for each slot behind a base that is not 0
        self.steady: frozenset[str] = frozenset()  # parameters that stay as they are

    def body(self, body: Iterable[Node]) -> None:
        for statement in body:
            getattr(self, "do_" + type(statement).__name__.lower())(statement)

    # --- arrays, which lie on a stack of their own ---

    def reserve(self, bodies: Iterable[ir.Body], parameters: Collection[str] = ()) -> None:
        """Give each array its place, and take room for all of them."""
        bodies = list(bodies)
        sizes: dict[str, int] = {}
        for statement in (s for body in bodies for s in statements(body)):
            match statement:
                case ir.NewArray(name=name, size=size):
                    sizes[name] = max(size, sizes.get(name, 0))
                case ir.Scan() if kept_words(statement):
                    sizes[_members(statement)] = kept_words(statement)
        self.reach.learn(bodies, parameters)
        self.steady = frozenset(parameters) - {n for b in bodies for s in statements(b) for n in assigned(s)}
        self.arrays = {name: self.room(size) for name, size in sizes.items()}
        self.sizes = sizes
        if self.array_words:
            self.take_room()

    def look_ahead(self, body: ir.Body) -> None:
        """What a function that follows several lines looks at when it begins."""
        for base in bases(body, lambda relation: self.context.memory.bits(relation) is not None):
            self.taken[base] = f"%taken {base}"
            take_bits(self.code, base, self.taken[base])

    def take_room(self) -> None:
        code, memory = self.code, self.context.memory
        code.get_global(TOP)
        code.tee(ARRAYS)
        code.const(4 * self.array_words)
        code.op("i32.add")
        code.set_global(TOP)
        code.get_global(TOP)
        code.const(memory.stack + STACK_BYTES - RESERVE)
        code.op("i32.gt_u")
        with code.when():
            self.trap(TOO_DEEP)

    def room(self, words: int) -> int:
        """Where an array of this size comes to lie."""
        at = self.array_words
        self.array_words += words
        return at

    def release(self) -> None:
        if self.array_words:
            self.code.get(ARRAYS)
            self.code.set_global(TOP)

    def do_newarray(self, s: ir.NewArray) -> None:
        self.code.clear(ARRAYS, 4 * self.arrays[s.name], s.size)

    def do_setelement(self, s: ir.SetElement) -> None:
        offset = self.element(s.array, self.within(s.index, self.sizes[s.array]))
        self.value(s.value)
        self.code.store(offset)

    def within(self, index: Expression, size: int) -> ir.Local:
        """An index that fits in every position a game can reach; a search also asks about imagined ones."""
        code, name = self.code, self.code.temporary()
        self.value(index)
        code.tee(name)
        code.const(size)
        code.op("i32.ge_u")
        with code.when():
            self.trap(BEYOND)
        return ir.Local(name)

    # --- plain statements ---

    def do_set(self, s: ir.Set) -> None:
        self.value(s.value)
        self.code.set(s.name)

    def do_store(self, s: ir.Store) -> None:
        tails = self.tails_of(s)
        if tails:
            self.store_in_nets(s, tails)
            return
        offset = self.slot(s.base, s.index)
        self.value(s.value)
        self.code.store(offset)

    # --- nets, whose marks go with what cells hold ---

    def tails_of(self, s: ir.Store) -> list[Tail]:
        """The nets that a store touches."""
        return [tail for tail in self.context.memory.nets if tail.net.holds(s)]

    def store_in_nets(self, s: ir.Store, tails: list[Tail]) -> None:
        code, cell, old, base = self.code, self.code.temporary(), self.code.temporary(), tails[0].net.base
        self.value(ir.Const(s.base - base) if s.index is None else s.index)
        code.set(cell)
        offset = self.slot(base, ir.Local(cell))
        code.load(offset)
        code.set(old)
        self.slot(base, ir.Local(cell))
        self.value(s.value)
        code.store(offset)
        for tail in tails:
            code.get(ROW)
            code.const(self.context.memory.net(tail))
            code.get(cell)
            code.get(old)
            code.call(self.context.library("cell_changed"))

    def do_perform(self, s: ir.Perform) -> None:
        self.call_plain(s.function, s.arguments)
        self.code.op("drop") if s.into is None else self.code.set(s.into)

    def do_random(self, s: ir.Random) -> None:
        self.code.get(ROW)
        self.value(s.bound)
        self.code.call(self.context.library("draw"))
        self.code.set(s.into)

    def do_trap(self, s: ir.Trap) -> None:
        self.trap(s.fault)

    def do_burn(self, s: ir.Burn) -> None:
        with self.counting(ir.FUSE, 1, self.context.program.fuse):
            self.trap(ir.RUNAWAY)

    def do_meter(self, s: ir.Meter) -> None:
        with self.counting(ir.METER, s.work, self.context.program.work):
            self.code.get(ROW)
            self.code.load(4 * ir.FUSE)
            self.code.const(ir.LONG)
            self.code.op("i32.gt_s")
            with self.code.when():
                self.trap(ir.RUNAWAY)
            self.trap(s.fault)

    @contextmanager
    def counting(self, word: int, more: int, most: int) -> Iterator[None]:
        """A word of the head goes up; what is emitted inside is done when it passes the most it may be."""
        code, now = self.code, self.code.temporary()
        code.get(ROW)
        code.get(ROW)
        code.load(4 * word)
        code.const(more)
        code.op("i32.add")
        code.tee(now)
        code.store(4 * word)
        code.get(now)
        code.const(most)
        code.op("i32.gt_s")
        with code.when():
            yield

    def do_note(self, s: ir.Note) -> None:
        """Count it, if it is; events are recorded by the generated Python, which makes the same rows."""
        memory = self.context.memory
        for number, measure in enumerate(self.context.program.measures):
            if s.note in measure.notes:
                self.code.const(0)
                self.code.const(0)
                self.code.load(memory.counts + 4 * number)
                self.code.const(1)
                self.code.op("i32.add")
                self.code.store(memory.counts + 4 * number)

    # --- the list of choices, whose end is in a local while a function offers ---

    def take_list(self) -> None:
        self.code.get_global(END)
        self.code.set(LIST)
        self.listing = True

    def give_list(self) -> None:
        if self.listing:
            self.code.get(LIST)
            self.code.set_global(END)

    def do_offer(self, s: ir.Offer) -> None:
        self.lay(s.code)
        self.advance(LIST, 4)
        self.refuse_too_many()

    def lay(self, offered: Expression) -> None:
        """Write behind the end of the list, which stays where it is; there is room for that also when it is full."""
        self.code.get(LIST)
        self.value(offered)
        self.code.store()

    def refuse_too_many(self) -> None:
        code, memory = self.code, self.context.memory
        if memory.most_choices == MOST_CHOICES:
            code.get(LIST)
            code.const(memory.offers + 4 * MOST_CHOICES)
            code.op("i32.gt_u")
            with code.when():
                self.trap(TOO_MANY)

    def offer_if(self, test: Expression, offered: Expression) -> None:
        """Without a branch, which would often be taken wrongly: the end moves by nothing or a word."""
        code = self.code
        self.lay(offered)
        code.get(LIST)
        self.value(test)
        if not is_truth(test):
            code.const(0)
            code.op("i32.ne")
        code.const(2)
        code.op("i32.shl", "i32.add")
        code.set(LIST)
        self.refuse_too_many()

    # --- control ---

    def do_if(self, s: ir.If) -> None:
        match s:
            case ir.If(then=(ir.If(other=()) as inner,), other=()):
                self.do_if(ir.If(_both(s.test, inner.test), inner.then, place=s.place))
            case ir.If(test=test, then=(ir.Offer(code=offered),), other=()) if self.offers_blindly(
                test, offered
            ):
                self.offer_if(test, offered)
            case _:
                self.branch(s)

    def offers_blindly(self, test: Expression, offered: Expression) -> bool:
        """Whether it is quicker not to branch."""
        one_question = isinstance(test, ir.Binary) or self.reach.costs_little(test)
        return one_question and self.reach.costs_little(offered)

    def branch(self, s: ir.If) -> None:
        with self.code.block() as end:
            if not s.other:
                self.jump(s.test, end, False)
                self.body(s.then)
                return
            with self.code.block() as other:
                self.jump(s.test, other, False)
                self.body(s.then)
                self.code.br(end)
            self.body(s.other)

    @contextmanager
    def looping(self) -> Iterator[tuple[Label, Label]]:
        """A loop: the labels behind it and of its head; Break goes to the first."""
        with self.code.block() as out:
            self.leave_loop.append(out)
            with self.code.loop() as again:
                yield out, again
            self.leave_loop.pop()

    def do_while(self, s: ir.While) -> None:
        with self.looping() as (out, again):
            self.jump(s.test, out, False)
            self.body(s.body)
            self.code.br(again)

    def do_forrange(self, s: ir.ForRange) -> None:
        """A loop over all slots of a column asks several at a time what it can."""
        match s:
            case ir.ForRange(low=ir.Const(value=1), high=ir.Const(value=last)) if last >= WIDE:
                terms, body = sieved(s)
                if terms and self.fits(terms, last):
                    self.sieve(s, last, terms, body)
                    return
        self.count_up(s)

    def fits(self, tests: tuple[Test, ...], last: int) -> bool:
        """Whether tables are as long as the loop; slots of the row always are."""
        tables = self.context.program.tables
        return all(last < len(tables[t.of.table]) for t in terms_of(tests) if isinstance(t.of, ir.Table))

    def count_up(self, s: ir.ForRange) -> None:
        code, at, last = self.code, self.code.temporary(), self.code.temporary()
        self.value(s.low)
        code.set(at)
        self.value(s.high)
        code.set(last)
        code.get(at)
        code.get(last)
        code.op("i32.le_s")
        with code.when(), self.looping() as (out, again):
            code.get(at)
            code.set(s.name)
            self.body(s.body)
            code.get(at)
            code.get(last)
            code.op("i32.eq")
            code.br_if(out)
            self.advance(at, 1)
            code.br(again)

    def advance(self, name: str, step: int) -> None:
        self.code.get(name)
        self.code.const(step)
        self.code.op("i32.add")
        self.code.set(name)

    def do_each(self, s: ir.Each) -> None:
        met = meeting(s)
        bits = self.context.memory.bits(met.relation) if met is not None and met.base in self.taken else None
        if met is None or bits is None or not (met.first or bits.rises):
            self.each_row(s)
            return
        code, key, found = self.code, self.kept(met.key), self.code.temporary(I64)
        self.scaled(key, 3)
        code.access("i64.load", bits.address)
        code.get(self.taken[met.base])
        code.op("i64.and")
        code.set(found)
        with code.block() as out:
            self.leave_loop.append(out)
            if met.first:
                code.get(found)
                code.op("i64.eqz")
                code.br_if(out)
                self.first_bit(found, bits, key)
                code.set(met.name)
                self.body(met.then)
            else:
                each_bit(code, found, met.name, lambda: self.body(met.then))
            self.leave_loop.pop()

    def first_bit(self, found: str, bits: Bits, key: ir.Local) -> None:
        """Leave the number at which a row begins, of those found: the lowest, or in a row that falls the highest."""
        code = self.code
        if not bits.rises:
            code.const(64)
            code.get(found)
            code.op("i64.clz", "i32.wrap_i64", "i32.sub")
        code.get(found)
        code.op("i64.ctz", "i32.wrap_i64")
        code.const(1)
        code.op("i32.add")
        if not bits.rises:
            self.value(key)
            code.access("i32.load8_u", bits.falls)
            code.op("select")

    def each_row(self, s: ir.Each) -> None:
        code, at, end = self.code, self.code.temporary(), self.code.temporary()
        relation = self.context.memory.relation(s.relation)
        items = relation.items
        self.scaled(s.key, 2)
        code.tee(at)
        code.load(relation.offsets + 4)
        code.set(end)
        code.get(at)
        code.load(relation.offsets)
        code.set(at)
        with self.looping() as (out, again):
            code.get(at)
            code.get(end)
            code.op("i32.ge_u")
            code.br_if(out)
            self.learn_key(s)
            for field, name in enumerate(s.names):
                code.get(at)
                code.access(items.load, field << items.shift)
                code.set(name)
            self.advance(at, relation.stride)
            self.body(s.body)
            code.br(again)

    def learn_key(self, s: ir.Each) -> None:
        """What is a key here is one everywhere, for a parameter does not change."""
        match s.key:
            case ir.Local(name=name) if name in self.steady:
                self.reach.known[name] = (0, len(self.context.program.relations[s.relation]) - 1)

    def do_scan(self, s: ir.Scan) -> None:
        terms, body = sieved(s) if not s.frozen else ((), s.body)
        here = Term("==", ir.Load(s.base, ir.Local(s.name)), s.value)
        self.sieve(s, s.size, (here, *terms), body)

    def sieve(self, s: ir.Scan | ir.ForRange, size: int, tests: tuple[Test, ...], body: ir.Body) -> None:
        """Go through the slots 1..size for which all tests hold; four are laid at a time where they are only offered."""
        lanes = tuple(self.lanes(test) for test in tests)
        line = line_of(body, s.name, size)
        if line is not None and self.context.memory.most_choices < MOST_CHOICES:
            Packed(self.code, size, lanes, line, self.context.memory.masks(line.step), LIST).lay()
            return
        kept = self.arrays.get(_members(s)) if isinstance(s, ir.Scan) else None
        members = Members(self.code, s.name, size, lanes, kept)
        with self.code.block() as out:
            self.leave_loop.append(out)
            members.each(lambda: self.body(body))
            self.leave_loop.pop()

    def lanes(self, test: Test) -> Lane | Ways:
        if isinstance(test, Either):
            return Ways(tuple(tuple(self.lane(term) for term in way) for way in test.ways))
        return self.lane(test)

    def lane(self, term: Term) -> Lane:
        self.value(term.value)
        wanted = splat(self.code)
        match term.of:
            case ir.Load(base=base):
                return Lane(term.op, True, 4 * base, wanted)
            case ir.Table(table=table):
                return Lane(term.op, False, self.context.memory.wide_table(table), wanted)

    def do_break(self, s: ir.Break) -> None:
        self.code.br(self.leave_loop[-1])

    # --- functions in place ---

    def call_plain(self, function: str, arguments: tuple[Expression, ...]) -> None:
        """A small function becomes a block that leaves its value; what returns from it goes to the block's end."""
        if not self.context.is_small(function) or function in self.placed:
            self.call_other(function, arguments)
            return
        body = self.with_arguments(function, arguments)
        outer, self.leave_loop = self.leave_loop, []
        self.placed.append(function)
        with self.code.block(I32) as end:
            self.exits.append(end)
            self.body(body)
            self.code.const(0)
            self.exits.pop()
        self.placed.pop()
        self.leave_loop = outer

    def call_other(self, function: str, arguments: tuple[Expression, ...]) -> None:
        """One that offers goes on with the list."""
        offers = self.context.program.plain[function].offers
        if offers:
            self.give_list()
        self.call(self.callee(function), arguments)
        if offers and self.listing:
            self.take_list()

    def callee(self, function: str) -> int:
        return self.context.plain(function)

    def with_arguments(self, function: str, arguments: tuple[Expression, ...]) -> ir.Body:
        """The body with locals of its own; arguments that cost nothing stand where they are used."""
        body = self.context.body(function)
        written = {name for s in statements(body) for name in assigned(s)}
        prefix = f"{self.code.temporary()}."
        values: dict[str, Expression] = {}
        bound: list[str] = []
        for name, argument in zip(self.context.program.plain[function].parameters, arguments, strict=True):
            if name not in written and simple(argument):
                values[name] = argument
            else:
                self.value(argument)
                self.code.set(prefix + name)
                bound.append(name)
        placed = fold(substitute(renamed(body, prefix, bound), values), self.context.program.tables)
        self.reach.learn((placed,), [prefix + name for name in bound])
        return placed

    # --- leaving ---

    def do_return(self, s: ir.Return) -> None:
        self.value(s.value)
        self.leave_with_value()

    def leave_with_value(self) -> None:
        if self.exits:
            self.code.br(self.exits[-1])
            return
        self.give_list()
        self.release()
        self.code.op("return")

    def do_finish(self, s: ir.Finish) -> None:
        self.put_word(ir.OUTCOME, 1 + s.ending)
        self.code.get(ROW)
        self.value(s.winners)
        self.code.store(4 * ir.WINNERS)
        self.leave()

    def do_unwind(self, s: ir.Unwind) -> None:
        self.code.get(ROW)
        self.code.load(4 * ir.OUTCOME)
        with self.code.when():
            self.leave()

    def leave(self) -> None:
        """Go away because the game is over."""
        self.code.const(0)
        self.leave_with_value()


def _both(one: Expression, other: Expression) -> ir.Logic:
    parts = (part for e in (one, other) for part in (e.parts if _is_and(e) else (e,)))
    return ir.Logic("and", tuple(parts))


def _is_and(e: Expression) -> bool:
    return isinstance(e, ir.Logic) and e.op == "and"


def _members(s: ir.Scan) -> str:
    """The name of the array that keeps the members of a frozen scan."""
    return f"%{s.name} of {s.base}, {s.size}"

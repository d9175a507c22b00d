"""Emit loops over slots and relation rows. They test several slots or bits at a time if possible."""

from __future__ import annotations

from ruleforge.analysis.intervals import Interval
from ruleforge.backends.native.code import V128, Code
from ruleforge.backends.native.context import Context
from ruleforge.backends.native.encode import I64
from ruleforge.backends.native.layers.addresses import ROW
from ruleforge.backends.native.layers.choice_list import LIST
from ruleforge.backends.native.layers.loops import Loops
from ruleforge.backends.native.memory import MOST_CHOICES, Bits
from ruleforge.backends.native.offer_scans import SIMD_WIDTH, Line, line_of
from ruleforge.backends.native.scan import Members, bases, each_bit, mask_name, meeting, splat, take_bits
from ruleforge.backends.native.sieve import (
    Either,
    Term,
    Test,
    VectorTest,
    VectorTests,
    Ways,
    ask,
    sieved,
    terms_of,
)
from ruleforge.compiler import ir
from ruleforge.support.records import dataclass

WIDE = 8  # slots that are worth asking several at a time
WRITTEN_OUT = 4  # groups up to which there is no loop


class Walks(Loops):
    """Emits loops over the matching slots or items."""

    def __init__(self, context: Context, code: Code) -> None:
        super().__init__(context, code)
        self.taken: dict[int, str] = {}  # locals with a bit for each slot behind a base that is not 0

    # --- several slots at a time ---

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

    def do_scan(self, s: ir.Scan) -> None:
        terms, body = sieved(s) if not s.frozen else ((), s.body)
        here = Term("==", ir.Load(s.base, ir.Local(s.name)), s.value)
        self.sieve(s, s.size, (here, *terms), body)

    def sieve(self, s: ir.Scan | ir.ForRange, size: int, tests: tuple[Test, ...], body: ir.Body) -> None:
        """Walk the slots 1..size for which all tests hold.

        If they are only offered, four are appended at a time.
        """
        vector_tests = tuple(self.vector_tests(test) for test in tests)
        line = line_of(body, s.name, size)
        if line is not None and self.context.memory.most_choices < MOST_CHOICES:
            Packed(self.code, size, vector_tests, line, self.context.memory.masks(line.step), LIST).lay()
            return
        mask = self.arrays.get(mask_name(s)) if isinstance(s, ir.Scan) else None
        members = Members(self.code, s.name, size, vector_tests, mask)
        with self.code.block() as out:
            self.leave_loop.append(out)
            members.each(lambda: self.body(body))
            self.leave_loop.pop()

    def vector_tests(self, test: Test) -> VectorTest | Ways:
        if isinstance(test, Either):
            return Ways(tuple(tuple(self.vector_test(term) for term in way) for way in test.ways))
        return self.vector_test(test)

    def vector_test(self, term: Term) -> VectorTest:
        self.value(term.value)
        wanted = splat(self.code)
        match term.of:
            case ir.Load(base=base):
                return VectorTest(term.op, True, 4 * base, wanted)
            case ir.Table(table=table):
                return VectorTest(term.op, False, self.context.memory.wide_table(table), wanted)

    # --- rows of a relation ---

    def do_each(self, s: ir.Each) -> None:
        met = meeting(s)
        bits = self.context.memory.bits(met.relation) if met is not None and met.base in self.taken else None
        if met is None or bits is None or not (met.first or bits.rises):
            self.each_row(s)
            return
        code, key, found = self.code, self.in_local(met.key), self.code.temporary(I64)
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

    def look_ahead(self, body: ir.Body) -> None:
        """Load the bits that a function over several lines needs, at its beginning."""
        for base in bases(body, lambda relation: self.context.memory.bits(relation) is not None):
            self.taken[base] = f"%taken {base}"
            take_bits(self.code, base, self.taken[base])

    def first_bit(self, found: str, bits: Bits, key: ir.Local) -> None:
        """Leave the first number of a row among those found: the lowest, or the highest in a descending row."""
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
        """Record the range of a key. It holds in the whole function, because a parameter does not change."""
        match s.key:
            case ir.Local(name=name) if name in self.steady:
                keys = len(self.context.program.relations[s.relation])
                self.reach.learn_range(name, Interval(0, keys - 1))


# A loop that only offers slots is emitted without a branch, for four slots at a time.
#
# The matches among four slots make a mask. A table holds the codes of each of the sixteen masks. All four words are
# written, and the end of the list moves by the number of matches.


@dataclass(frozen=True, slots=True)
class Packed:
    """The slots 1..size for which all tests hold. `end` is a local with the end of the list."""

    code: Code
    size: int
    vector_tests: VectorTests
    line: Line
    table: int  # the address of `masks`
    end: str

    def lay(self) -> None:
        code, at, codes = self.code, self.code.temporary(), self.code.temporary(V128)
        code.get(ROW)
        code.set(at)
        code.const(self.line.first + self.line.step)
        code.op("i32x4.splat")
        code.set(codes)
        whole, rest = divmod(self.size, SIMD_WIDTH)
        if whole <= WRITTEN_OUT:
            for _ in range(whole):
                self._group(at, codes)
        else:
            self._groups(at, codes, whole)
        if rest:
            self._group(at, codes, rest)

    def _groups(self, at: str, codes: str, count: int) -> None:
        code, last = self.code, self.code.temporary()
        code.get(at)
        code.const(4 * SIMD_WIDTH * count)
        code.op("i32.add")
        code.set(last)
        with code.loop() as again:
            self._group(at, codes)
            code.get(at)
            code.get(last)
            code.op("i32.ne")
            code.br_if(again)

    def _group(self, at: str, codes: str, members: int = SIMD_WIDTH) -> None:
        """The next four slots, of which only the first may be members."""
        code, mask = self.code, self.code.temporary()
        ask(code, self.vector_tests, at, 0)
        code.op("i32x4.bitmask")
        if members < SIMD_WIDTH:
            code.const((1 << members) - 1)
            code.op("i32.and")
        code.set(mask)
        code.get(self.end)
        code.get(mask)
        code.const(4)
        code.op("i32.shl")
        code.access("v128.load", self.table)
        code.get(codes)
        code.op("i32x4.add")
        code.access("v128.store")
        code.get(self.end)
        code.get(mask)
        code.op("i32.popcnt")
        code.const(2)
        code.op("i32.shl", "i32.add")
        code.set(self.end)
        self._move_on(at, codes)

    def _move_on(self, at: str, codes: str) -> None:
        code = self.code
        code.get(at)
        code.const(4 * SIMD_WIDTH)
        code.op("i32.add")
        code.set(at)
        code.get(codes)
        code.const(SIMD_WIDTH * self.line.step)
        code.op("i32x4.splat", "i32x4.add")
        code.set(codes)

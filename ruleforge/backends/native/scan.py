"""Emit loops over slots that test sixteen slots at a time and walk the bits of the matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from ruleforge.backends.native.code import V128, Code
from ruleforge.backends.native.encode import I64
from ruleforge.backends.native.layers.addresses import ARRAYS, ROW
from ruleforge.backends.native.memory import WORD
from ruleforge.backends.native.sieve import VectorTest, VectorTests, ask
from ruleforge.compiler import ir
from ruleforge.compiler.function_traits import HARMLESS
from ruleforge.compiler.visit import statements
from ruleforge.support.records import dataclass

GROUP = 16
_ALL = (1 << GROUP) - 1
FEWEST = 3  # lines that one look at all slots is worth
_QUIET = (*HARMLESS, ir.Offer, ir.Spend)


def mask_words_of(scan: ir.Scan) -> int:
    """The number of words in which a scan stores its members. 0 if one mask holds all of them."""
    groups = -(-scan.size // GROUP)
    return groups if scan.frozen and groups > 1 else 0


def mask_name(scan: ir.Scan) -> str:
    """The name of the array that keeps the members of a frozen scan."""
    return f"%{scan.name} of {scan.base}, {scan.size}"


@dataclass(frozen=True, slots=True)
class Members:
    """The slots 1..size for which all tests hold, each in turn in the local `name`.

    Masks are stored at `kept` behind ARRAYS, unless it is None.
    """

    code: Code
    name: str
    size: int
    vector_tests: VectorTests
    mask: int | None = None

    def each(self, body: Callable[[], None]) -> None:
        """Emit the body for each member."""
        code = self.code
        if self.mask is None and GROUP < self.size <= WORD:
            self._all_at_once(body)
            return
        if self.mask is not None:
            self._groups(self._keep_mask)
        mask = code.temporary()

        def members(at: str, number: str) -> None:
            if self.mask is None:
                self._mask(at, number)
            else:
                self._mask_address(number)
                code.load(4 * self.mask)
            code.set(mask)
            self._bits(mask, number, body)

        self._groups(members)

    def _all_at_once(self, body: Callable[[], None]) -> None:
        """One mask for all slots, without a loop over groups."""
        found = self.code.temporary(I64)
        take_word(self.code, self.vector_tests, self.size, found)
        each_bit(self.code, found, self.name, body)

    def _groups(self, do: Callable[[str, str], None]) -> None:
        """`do` gets a local with the row's address moved on to a group, and one with the number before its first."""
        code, at, number = self.code, self.code.temporary(), self.code.temporary()
        code.get(ROW)
        code.set(at)
        code.const(0)
        code.set(number)
        if self.size <= GROUP:
            do(at, number)
            return
        with code.loop() as again:
            do(at, number)
            code.get(at)
            code.const(4 * GROUP)
            code.op("i32.add")
            code.set(at)
            code.get(number)
            code.const(GROUP)
            code.op("i32.add")
            code.tee(number)
            code.const(self.size)
            code.op("i32.lt_s")
            code.br_if(again)

    def _mask(self, at: str, number: str) -> None:
        """A bit for each slot of a group that fits."""
        _group_mask(self.code, self.vector_tests, at, 0)
        self._cut_rest(number)

    def _cut_rest(self, number: str) -> None:
        """The last group may reach behind the end."""
        code, rest = self.code, self.size % GROUP
        if not rest:
            return
        code.const((1 << rest) - 1)
        if self.size > GROUP:
            code.const(_ALL)
            code.get(number)
            code.const(self.size - rest)
            code.op("i32.eq", "select")
        code.op("i32.and")

    def _keep_mask(self, at: str, number: str) -> None:
        assert self.mask is not None
        self._mask_address(number)
        self._mask(at, number)
        self.code.store(4 * self.mask)

    def _mask_address(self, number: str) -> None:
        """A word for every sixteen slots."""
        code = self.code
        code.get(ARRAYS)
        code.get(number)
        code.const(2)
        code.op("i32.shr_u", "i32.add")

    def _bits(self, mask: str, number: str, body: Callable[[], None]) -> None:
        code = self.code
        with code.block() as done, code.loop() as again:
            code.get(mask)
            code.op("i32.eqz")
            code.br_if(done)
            code.get(number)
            code.get(mask)
            code.op("i32.ctz", "i32.add")
            code.const(1)
            code.op("i32.add")
            code.set(self.name)
            # `mask & (mask - 1)` takes the lowest bit away, whose number was just read.
            code.get(mask)
            code.get(mask)
            code.const(1)
            code.op("i32.sub", "i32.and")
            code.set(mask)
            body()
            code.br(again)


def _group_mask(code: Code, vector_tests: VectorTests, at: str, first: int) -> None:
    """Leave a bit for each of sixteen slots for which all tests hold."""
    # A comparison leaves all ones or none in each word. Narrowing keeps the sign, so sixteen answers fit in
    # one vector, and `bitmask` gathers their signs.
    for pair in (0, 1):
        for half in (0, 1):
            ask(code, vector_tests, at, first + 8 * pair + 4 * half)
        code.op("i16x8.narrow_i32x4_s")
    code.op("i8x16.narrow_i16x8_s", "i8x16.bitmask")


def take_word(code: Code, vector_tests: VectorTests, size: int, into: str) -> None:
    """A local of 64 bits gets one for each of the slots 1..size for which all tests hold."""
    code.local(into, I64)
    for before in range(0, size, GROUP):
        _group_mask(code, vector_tests, ROW, before)
        if size - before < GROUP:  # the last group may reach behind the end
            code.const((1 << (size - before)) - 1)
            code.op("i32.and")
        code.op("i64.extend_i32_u")
        if before:
            code.wide(before)
            code.op("i64.shl")
            code.get(into)
            code.op("i64.or")
        code.set(into)


def each_bit(code: Code, bits: str, name: str, body: Callable[[], None]) -> None:
    """Emit a body for each bit of a local of 64, its number in another local, the lowest first as 1."""
    with code.block() as done, code.loop() as again:
        code.get(bits)
        code.op("i64.eqz")
        code.br_if(done)
        code.get(bits)
        code.op("i64.ctz", "i32.wrap_i64")
        code.const(1)
        code.op("i32.add")
        code.set(name)
        code.get(bits)
        code.get(bits)
        code.wide(1)
        code.op("i64.sub", "i64.and")
        code.set(bits)
        body()
        code.br(again)


def splat(code: Code) -> str:
    """A local with the word on the stack four times."""
    name = code.temporary(V128)
    code.op("i32x4.splat")
    code.set(name)
    return name


# Loops over the slots that are not 0, or that use the first of them, work on 64 bits, one for each slot.
#
#     for t in north(c):                  taken = a bit for each slot that is not 0, once for all loops
#         if row[15 + t] != 0:            found = taken & north_bits(c)
#             ...                         if found: t = the first of them, ...
#             break
#
# How far a line is free is hard to foretell, so that a loop would mostly be left at an unexpected moment.


@dataclass(frozen=True, slots=True)
class Meeting:
    """A loop that reaches its statements with numbers whose slot is not 0: with all of them, or with the
    first.
    """

    name: str
    base: int
    relation: int
    key: ir.Expr
    then: ir.Body

    @property
    def first(self) -> bool:
        return isinstance(self.then[-1], ir.Break)


def meeting(loop: ir.Each) -> Meeting | None:
    """The meeting of a loop. None for other loops."""
    match loop:
        case ir.Each(
            names=(name,),
            body=(
                ir.If(
                    test=ir.Binary(
                        op="!=", left=ir.Load(base=base, index=ir.Local(name=index)), right=ir.Const(value=0)
                    ),
                    then=then,
                    other=(),
                ),
            ),
        ) if index == name and then:
            return Meeting(name, base, loop.relation, loop.key, then)
    return None


def bases(body: ir.Body, fits: Callable[[int], bool]) -> tuple[int, ...]:
    """The bases whose slots are worth a look when a function begins: it changes nothing, and follows several lines."""
    inner = tuple(statements(body))
    if not all(isinstance(s, _QUIET) for s in inner):
        return ()
    found = (meeting(s) for s in inner if isinstance(s, ir.Each))
    counted = Counter(one.base for one in found if one is not None and one.first and fits(one.relation))
    return tuple(base for base, times in counted.items() if times >= FEWEST)


def take_bits(code: Code, base: int, into: str) -> None:
    """A local gets a bit for each of the slots base + 1 .. base + 64 that is not 0."""
    code.const(0)
    take_word(code, (VectorTest("!=", True, 4 * base, splat(code)),), WORD, into)

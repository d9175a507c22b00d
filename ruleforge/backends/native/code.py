"""Emit the instructions of one WebAssembly function: named locals, labels that know their depth, named
operations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ruleforge.backends.native.encode import F64, I32, I64, V128, Body, Signature, signed, unsigned
from ruleforge.support.records import dataclass

OPERATIONS = {
    "unreachable": b"\x00",
    "return": b"\x0f",
    "drop": b"\x1a",
    "select": b"\x1b",
    "i32.eqz": b"\x45",
    "i32.eq": b"\x46",
    "i32.ne": b"\x47",
    "i32.lt_s": b"\x48",
    "i32.lt_u": b"\x49",
    "i32.gt_s": b"\x4a",
    "i32.gt_u": b"\x4b",
    "i32.le_s": b"\x4c",
    "i32.le_u": b"\x4d",
    "i32.ge_s": b"\x4e",
    "i32.ge_u": b"\x4f",
    "i64.eqz": b"\x50",
    "i64.ne": b"\x52",
    "f64.lt": b"\x63",
    "f64.gt": b"\x64",
    "i32.clz": b"\x67",
    "i32.ctz": b"\x68",
    "i32.popcnt": b"\x69",
    "i32.add": b"\x6a",
    "i32.sub": b"\x6b",
    "i32.mul": b"\x6c",
    "i32.div_s": b"\x6d",
    "i32.rem_s": b"\x6f",
    "i32.rem_u": b"\x70",
    "i32.and": b"\x71",
    "i32.or": b"\x72",
    "i32.xor": b"\x73",
    "i32.shl": b"\x74",
    "i32.shr_s": b"\x75",
    "i32.shr_u": b"\x76",
    "i32.rotl": b"\x77",
    "i64.clz": b"\x79",
    "i64.ctz": b"\x7a",
    "i64.add": b"\x7c",
    "i64.sub": b"\x7d",
    "i64.mul": b"\x7e",
    "i64.and": b"\x83",
    "i64.or": b"\x84",
    "i64.shl": b"\x86",
    "i64.shr_u": b"\x88",
    "f64.sqrt": b"\x9f",
    "f64.add": b"\xa0",
    "f64.sub": b"\xa1",
    "f64.mul": b"\xa2",
    "f64.div": b"\xa3",
    "i32.wrap_i64": b"\xa7",
    "i32.trunc_f64_s": b"\xaa",
    "i64.extend_i32_s": b"\xac",
    "i64.extend_i32_u": b"\xad",
    "f32.demote_f64": b"\xb6",
    "f64.convert_i32_s": b"\xb7",
    "f64.promote_f32": b"\xbb",
    "memory.copy": b"\xfc\x0a\x00\x00",
    "memory.fill": b"\xfc\x0b\x00",
    "i32x4.splat": b"\xfd\x11",
    "i32x4.eq": b"\xfd\x37",
    "i32x4.ne": b"\xfd\x38",
    "i32x4.lt_s": b"\xfd\x39",
    "i32x4.gt_s": b"\xfd\x3b",
    "i32x4.le_s": b"\xfd\x3d",
    "i32x4.ge_s": b"\xfd\x3f",
    "v128.and": b"\xfd\x4e",
    "v128.or": b"\xfd\x50",
    "i8x16.bitmask": b"\xfd\x64",
    "i32x4.bitmask": b"\xfd\xa4\x01",
    "i32x4.add": b"\xfd\xae\x01",
    "i8x16.narrow_i16x8_s": b"\xfd\x65",
    "i16x8.narrow_i32x4_s": b"\xfd\x85\x01",
}
_ACCESS = {  # the operation and the power of two of its width
    "i32.load": (b"\x28", 2),
    "f32.load": (b"\x2a", 2),
    "i64.load": (b"\x29", 3),
    "f64.load": (b"\x2b", 3),
    "i32.load8_s": (b"\x2c", 0),
    "i32.load8_u": (b"\x2d", 0),
    "i32.load16_s": (b"\x2e", 1),
    "i32.load16_u": (b"\x2f", 1),
    "i32.store": (b"\x36", 2),
    "i32.store8": (b"\x3a", 0),
    "i64.store": (b"\x37", 2),
    "f32.store": (b"\x38", 2),
    "f64.store": (b"\x39", 3),
    "v128.load": (b"\xfd\x00", 2),
    "v128.store": (b"\xfd\x0b", 2),
}
_BLOCK, _LOOP, _IF, _ELSE, _THROW, _END, _BR, _BR_IF, _BR_TABLE, _CALL, _TRY = (
    *(b"\x02", b"\x03", b"\x04", b"\x05", b"\x08", b"\x0b", b"\x0c", b"\x0d", b"\x0e", b"\x10"),
    b"\x1f",
)
_NOTHING = 0x40
UNROLLED = 128  # words up to which memory is set or copied by single stores: what is longer leaves the module


@dataclass(frozen=True, slots=True)
class Label:
    """A branch target: the end of a block, or the head of a loop."""

    depth: int


class Code:
    """Collects the instructions of one function."""

    def __init__(self, parameters: tuple[tuple[str, int], ...], results: tuple[int, ...] = (I32,)) -> None:
        self.signature: Signature = (tuple(kind for _, kind in parameters), results)
        self.known: dict[str, int] = {name: k for k, (name, _) in enumerate(parameters)}
        self.types: list[int] = [kind for _, kind in parameters]
        self.out = bytearray()
        self.depth = 0
        self.fresh = 0

    def body(self) -> Body:
        return Body(self.signature, tuple(self.types[len(self.signature[0]) :]), bytes(self.out))

    # --- locals ---

    def local(self, name: str, kind: int = I32) -> int:
        if name not in self.known:
            self.known[name] = len(self.types)
            self.types.append(kind)
        return self.known[name]

    def temporary(self, kind: int = I32) -> str:
        self.fresh += 1
        name = f"%{self.fresh}"
        self.local(name, kind)
        return name

    def get(self, name: str) -> None:
        self.out += b"\x20" + unsigned(self.local(name))

    def set(self, name: str) -> None:
        self.out += b"\x21" + unsigned(self.local(name))

    def tee(self, name: str) -> None:
        self.out += b"\x22" + unsigned(self.local(name))

    def get_global(self, number: int) -> None:
        self.out += b"\x23" + unsigned(number)

    def set_global(self, number: int) -> None:
        self.out += b"\x24" + unsigned(number)

    # --- plain instructions ---

    def const(self, value: int) -> None:
        self.out += b"\x41" + signed(value)

    def wide(self, value: int) -> None:
        self.out += b"\x42" + signed(value)

    def real(self, eight_bytes: bytes) -> None:
        self.out += b"\x44" + eight_bytes

    def zeros(self) -> None:
        """Push sixteen bytes of 0."""
        self.out += b"\xfd\x0c" + bytes(16)

    def op(self, *names: str) -> None:
        for name in names:
            self.out += OPERATIONS[name]

    def access(self, name: str, offset: int = 0) -> None:
        code, align = _ACCESS[name]
        self.out += code + unsigned(align) + unsigned(offset)

    def load(self, offset: int = 0) -> None:
        self.access("i32.load", offset)

    def store(self, offset: int = 0) -> None:
        self.access("i32.store", offset)

    def call(self, function: int) -> None:
        self.out += _CALL + unsigned(function)

    def throw(self) -> None:
        """Stop with the fault on the stack."""
        self.out += _THROW + unsigned(0)

    def clear(self, base: str, offset: int, words: int) -> None:
        """Set words behind an address in a local to 0."""
        if words > UNROLLED:
            self.get(base)
            self.const(offset)
            self.op("i32.add")
            self.const(0)
            self.const(4 * words)
            self.op("memory.fill")
            return
        for at, step in _pieces(words):
            self.get(base)
            if step == 4:
                self.zeros()
                self.access("v128.store", offset + 4 * at)
            else:
                self.const(0)
                self.store(offset + 4 * at)

    def move(self, to: str, source: str, size: int) -> None:
        """Copy bytes, in multiples of sixteen, between two addresses in locals."""
        if size > 4 * UNROLLED:
            self.get(to)
            self.get(source)
            self.const(size)
            self.op("memory.copy")
            return
        for offset in range(0, size, 16):
            self.get(to)
            self.get(source)
            self.access("v128.load", offset)
            self.access("v128.store", offset)

    # --- structure ---

    @contextmanager
    def block(self, result: int | None = None) -> Iterator[Label]:
        """Open a block. A branch to the label leaves it."""
        with self._nested(_BLOCK, result) as label:
            yield label

    @contextmanager
    def loop(self) -> Iterator[Label]:
        """Open a loop. A branch to the label starts the next iteration."""
        with self._nested(_LOOP, None) as label:
            yield label

    @contextmanager
    def when(self, result: int | None = None) -> Iterator[Label]:
        """Emit a branch that runs if the word on the stack is not 0. `otherwise` separates its two sides."""
        with self._nested(_IF, result) as label:
            yield label

    def otherwise(self) -> None:
        self.out += _ELSE

    @contextmanager
    def trying(self, caught: Label) -> Iterator[Label]:
        """A trap inside branches to `caught` with its fault on the stack."""
        self.out += _TRY + bytes((I32,)) + unsigned(1) + b"\x00" + unsigned(0)
        self.out += unsigned(self.depth - caught.depth)
        self.depth += 1
        yield Label(self.depth)
        self.depth -= 1
        self.out += _END

    @contextmanager
    def _nested(self, opcode: bytes, result: int | None) -> Iterator[Label]:
        self.out += opcode + bytes((_NOTHING if result is None else result,))
        self.depth += 1
        yield Label(self.depth)
        self.depth -= 1
        self.out += _END

    def br(self, label: Label) -> None:
        self.out += _BR + unsigned(self.depth - label.depth)

    def br_if(self, label: Label) -> None:
        self.out += _BR_IF + unsigned(self.depth - label.depth)

    def switch(self, subject: str, arms: Sequence[Callable[[], None]]) -> None:
        """Run the arm with the number in a local. Arms do not fall through."""
        self._arms(subject, arms, [])

    def _arms(self, subject: str, arms: Sequence[Callable[[], None]], labels: list[Label]) -> None:
        """Each arm stands behind the end of a block around all that comes before it."""
        if len(labels) == len(arms):
            self.get(subject)
            self._br_table(labels[::-1])
            return
        with self.block() as label:
            self._arms(subject, arms, [*labels, label])
        arms[len(arms) - 1 - len(labels)]()
        self.op("unreachable")

    def _br_table(self, labels: list[Label]) -> None:
        depths = [unsigned(self.depth - label.depth) for label in labels]
        self.out += _BR_TABLE + unsigned(len(depths) - 1) + b"".join(depths)


def _pieces(words: int) -> Iterator[tuple[int, int]]:
    at = 0
    while at < words:
        step = 4 if words - at >= 4 else 1
        yield at, step
        at += step


__all__ = ["F64", "I32", "I64", "V128", "Code", "Label"]

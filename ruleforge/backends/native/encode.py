"""Encode a WebAssembly module as bytes, in the binary format of the core specification."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from ruleforge.support.records import dataclass

I32, I64, F64, V128 = 0x7F, 0x7E, 0x7C, 0x7B
_TYPE, _FUNCTION, _MEMORY, _GLOBAL, _EXPORT, _CODE, _DATA, _TAG = 1, 3, 5, 6, 7, 10, 11, 13
_END = 0x0B

Signature = tuple[tuple[int, ...], tuple[int, ...]]  # types of parameters, types of results


def unsigned(value: int) -> bytes:
    """Encode a number as LEB128: seven bits a byte, lowest first."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def signed(value: int) -> bytes:
    """Encode a signed number as LEB128: the last byte carries the sign."""
    out = bytearray()
    while not -0x40 <= value < 0x40:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value & 0x7F)
    return bytes(out)


@dataclass(frozen=True, slots=True)
class Body:
    """A function's code without its final `end`, and the types of its locals after the parameters."""

    signature: Signature
    locals: tuple[int, ...]
    code: bytes

    def encoded(self) -> bytes:
        runs: list[list[int]] = []
        for kind in self.locals:
            if runs and runs[-1][1] == kind:
                runs[-1][0] += 1
            else:
                runs.append([1, kind])
        declared = _vector(unsigned(count) + bytes((kind,)) for count, kind in runs)
        return _sized(declared + self.code + bytes((_END,)))


@dataclass(slots=True)
class Binary:
    """A module under construction: one memory, one tag (a trap with its fault), mutable i32 globals."""

    pages: int
    globals: tuple[int, ...]  # their first values
    functions: list[Body] = field(default_factory=list)
    exports: dict[str, int] = field(default_factory=dict)
    data: list[tuple[int, bytes]] = field(default_factory=list)

    def encoded(self) -> bytes:
        types: dict[Signature, int] = {((I32,), ()): 0}  # the type of the tag
        numbers = [types.setdefault(f.signature, len(types)) for f in self.functions]
        size = unsigned(self.pages)
        exports = [_name("memory") + b"\x02\x00"]
        exports += [_name(name) + b"\x00" + unsigned(number) for name, number in self.exports.items()]
        constants = (bytes((I32, 1, 0x41)) + signed(value) + bytes((_END,)) for value in self.globals)
        segments = (
            b"\x00\x41" + signed(at) + bytes((_END,)) + unsigned(len(part)) + part for at, part in self.data
        )
        return b"".join(
            (
                b"\x00asm\x01\x00\x00\x00",
                _section(_TYPE, map(_type, types)),
                _section(_FUNCTION, map(unsigned, numbers)),
                _section(_MEMORY, (b"\x01" + size + size,)),
                _section(_TAG, (b"\x00\x00",)),
                _section(_GLOBAL, constants),
                _section(_EXPORT, exports),
                _section(_CODE, (f.encoded() for f in self.functions)),
                _section(_DATA, segments),
            )
        )


def _type(signature: Signature) -> bytes:
    parameters, results = signature
    return b"\x60" + _sized(bytes(parameters)) + _sized(bytes(results))


def _name(text: str) -> bytes:
    return _sized(text.encode())


def _sized(data: bytes) -> bytes:
    return unsigned(len(data)) + data


def _vector(items: Iterable[bytes]) -> bytes:
    parts = list(items)
    return unsigned(len(parts)) + b"".join(parts)


def _section(number: int, items: Iterable[bytes]) -> bytes:
    return bytes((number,)) + _sized(_vector(items))

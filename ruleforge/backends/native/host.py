"""Instantiate a WebAssembly module with wasmtime and give Python access to its memory and entry points."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import wasmtime
from wasmtime import _bindings as bindings

from ruleforge.backends.faults import CompilerBug, OutOfRoom, Trapped
from ruleforge.backends.native.mailbox import BEYOND, FAULT, TOO_DEEP, TOO_MANY

Export = Callable[..., int]
GUARD = 256 << 20  # addresses behind the memory: constant offsets up to this need no look at its end
_WORDS_OF_VALUE = 4  # the raw form of any value takes sixteen bytes


@cache
def engine() -> wasmtime.Engine:
    """The engine for all programs. Code compiled for one engine fits any other with the same settings."""
    config = wasmtime.Config()
    config.wasm_exceptions = True
    bindings.wasmtime_config_memory_guard_size_set(config.ptr(), GUARD)
    return wasmtime.Engine(config)


def compiled(binary: bytes) -> bytes:
    """The machine code of a module, in a form that can be cached."""
    with _room():
        return bytes(wasmtime.Module(engine(), binary).serialize())


@contextmanager
def _room() -> Iterator[None]:
    """Report a failure of wasmtime as missing room: it reserves gigabytes of addresses for each instance."""
    try:
        yield
    except (wasmtime.WasmtimeError, MemoryError) as problem:
        reason = str(problem).partition("\n")[0].strip()
        message = (
            f"the native backend finds no room here ({reason}); "
            "the address limit of the process may be too low"
        )
        raise OutOfRoom(message) from None


class Instance:
    """A running module. `words` is its whole memory as signed 32-bit words; it never moves."""

    def __init__(self, machine_code: bytes) -> None:
        with _room():
            self._store = wasmtime.Store(engine())
            module = wasmtime.Module.deserialize(engine(), machine_code)
            self._exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        memory = self._exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        self.words = memoryview(memory.get_buffer_ptr(self._store)).cast("B").cast("i")

    def export(self, name: str) -> Export:
        """An exported function of words that gives a word.

        The public way to call takes 20 µs, most of it for looking at types; this is the call beneath it.
        """
        function = self._exports[name]
        assert isinstance(function, wasmtime.Func)
        count = max(len(function.type(self._store).params), 1)
        raw = (bindings.wasmtime_val_raw_t * count)()
        values = memoryview(raw).cast("B").cast("i")
        trap = ctypes.POINTER(bindings.wasm_trap_t)()
        fixed = (self._store._context(), ctypes.byref(function._func), raw, count, ctypes.byref(trap))
        call: Any = bindings._wasmtime_func_call_unchecked

        def export(*arguments: int) -> int:
            for position, argument in enumerate(arguments):
                values[_WORDS_OF_VALUE * position] = argument
            error = call(*fixed)
            if error or trap:
                raise _broken(error, trap)
            return values[0]

        return export


def _broken(error: Any, trap: Any) -> CompilerBug:
    """Report a broken module. Faults of rules never lead here: the mailbox reports them."""
    if error:
        return CompilerBug(str(wasmtime.WasmtimeError._from_ptr(error)))
    return CompilerBug(str(wasmtime.Trap._from_ptr(ctypes.cast(trap, type(trap)))))


# Exports of an instance that raise the faults in its mailbox.


def check(instance: Instance) -> None:
    """Raise what the last call ended with."""
    fault = instance.words[FAULT]
    if fault == -1:
        return
    if fault == TOO_MANY:
        raise OutOfRoom("a list of choices is longer than the native backend has room for")
    if fault == TOO_DEEP:
        raise OutOfRoom("calls are nested deeper than the native backend has room for")
    if fault == BEYOND:
        raise CompilerBug("an array is shorter than the index written")
    raise Trapped(fault)


def checked(instance: Instance, name: str) -> Export:
    """An export that looks how each call ended."""
    export = instance.export(name)

    def checked(*arguments: int) -> int:
        result = export(*arguments)
        check(instance)
        return result

    return checked

"""The disk cache of compiled programs and code, by the content from which they were made."""

from __future__ import annotations

import copyreg
import functools
import hashlib
import importlib.util
import io
import marshal
import pickle
import sys
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from types import CodeType
from typing import Any, TypeVar

from ruleforge.backends.artifacts.setup import Setup
from ruleforge.compiler import ir
from ruleforge.compiler.ir import Program
from ruleforge.compiler.questions import QuestioningProgram
from ruleforge.lang.checker.typed import Checked
from ruleforge.support.diagnostics import Span
from ruleforge.support.disk_cache import DiskCache
from ruleforge.support.resources import grammar_file

GENERATOR = 2  # raise it when the same rules give another program or other Python code
T = TypeVar("T")
# where the parts of a program are defined, and of what can be asked
_PARTS = ("ruleforge.compiler.ir", "ruleforge.compiler.questions", "ruleforge.support.diagnostics.diagnostic")
STAGES = ("lang", "analysis", "compiler")


def key(sources: Iterable[bytes], options: object, version: str) -> str:
    """The cache key of a product of these sources and options.

    `options` must have a stable `repr`; `version` is RuleForge's own.
    """
    digest = hashlib.sha256()
    # The magic number of Python is part of the key, for marshalled code fits one version of Python only.
    for part in (version, str(GENERATOR), importlib.util.MAGIC_NUMBER.hex(), repr(options)):
        digest.update(part.encode() + b"\0")
    for source in sources:
        digest.update(hashlib.sha256(source).digest())
    return digest.hexdigest()


def identity(program: Program) -> bytes:
    """Bytes that differ between any two different programs.

    For most programs they are the key of their sources.
    """
    return (program.identity or repr(program)).encode()


@functools.cache
def makers(packages: tuple[str, ...]) -> bytes:
    """A digest of a code generator itself, so that another one never meets the code of this one."""
    digest = hashlib.sha256()
    for package in packages:
        for file in sorted(resources.files(package).iterdir(), key=lambda f: f.name):
            if file.name.endswith(".py"):
                digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.digest()


class Cache:
    """The cache entries of one key. `python_source.compile` takes its `code` as `cache`."""

    def __init__(self, key: str, at: Path | None = None) -> None:
        self.key = key
        self._disk = DiskCache(at)

    def program(self, make: Callable[[], Program]) -> Program:
        """The program, from the cache or compiled now."""
        return self._parts("program", Program, make)

    def questioning(self, make: Callable[[], QuestioningProgram]) -> QuestioningProgram:
        """The why-not program, from the cache or compiled now."""
        return self._parts("questioning", QuestioningProgram, make)

    def _parts(self, name: str, kind: type[T], make: Callable[[], T]) -> T:
        def read(data: bytes) -> T:
            thing = _Programs(io.BytesIO(data)).load()
            if not isinstance(thing, kind):
                raise ValueError(f"not {kind}")
            return thing

        return self._cached(name, read, _dumped, make)

    def code(self, variant: str, make: Callable[[], CodeType]) -> CodeType:
        """The code of one variant, from the cache or compiled now."""

        def read(data: bytes) -> CodeType:
            code = marshal.loads(data)
            if not isinstance(code, CodeType):
                raise ValueError("not code")
            return code

        return self._cached(variant, read, marshal.dumps, make)

    def machine_code(self, variant: str, make: Callable[[], bytes]) -> bytes:
        """The machine code of one variant, from the cache or compiled now."""
        return self._cached(variant, bytes, bytes, make)

    def _cached(
        self, name: str, read: Callable[[bytes], T], dump: Callable[[T], bytes], make: Callable[[], T]
    ) -> T:
        file = f"{self.key}.{name}"
        data = self._disk.read(file)
        if data is not None:
            try:
                return read(data)
            except Exception:  # an old file can cause any error: make it anew
                pass
        thing = make()
        if self._disk.folder is not None:
            self._disk.write(file, dump(thing))
        return thing


def _dumped(program: object) -> bytes:
    """Pickle an object in half the time of `pickle.dumps`, with prepared reducers for parts of programs."""
    file = io.BytesIO()
    pickler = pickle.Pickler(file, protocol=5)
    pickler.dispatch_table = _reducers()
    pickler.dump(program)
    return file.getvalue()


@functools.cache
def _reducers() -> dict[type, Callable[[Any], Any]]:
    """The reducer of each type of parts with slots, as dataclasses define it."""
    parts = [
        c for c in vars(ir).values() if isinstance(c, type) and is_dataclass(c) and "__slots__" in vars(c)
    ]
    return {part: _reducer(part) for part in parts}


def _reducer(part: Any) -> Callable[[Any], Any]:
    # Each slot has a descriptor; to keep its `__get__` saves the search for it in every object.
    slots = [getattr(part, field.name).__get__ for field in fields(part)]
    return lambda thing: (copyreg.__newobj__, (part,), [read(thing) for read in slots])  # type: ignore[attr-defined]


class _Programs(pickle.Unpickler):
    """An unpickler that accepts only the plain parts of programs, so that a cache file cannot run code."""

    def find_class(self, module: str, name: str, /) -> Any:
        # A cache file may be forged. Plain dataclasses have no code that runs when they are read.
        known = any(module == part or module.startswith(part + ".") for part in _PARTS)
        found = getattr(sys.modules.get(module), name, None) if known else None
        plain = isinstance(found, type) and (is_dataclass(found) or found is Span)
        if not plain or found.__module__ != module:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a program")
        return found


# Programs kept between runs, under a name made of the rules, the setup and all that makes programs.


def cached_program(
    checked: Checked, setup: Setup, make: Callable[[], Program], measures: tuple[str, ...] = ()
) -> Program:
    """The program of a setup, with measures if given, from the cache or compiled now."""
    name = _program_key(checked, setup, measures)
    return Cache(name).program(lambda: replace(make(), identity=name))


def cached_questioning(
    checked: Checked, setup: Setup, make: Callable[[], QuestioningProgram]
) -> QuestioningProgram:
    """The query program of a setup, from the cache or compiled now."""
    return Cache(_program_key(checked, setup)).questioning(make)


def _program_key(checked: Checked, setup: Setup, measures: tuple[str, ...] = ()) -> str:
    granted = (checked.ceilings, sorted(checked.limits.items()))
    made_of = (
        checked.files,
        granted,
        setup,
        (checked.gate.name, checked.gate.places) if checked.gate else "",
        *measures,
    )
    return key((checked.digest.encode(), _stages()), made_of, "")


@cache
def _stages() -> bytes:
    """A digest of all that makes programs, so that others never meet the programs of these."""
    digest = hashlib.sha256(grammar_file().read_bytes())
    package = Path(__file__).parents[1]
    for stage in STAGES:
        for file in sorted((package / stage).rglob("*.py")):
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.digest()

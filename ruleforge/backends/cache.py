"""Compiled things kept between runs in the user's cache folder, found by the content they were made from.

A damaged or foreign file is ignored, a folder that cannot be written means no cache; nothing here ever fails.
All of it is code: they are never read from a ruleset's folder.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import marshal
import os
import pickle
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import resources
from pathlib import Path
from types import CodeType
from typing import TypeVar

from ruleforge.cache_folder import cache_folder
from ruleforge.compiler.ir import Program

GENERATOR = 2  # raise it when the same rules give another program or other Python code
_CODE, _PROGRAM, _MACHINE = b"RFC1", b"RFP1", b"RFM1"
KEPT_DAYS = 30
T = TypeVar("T")


def key(sources: Iterable[bytes], options: object, version: str) -> str:
    """The name under which something made from these sources and options is kept.

    `options` must have a stable `repr`; `version` is RuleForge's own.
    """
    digest = hashlib.sha256()
    for part in (version, str(GENERATOR), importlib.util.MAGIC_NUMBER.hex(), repr(options)):
        digest.update(part.encode() + b"\0")
    for source in sources:
        digest.update(hashlib.sha256(source).digest())
    return digest.hexdigest()


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
    """Compiled things of one key. Its `code` is what `python_source.compile` takes as `cache`."""

    def __init__(self, key: str, at: Path | None = None) -> None:
        self.key = key
        self.folder = at if at is not None else cache_folder()

    def program(self, make: Callable[[], Program]) -> Program:
        """The program, compiled only if it is not there."""

        def read(data: bytes) -> Program:
            program = pickle.loads(data)
            if not isinstance(program, Program):
                raise ValueError("not a program")
            return program

        return self._kept("program", _PROGRAM, read, lambda p: pickle.dumps(p, protocol=5), make)

    def code(self, variant: str, make: Callable[[], CodeType]) -> CodeType:
        """The code of one variant, compiled only if it is not there."""

        def read(data: bytes) -> CodeType:
            code = marshal.loads(data)
            if not isinstance(code, CodeType):
                raise ValueError("not code")
            return code

        return self._kept(variant, _CODE, read, marshal.dumps, make)

    def machine_code(self, variant: str, make: Callable[[], bytes]) -> bytes:
        """The machine code of one variant, compiled only if it is not there."""
        return self._kept(variant, _MACHINE, bytes, bytes, make)

    def _kept(
        self,
        name: str,
        mark: bytes,
        read: Callable[[bytes], T],
        dump: Callable[[T], bytes],
        make: Callable[[], T],
    ) -> T:
        if self.folder is None:
            return make()
        path = self.folder / self.key[:2] / f"{self.key}.{name}"
        data = _read(path, mark)
        if data is not None:
            try:
                return read(data)
            except Exception:  # whatever a damaged file may lead to: make it anew
                pass
        thing = make()
        _write(path, mark, dump(thing))
        return thing


def _read(path: Path, mark: bytes) -> bytes | None:
    """The content, if the file is whole: a mark, the digest of the rest, the rest."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    head = len(mark) + 32
    if data[: len(mark)] != mark or hashlib.sha256(data[head:]).digest() != data[len(mark) : head]:
        return None
    return data[head:]


def _write(path: Path, mark: bytes, data: bytes) -> None:
    """Never half: a file of another name takes its place when it is complete."""
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(mark + hashlib.sha256(data).digest() + data)
        os.replace(temporary, path)
        _tidy(path.parent)
    except OSError:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)


def _tidy(folder: Path) -> None:
    """Files of long ago go: rules and generators change, and nobody asks for them again."""
    oldest = time.time() - KEPT_DAYS * 86400
    for file in folder.iterdir():
        with suppress(OSError):
            if file.stat().st_mtime < oldest:
                file.unlink()

"""A digest of this RuleForge, which separates cache entries of different versions.

A file is unchanged if its time and size are unchanged. Python itself uses this rule for compiled modules.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.util import find_spec

from ruleforge.support.resources import data_root

_LIBRARIES = ("jsonschema", "lark", "yaml")  # whose words and judgements come through in what we say
_DATA = ("grammar", "schemas")


@cache
def build_digest() -> str:
    """A digest that changes with this package, its grammar and schemas, the libraries, or Python."""
    root = data_root()
    folders = (os.path.dirname(os.path.dirname(__file__)), *(os.fspath(root / name) for name in _DATA))
    digest = sha256(sys.version.encode())
    for folder in folders:
        for line in sorted(_files(folder)):
            digest.update(line.encode("utf-8", "surrogatepass"))
    for library in _LIBRARIES:
        digest.update(state_of(library).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def state_of(library: str) -> str:
    """A text that changes with a library, without importing it."""
    spec = find_spec(library)
    return _line(spec.origin, os.stat(spec.origin)) if spec is not None and spec.origin else ""


def _files(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name not in ("__pycache__", "_data"):
                    yield from _files(entry.path)
            elif entry.name.endswith((".py", ".json", ".lark")):
                yield _line(entry.path, entry.stat())


def _line(path: str, status: os.stat_result) -> str:
    return f"{path} {status.st_mtime_ns} {status.st_size}\n"

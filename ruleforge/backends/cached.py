"""Generated Python whose code is kept in the user's cache folder, by content."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources

from ruleforge.backends import cache as store
from ruleforge.backends import python_source
from ruleforge.backends.api import Choices
from ruleforge.backends.python_source import GeneratedPython
from ruleforge.compiler.ir import Program

_MAKERS = (
    "ruleforge.backends.python_source",
    "ruleforge.compiler",
    "ruleforge.compiler.ir",
)  # whose sources decide what code comes out


def compile(program: Program, choices: Choices | None = None) -> GeneratedPython:
    """As `python_source.compile`; nothing is emitted and compiled that was before."""
    key = store.key((repr(program).encode(), _makers()), choices is not None, "")
    return python_source.compile(program, choices, store.Cache(key).code)


@cache
def _makers() -> bytes:
    """A digest of the code generator itself, so that another one never meets the code of this one."""
    digest = hashlib.sha256()
    for package in _MAKERS:
        for file in sorted(resources.files(package).iterdir(), key=lambda f: f.name):
            if file.name.endswith(".py"):
                digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.digest()

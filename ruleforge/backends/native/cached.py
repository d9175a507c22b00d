"""Native code in the user's disk cache, by content."""

from __future__ import annotations

from importlib.metadata import version

from ruleforge.backends import cache as store
from ruleforge.backends import native
from ruleforge.backends.api import Choices
from ruleforge.backends.native.runtime import Native
from ruleforge.compiler.ir import Program

_MAKERS = (
    "ruleforge.backends",
    "ruleforge.backends.native",
    "ruleforge.backends.native.library",
    "ruleforge.compiler",
    "ruleforge.compiler.ir",
)  # whose sources decide what code comes out


def compile(program: Program, choices: Choices | None = None) -> Native:
    """Like `native.compile`, with code from the cache."""
    key = store.key((store.identity(program), store.makers(_MAKERS)), version("wasmtime"), "")
    return native.compile(program, choices, store.Cache(key).machine_code)

"""The native backend: it compiles the IR to WebAssembly and machine code (wasmtime), for many games and for
search.

wasmtime is an extra. Without it everything else works, and `missing` names the extra to install.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ruleforge.backends.api import Choices
from ruleforge.compiler.ir import Program

if TYPE_CHECKING:
    from ruleforge.backends.native.runtime import Native

CodeCache = Callable[[str, Callable[[], bytes]], bytes]  # (variant, how to compile it) -> machine code


def missing() -> str | None:
    """The extra to install before this backend can be used. None: it is installed."""
    return None if find_spec("wasmtime") is not None else "ruleforge[native]"


def compile(program: Program, choices: Choices | None = None, cache: CodeCache | None = None) -> Native:
    """A program ready to run."""
    from ruleforge.backends.native.runtime import Native  # only here is wasmtime needed

    return Native(program, choices, cache)

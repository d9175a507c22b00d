"""Generated Python with its code in the user's disk cache, by content."""

from __future__ import annotations

from ruleforge.backends import cache as store
from ruleforge.backends import python_source
from ruleforge.backends.api import Choices
from ruleforge.backends.python_source import GeneratedPython
from ruleforge.backends.python_source.runtime import Machine
from ruleforge.compiler.ir import Program

_MAKERS = (
    "ruleforge.backends.python_source",
    "ruleforge.compiler",
    "ruleforge.compiler.ir",
)  # whose sources decide what code comes out


def compile(
    program: Program, choices: Choices | None = None, machine: Machine | None = None
) -> GeneratedPython:
    """Like `python_source.compile`, with code from the cache."""
    key = store.key((store.identity(program), store.makers(_MAKERS)), choices is not None, "")
    return python_source.compile(program, choices, store.Cache(key).code, machine)

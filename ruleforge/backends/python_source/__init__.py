"""The default backend: it compiles the IR to Python source and functions."""

from ruleforge.backends.python_source.runtime import GeneratedPython
from ruleforge.backends.python_source.runtime import compile_program as compile

__all__ = ["GeneratedPython", "compile"]

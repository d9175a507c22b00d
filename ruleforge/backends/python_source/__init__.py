"""IR -> Python source -> functions: the backend people run."""

from ruleforge.backends.python_source.runtime import GeneratedPython
from ruleforge.backends.python_source.runtime import compile_program as compile

__all__ = ["GeneratedPython", "compile"]

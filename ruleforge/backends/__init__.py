"""Program -> something that runs it: a plain interpreter, and generated Python; both give the same rows."""

from ruleforge.backends.api import Backend, Row, Runtime
from ruleforge.backends.faults import CompilerBug, Trapped

__all__ = ["Backend", "CompilerBug", "Row", "Runtime", "Trapped"]

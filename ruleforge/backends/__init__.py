"""Program -> something that runs it: a plain interpreter, generated Python, native code; all give the same rows."""

from ruleforge.backends.api import Backend, Row, Runtime
from ruleforge.backends.faults import CompilerBug, OutOfRoom, Trapped

__all__ = ["Backend", "CompilerBug", "OutOfRoom", "Row", "Runtime", "Trapped"]

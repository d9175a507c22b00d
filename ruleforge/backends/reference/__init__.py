"""The plain interpreter of the intermediate form: the oracle for tests of other backends.

It checks slots, ranges and unset locals, and raises CompilerBug. `trace` is the same interpreter with
observers.
"""

from ruleforge.backends.reference.interpreter import Interpreter, compile

__all__ = ["Interpreter", "compile"]

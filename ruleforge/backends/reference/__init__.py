"""The plain interpreter of the intermediate form: the oracle other backends are tested against.

It checks whatever can be checked (slots, ranges, locals that were never set) and raises CompilerBug. `trace` is the same
interpreter with observers.
"""

from ruleforge.backends.reference.interpreter import Interpreter, compile

__all__ = ["Interpreter", "compile"]

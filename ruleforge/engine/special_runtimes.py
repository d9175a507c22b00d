"""The special runtimes of a variant, each made on first use: for expressions, measures, search and batches.

All of them run on the same row as the plain one. Most games never need them, and each costs a compilation.
"""

from __future__ import annotations

from functools import cached_property

from ruleforge.backends import registry
from ruleforge.backends.api import Lockstep, Row, Runtime, Searching, words
from ruleforge.backends.artifacts.compiled import Compiled, Questioning
from ruleforge.backends.artifacts.query_programs import Answering, Scope
from ruleforge.backends.artifacts.setup import Setup
from ruleforge.backends.playouts import Records
from ruleforge.backends.vector_env import Stepwise, Terms, VectorEnv
from ruleforge.compiler.ir import Program
from ruleforge.compiler.observation_program import observing
from ruleforge.engine.errors import ExpressionError

MOST_ANSWERS = 100  # texts that are kept ready


class SpecialRuntimes:
    """Made once for each variant: `variant.special`."""

    def __init__(self, compiled: Compiled, setup: Setup, program: Program, plain: Runtime) -> None:
        self._compiled, self._setup, self._program, self._plain = compiled, setup, program, plain
        self._answering: dict[object, Answering] = {}  # for the latest texts, with their locals
        self._measuring: dict[tuple[str, ...], Runtime] = {}

    # --- for texts ---

    def answering(self, text: str, scope: Scope | None = None) -> Answering:
        """The program that evaluates an expression; `scope` adds locals. ExpressionError for mistakes in it."""
        key = text, tuple((scope or {}).items())
        known = self._answering.get(key)
        if known is None:
            found = self._compiled.answering(self._setup, text, scope)
            if not isinstance(found, Answering):
                raise ExpressionError(found)
            known = self._answering[key] = found
            if len(self._answering) > MOST_ANSWERS:
                del self._answering[next(iter(self._answering))]
        return known

    @property
    def questioning(self) -> Questioning:
        """The program that `why_not` queries."""
        return self._compiled.questioning(self._setup)

    def measuring(self, texts: tuple[str, ...]) -> Runtime:
        """The runtime that plays many games and measures these texts."""
        if not texts:
            return self._plain
        known = self._measuring.get(texts)
        if known is None:
            found = self._compiled.measuring(self._setup, texts)
            if isinstance(found, tuple):
                raise ExpressionError(found)
            known = self._measuring[texts] = found
        return known

    # --- for many games ---

    @cached_property
    def searching(self) -> Searching | None:
        """The runtime that searches in machine code, if it is installed."""
        return self._plain if isinstance(self._plain, Searching) else registry.searching(self._program)

    def drop_search(self) -> None:
        """Compile what searches anew: a fault has left the present one in the middle of something."""
        del self.searching

    def vector_env(self, terms: Terms) -> VectorEnv:
        """Games that advance together: in machine code, unless another backend was wanted."""
        program = observing(self._program)
        native = self.searching if self._compiled.backend in ("auto", "native") else None
        return (
            native.vector_env(program, terms)
            if isinstance(native, Lockstep)
            else Stepwise(self._plain, program, terms)
        )

    def observed(self, row: Row, viewer: int) -> Records:
        """The observation of a player at a row, in numbers; `Batch.observed` names them."""
        return self._observer.observed_row(words(row, self._program), viewer)

    @cached_property
    def _observer(self) -> VectorEnv:
        return self.vector_env(Terms(1, 0, 1, True))

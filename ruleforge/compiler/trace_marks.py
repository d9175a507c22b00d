"""Marks for values that observers watch while rules run: conditions, formulas and modifiers, by place in the
rules.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FLAG
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

CONDITION, FORMULA, MODIFIER = "condition", "formula", "modifier"


@dataclass(frozen=True)
class Marks:
    """The marked places.

    A marked value passes through a function of its own, whose name identifies the mark.
    """

    conditions: frozenset[Span] = frozenset()
    formulas: frozenset[Span] = frozenset()  # where their bodies are written
    modifiers: frozenset[Span] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.conditions or self.formulas or self.modifiers)

    def of(self, node: t.Expr) -> Iterator[str]:
        """The marks of an expression. The parts of a condition are marked, not the whole."""
        if node.span in self.conditions and node.type == FLAG and not isinstance(node, t.Logic | t.Not):
            yield CONDITION
        if node.span in self.formulas:
            yield FORMULA

    def name(self, kind: str, span: Span, fixed: int | None = None) -> str:
        """The name of the function for a mark. It includes the value if it is `fixed` at set-up."""
        word = "seen" if fixed is None else f"fixed={int(bool(fixed))}"
        return f"{word} {kind} {span}-{span.end_line}:{span.end_column}"


NO_MARKS = Marks()


@dataclass(frozen=True, slots=True)
class Shown:
    """The mark of a function of a marked program. `fixed` is the value that was known before play."""

    kind: str
    fixed: bool | None


def shown_by(function: str) -> Shown | None:
    """The mark of a function. None for other functions."""
    word, _, rest = function.partition(" ")
    if word not in _WORDS:
        return None
    return Shown(rest.partition(" ")[0], _WORDS[word])


_WORDS = {"seen": None, "fixed=0": False, "fixed=1": True}

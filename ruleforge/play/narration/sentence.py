"""One sentence of what happened, with what it rests on."""

from __future__ import annotations

from ruleforge.support.diagnostics import NOWHERE, Span
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words for people; `depth` is how far inside of something else it happened, `who` the player who acted."""

    text: str
    depth: int = 0
    who: str = ""
    clauses: tuple[str, ...] = ()
    span: Span = NOWHERE
    pack: str = ""

    def __str__(self) -> str:
        return f"{'  ' * self.depth}{self.text}"

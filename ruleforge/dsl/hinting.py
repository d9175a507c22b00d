"""The table of hints: what recognises a mistake, and examples that provoke it."""

from __future__ import annotations

from collections.abc import Callable

from ruleforge.dsl.problem import Problem
from ruleforge.dsl.trouble import Trouble
from ruleforge.quick import dataclass

Explain = Callable[[Trouble], Problem | None]


@dataclass(frozen=True, slots=True)
class Hint:
    explain: Explain
    examples: tuple[tuple[str, str], ...]


HINTS: list[Hint] = []

# Words after which a line goes on with a colon.
BLOCK_WORDS = frozenset(
    {"IF", "ELIF", "ELSE", "FOR", "REPEAT", "EACH", "TOGETHER", "CHOOSES", "CHOOSE", "PICKS"}
)


def hint(*examples: tuple[str, str]) -> Callable[[Explain], Explain]:
    """Adds a hint to the table; examples are pairs of a start symbol and a text."""

    def add(explain: Explain) -> Explain:
        HINTS.append(Hint(explain, examples))
        return explain

    return add

"""Tables of hints: a function that recognises a mistake, and examples that provoke it."""

from __future__ import annotations

from collections.abc import Callable

from ruleforge.lang.parser.parse_failure import Trouble
from ruleforge.lang.parser.syntax_problem import Problem
from ruleforge.support.records import dataclass

Explain = Callable[[Trouble], Problem | None]
Example = tuple[str, str]  # a start symbol and a text


@dataclass(frozen=True, slots=True)
class Hint:
    explain: Explain
    examples: tuple[Example, ...]


# Words after which a line goes on with a colon.
BLOCK_WORDS = frozenset(
    {"IF", "ELIF", "ELSE", "FOR", "REPEAT", "EACH", "TOGETHER", "CHOOSES", "CHOOSE", "PICKS"}
)
# Words that begin a statement.
STATEMENT_WORDS = (
    *("let", "move", "shuffle", "finish", "return", "leave", "skip", "pay", "proceed", "remove", "show"),
    *("offer", "if", "for", "repeat", "each", "together"),
)


def table() -> tuple[list[Hint], Callable[..., Callable[[Explain], Explain]]]:
    """The hints of a module, in the order in which they are asked, and the mark that adds one to them."""
    found: list[Hint] = []

    def hint(*examples: Example) -> Callable[[Explain], Explain]:
        def add(explain: Explain) -> Explain:
            found.append(Hint(explain, examples))
            return explain

        return add

    return found, hint

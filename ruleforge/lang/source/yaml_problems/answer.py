"""The message of the YAML parser, and the answer for the author."""

from __future__ import annotations

import re
from collections.abc import Callable

from ruleforge.lang.source.repairs import Change
from ruleforge.support.records import dataclass

QUOTE_OR_BLOCK = "put the text in quotes, or under `|` on lines of its own"
KEY = re.compile(r"\s*(?:- )*(?P<key>[\w.]+)\Z")
KEY_AND_VALUE = re.compile(r"\s*(?:- )*[\w.\"\[\]]+:(\s|\Z)")


@dataclass(frozen=True, slots=True)
class ParserMessage:
    """The message of the parser, and its two places as (line, column) from 0."""

    message: str
    at: tuple[int, int]
    began: tuple[int, int] | None
    lines: list[str]

    @property
    def line(self) -> str:
        return self.line_at(self.at[0])

    @property
    def sign(self) -> str:
        return self.line[self.at[1] : self.at[1] + 1]

    @property
    def before(self) -> str:
        """The text of the line before the place."""
        return self.line[: self.at[1]]

    def line_at(self, row: int) -> str:
        return self.lines[row] if 0 <= row < len(self.lines) else ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The mistake, its place, and its fix."""

    message: str
    at: tuple[int, int]
    help: str | None
    change: Change | None = None


Explain = Callable[[ParserMessage], Answer | None]

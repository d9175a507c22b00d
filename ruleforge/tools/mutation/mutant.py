"""One small change of a rule file."""

from __future__ import annotations

from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

NUMBER, COMPARISON, NAME, KEYWORD, CLAUSE = "number", "comparison", "name", "keyword", "clause"


@dataclass(frozen=True, slots=True, order=True)
class Mutant:
    """A replacement for a range of a file. `inside` is the path of keys of its definition."""

    span: Span
    new: str
    kind: str
    inside: str = ""

    def applied(self, text: str) -> str:
        """The file with the change in it."""
        lines = text.split("\n")
        first, last = lines[self.span.line - 1], lines[self.span.end_line - 1]
        whole = first[: self.span.column - 1] + self.new + last[self.span.end_column - 1 :]
        return "\n".join([*lines[: self.span.line - 1], *_unless_empty(whole), *lines[self.span.end_line :]])

    def before(self, text: str) -> str:
        """The lines that are changed, as one line."""
        return _joined(text.split("\n")[self.span.line - 1 : self.span.end_line])

    def after(self, text: str) -> str:
        """The same after the change; empty if nothing is left of them."""
        lines = text.split("\n")
        rest = len(lines) - self.span.end_line
        now = self.applied(text).split("\n")
        return _joined(now[self.span.line - 1 : len(now) - rest])


def _unless_empty(line: str) -> list[str]:
    """The line, unless it is empty now: then its end goes as well."""
    return [line] if line.strip() else []


def _joined(lines: list[str]) -> str:
    return " ".join(part for line in lines if (part := " ".join(line.split())))

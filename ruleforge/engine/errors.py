"""The errors of play: each refusal has a code and reasons, and leaves everything unchanged."""

from __future__ import annotations

from ruleforge.backends.faults import PlayError, StartError
from ruleforge.support.diagnostics import Diagnostic, Span
from ruleforge.support.records import dataclass

__all__ = [
    "ExpressionError",
    "IllegalChoice",
    "PathError",
    "PlayError",
    "Reason",
    "RestoreError",
    "RulesetError",
    "StartError",
]


MOST_CITED = 2  # clauses beside a player's sentence


@dataclass(frozen=True, slots=True)
class Reason:
    """One cause of a refusal: what failed, with which values, and the rule's place, clauses and pack (its title).

    `message` is for authors; `plain` says it to players, with names in place of ids, where that is another thing.
    """

    code: str
    message: str
    span: Span | None = None
    clauses: tuple[str, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    help: str | None = None
    pack: str = ""
    plain: str = ""

    @property
    def words(self) -> str:
        """For players: one sentence, with its clauses."""
        text = self.plain or self.message.replace("`", "")
        text += f" ({', '.join(self.clauses[:MOST_CITED])})" if self.clauses else ""
        first = text.split(" ", 1)[0]
        named = any(sign.isdigit() or sign == "_" for sign in first)  # an id stays as it is
        return f"{text if named else text[:1].upper() + text[1:]}."

    def __str__(self) -> str:
        text = self.message
        if self.values:
            text += f" ({', '.join(f'{name} is {value}' for name, value in self.values)})"
        if self.clauses:
            text += f" [{', '.join(self.clauses)}]"
        if self.span is not None:
            text += f" at {self.span}"
        if self.pack:
            text += f" ({self.pack})"
        if self.help:
            text += f"; {self.help}"
        return text


class IllegalChoice(PlayError):
    """The choice is not possible now. The state does not change."""

    def __init__(self, reasons: tuple[Reason, ...]) -> None:
        super().__init__(reasons[0].code, str(reasons[0]))
        self.reasons = reasons


class RestoreError(PlayError):
    """The game cannot read this saved text."""


class PathError(PlayError):
    """A path is unknown, or a value does not fit it. `path` is that path if several were given."""

    path: str = ""


class ExpressionError(PathError):
    """The text is not an expression of the language, or it does not fit the rules. `diagnostics` point into the text."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        first = diagnostics[0]
        super().__init__(first.code, f"{first.span.line}:{first.span.column}: {first.message}")
        self.diagnostics = diagnostics


class RulesetError(Exception):
    """The ruleset cannot be loaded. `diagnostics` has all mistakes."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        first = diagnostics[0] if diagnostics else None
        more = f" (and {len(diagnostics) - 1} more)" if len(diagnostics) > 1 else ""
        super().__init__(f"{first.span}: {first.message} [{first.code}]{more}" if first else "not a ruleset")

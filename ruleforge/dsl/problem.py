"""A mistake in an effect text, on its way to the report."""

from __future__ import annotations

from ruleforge.diagnostics import Span


class Problem(Exception):
    """Raised inside the dsl stage only: the first mistake ends the reading of its text."""

    def __init__(
        self,
        code: str,
        message: str,
        span: Span,
        help: str | None = None,
        notes: tuple[tuple[str, Span], ...] = (),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span
        self.help = help
        self.notes = notes

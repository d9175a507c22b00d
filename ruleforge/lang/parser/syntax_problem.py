"""A mistake in an effect text, on its way to the report."""

from __future__ import annotations

from ruleforge.support.diagnostics import Edit, Fix, Span


class Problem(Exception):
    """Raised inside the dsl stage only: the first mistake ends the reading of its text.

    `instead` is what to write in the place of all that `span` covers, or `over`, where that is sure to be meant.
    """

    def __init__(
        self,
        code: str,
        message: str,
        span: Span,
        help: str | None = None,
        notes: tuple[tuple[str, Span], ...] = (),
        instead: str | None = None,
        over: Span | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span
        self.help = help
        self.notes = notes
        self.fix: Fix = () if instead is None else (Edit(over or span, instead),)

"""One complaint about a rule file, and the collector every stage adds to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Literal

from ruleforge.support.diagnostics.codes import CODES
from ruleforge.support.diagnostics.fix import Fix
from ruleforge.support.diagnostics.span import Span
from ruleforge.support.records import dataclass

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """What is wrong, where, and what would mend it, in the author's words."""

    code: str
    message: str
    span: Span
    help: str | None = None
    notes: tuple[tuple[str, Span], ...] = ()
    fix: Fix = ()  # what the help says, as edits; none where it takes an author to know

    @property
    def severity(self) -> Severity:
        return CODES[self.code].severity


@dataclass
class Report:
    """An append-only list of diagnostics; the same complaint at the same place is kept once, with the latest edit."""

    _items: dict[tuple[str, Span, str], Diagnostic] = field(default_factory=dict)

    def add(
        self,
        code: str,
        message: str,
        span: Span,
        help: str | None = None,
        notes: tuple[tuple[str, Span], ...] = (),
        fix: Fix = (),
    ) -> None:
        self.include(Diagnostic(code, message, span, help, notes, fix))

    def include(self, *diagnostics: Diagnostic) -> None:
        """Take over complaints that were made elsewhere."""
        for d in diagnostics:
            if self._items.setdefault((d.code, d.span, d.message), d) is not d and d.fix:
                self._items[d.code, d.span, d.message] = d

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return tuple(sorted(self._items.values(), key=lambda d: (d.span, d.code)))

    @property
    def has_errors(self) -> bool:
        return any(d.severity == "error" for d in self._items.values())

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.diagnostics)

"""Names that nothing has, collected while files are looked at -> one complaint for each, at its first use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field

from ruleforge.diagnostics import Edit, Report, Span
from ruleforge.names import nearest, once_more
from ruleforge.quick import dataclass


@dataclass(frozen=True, slots=True)
class _Use:
    code: str
    message: str
    span: Span
    meant: str | None


@dataclass
class Unknown:
    """`excused` are names that a mistake told elsewhere explains; with `anything` nothing is known of what was lost.

    Of rules that are not `whole`, what an expression would give cannot be said.
    """

    report: Report
    excused: Callable[[str], bool]
    anything: bool = False
    whole: bool = True
    _uses: dict[tuple[str, str], list[_Use]] = field(default_factory=dict)

    def name(self, what: tuple[str, str], message: str, code: str, span: Span, known: Iterable[str]) -> None:
        """`what` is the sort of name and the name; names of one sort that are equal are one mistake."""
        name = what[1]
        if self.excused(name):
            return
        uses = self._uses.setdefault(what, [])
        uses.append(_Use(code, message, span, uses[0].meant if uses else nearest(name, known)))

    def tell(self) -> None:
        for (_, name), uses in self._uses.items():
            first, *others = sorted(uses, key=lambda use: use.span)
            notes = ((once_more(len(others)), others[0].span),) if others else ()
            help = f"did you mean `{first.meant}`?" if first.meant else None
            fix = tuple(Edit(use.span, first.meant, name) for use in uses) if first.meant else ()
            self.report.add(first.code, first.message, first.span, help, notes, fix)
        self._uses.clear()

"""Collects unknown names and reports each once, at its first use.

Many unknown names of one sort are rarely misspelt. They have one cause and get one diagnostic.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import field

from ruleforge.support.diagnostics import Edit, Report, Span
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import listed, nearest, once_more

MANY = 12
_COPY = re.compile(r"_[0-9]+\Z")
MOST_NAMED = 4


@dataclass(frozen=True, slots=True)
class _Use:
    name: str
    code: str
    message: str
    span: Span
    meant: str | None


@dataclass
class Unknown:
    """Unknown names. `excused` have their cause elsewhere; with `anything` the lost names are not known.

    If the rules are not `whole`, the type of an expression may be unknown.
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
        what = (what[0], _COPY.sub("", name))  # all copies of a thing are lost with it
        uses = self._uses.setdefault(what, [])
        same = next((use for use in uses if use.name == name), None)
        uses.append(_Use(name, code, message, span, same.meant if same else nearest(name, known)))

    def tell(self) -> None:
        lost: dict[tuple[str, str], list[str]] = {}
        for (sort, name), uses in self._uses.items():
            lost.setdefault((sort, uses[0].code), []).append(name)
        many = {key: names for key, names in lost.items() if len(names) > MANY}
        for (sort, _), uses in self._uses.items():
            if (sort, uses[0].code) not in many:
                self._tell_one(uses)
        for (sort, _), names in many.items():
            self._tell_many([use for name in names for use in self._uses[sort, name]], names)
        self._uses.clear()

    def _tell_one(self, uses: list[_Use]) -> None:
        first, *others = sorted(uses, key=lambda use: use.span)
        notes = ((once_more(len(others)), others[0].span),) if others else ()
        help = f"did you mean `{first.meant}`?" if first.meant else None
        fix = tuple(Edit(use.span, use.meant, use.name) for use in uses if use.meant) if first.meant else ()
        self.report.add(first.code, first.message, first.span, help, notes, fix)

    def _tell_many(self, uses: list[_Use], names: list[str]) -> None:
        first, *others = sorted(uses, key=lambda use: use.span)
        second = next(use for use in others if use.message != first.message)
        message = f"{first.message}; {len(names) - 1} more such names are missing, too"
        help = f"was a name removed or changed? missing are {listed(names[:MOST_NAMED], 'and')}, and others"
        self.report.add(first.code, message, first.span, help, (("the next of them", second.span),))

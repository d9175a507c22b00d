"""Error nodes: names that an unreadable part may have declared, and definitions that lack a part because of it.

A stage that cannot read a part reports it once and leaves an error node. Later stages go on without that part and
report nothing that it may have caused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

NAMING_KEYS = ("phase", "plural")  # their values are names; elsewhere names are keys, or items of lists
_KEY = re.compile(r"([A-Za-z_]\w*)(?:\([^()\n]*\))?['\"]?\s*:")  # perhaps with what it takes behind it
_ITEM = re.compile(r"(?:[\[,]|^\s*-)\s*([A-Za-z_]\w*)\s*(?=[,\]]|$)", re.MULTILINE)
_NAMED = re.compile(rf"\b(?:{'|'.join(NAMING_KEYS)})\s*:\s*([A-Za-z_]\w*)")
_COPY = re.compile(r"_[0-9]+\Z")


@dataclass(frozen=True, slots=True)
class ErrorNodes:
    """The error nodes of one file or of a whole game.

    `damaged` has the starts of the keys directly around an error node (for definitions, the starts of their
    names). `misnamed` are reported words that cannot be names. `sections` are those with lost entries. With
    `anything`, the lost content is unknown.
    """

    words: frozenset[str] = frozenset()
    damaged: frozenset[Span] = frozenset()
    misnamed: frozenset[str] = frozenset()
    anything: bool = False
    sections: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.words or self.damaged or self.misnamed or self.anything)

    def __or__(self, other: ErrorNodes) -> ErrorNodes:
        return ErrorNodes(
            self.words | other.words,
            self.damaged | other.damaged,
            self.misnamed | other.misnamed,
            self.anything or other.anything,
            self.sections | other.sections,
        )

    def damage(self, key: Span) -> bool:
        """Is an error node directly below this key?"""
        return start_of(key) in self.damaged

    def may_hold(self, name: str) -> bool:
        """May an error node have declared this name, as it is, as a plural, or as one of several copies?"""
        if self.anything or name in self.words or name in self.misnamed:
            return True
        return name.removesuffix("s") in self.words or _COPY.sub("", name) in self.words


NO_ERROR_NODES = ErrorNodes()


def start_of(span: Span) -> Span:
    return Span(span.file, span.line, span.column, span.line, span.column)


def words_in(text: str) -> frozenset[str]:
    """The words that may be names which a stretch of a rule file declares."""
    return frozenset(word for form in (_KEY, _ITEM, _NAMED) for word in form.findall(text))


def joined(error_nodes: Iterable[ErrorNodes]) -> ErrorNodes:
    whole = NO_ERROR_NODES
    for some in error_nodes:
        whole |= some
    return whole

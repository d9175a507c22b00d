"""Help for words that no author declares, and short labels of types and declarations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ruleforge.frontends.lsp.symbols import Place
from ruleforge.frontends.lsp.workspace import View
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.builtins import BUILTINS, IN_CHECKS
from ruleforge.lang.checker.types import FlagT, NumberT, SetT, ThingT, Type
from ruleforge.lang.checker.vocabulary import fact_documentation, word_documentation
from ruleforge.lang.checker.walk import nodes
from ruleforge.support.diagnostics import Span

_WORD = re.compile(r"[A-Za-z_][\w-]*")


def of_word(view: View, path: Path, place: Place) -> tuple[str, Span] | None:
    """Markdown, and the stretch of the word."""
    lines = view.contents.get(path, "").split("\n")
    line = lines[place[0] - 1] if place[0] <= len(lines) else ""
    for word in _WORD.finditer(line):
        if word.start() < place[1] <= word.end() + 1:
            span = Span(str(path), place[0], word.start() + 1, place[0], word.end() + 1)
            before, after = line[: word.start()], line[word.end() :]
            found = next(_meanings(view, path, span, word[0], before[-1:], after[:1]), None)
            return (found, span) if found else None
    return None


def _meanings(view: View, path: Path, span: Span, word: str, before: str, after: str) -> Iterator[str]:
    """The likeliest first: behind a dot there is no word of the language, before a bracket a function if any."""
    checked = view.found.analysis.checked
    if after == "(" and (about := BUILTINS.get(word, (0, IN_CHECKS.get(word, "")))[1]):
        yield _markdown(f"{word}(...)", about)
    if not _is_in_effect(view, path, span) or checked is None:
        return
    if before == ".":
        yield from _facts(checked, path, span, word)
        return
    if word in checked.kinds["direction"].things if "direction" in checked.kinds else ():
        yield _markdown(word, "a direction")
    if about := word_documentation(word):
        yield _markdown(word, about)


def _markdown(head: str, about: str) -> str:
    return f"```ruleforge\n{head}\n```\n{about}"


def _is_in_effect(view: View, path: Path, span: Span) -> bool:
    parsed, place = view.found.analysis.parsed, (span.line, span.column)
    around = (text.source.span for text in (parsed.texts.values() if parsed else ()))
    return any(
        (s.line, s.column) <= place <= (s.end_line, s.end_column) and Path(s.file).absolute() == path
        for s in around
    )


def _facts(checked: t.Checked, path: Path, span: Span, word: str) -> Iterator[str]:
    """Facts that a board makes; those of authors have names that are declared."""
    reads = (node for node in nodes(checked) if isinstance(node, t.Read) and node.column.name == word)
    for column in (read.column for read in reads if _holds(read.span, path, span)):
        if about := fact_documentation(checked, column):
            yield _markdown(column_words(column), about)


def _holds(around: Span, path: Path, span: Span) -> bool:
    inside = (around.line, around.column) <= (span.line, span.column) <= (around.end_line, around.end_column)
    return inside and Path(around.file).absolute() == path


# Short labels of types and declarations for editors.


def short(type_: Type) -> str:
    """A type as an author writes it."""
    match type_:
        case NumberT(low=low, high=high):
            return f"{low}..{high}" if low != high else str(low)
        case FlagT():
            return "flag"
        case ThingT(kind=kind, optional=optional):
            return f"{kind} or none" if optional else kind
        case SetT(kind=kind):
            return f"set of {kind}"
    return str(type_)


def signature(name: str, parameters: tuple[t.Variable, ...], result: str = "") -> str:
    given = ", ".join(f"{p.name}: {short(p.type)}" for p in parameters)
    return f"{name}({given})" + (f" -> {result}" if result else "")


def column_words(column: t.Column) -> str:
    per = "".join(f" per {kind.name}" for kind in column.per)
    return f"{column.kind.name}.{column.name}: {short(column.type)}{per}"


def place_words(place: t.Place) -> str:
    of = f" of {', '.join(f'{name}: {kind.name}' for name, kind in place.of)}" if place.of else ""
    holds = f"one {place.holds.name}" if place.single else place.holds.plural
    return f"{place.name}{of} holds {holds}"

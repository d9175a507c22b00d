"""Completion at a position: keys from the schema, names from the scope of the checker."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from ruleforge.frontends.lsp.cursor_context import CursorContext, block_around, file_kind, path_at
from ruleforge.frontends.lsp.key_completion import by_position, types
from ruleforge.frontends.lsp.symbols import Place
from ruleforge.frontends.lsp.workspace import View
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.scope_completion import Form, Suggestion, names, suggestions
from ruleforge.lang.checker.sentences import known_to
from ruleforge.lang.parser.parsed import ParsedText, Start

_FORMS: Mapping[Start, Form] = {
    "block": "block",
    "expr": "expr",
    "binder": "binder",
    "picked": "picked",
    "pattern": "pattern",
}
_PLACEHOLDER = re.compile(r"\{(?:then\s+)?([^{}?]*)\Z")
_PLACEHOLDER_REST = re.compile(r"[^{}?\"']*")
_PATTERNS = ("start of", "end of", "move", "change of")


def complete(view: View, path: Path, place: Place) -> list[Suggestion]:
    """Everything that may stand at a place, each word once, the likeliest first."""
    text = view.text_of(path)
    kind = file_kind(view, path)
    here = path_at(text, place)
    if kind is None or here is None:
        return []
    found = [*_in_effect(view, path, place, text, here), *by_position(view, kind, here)]
    return list({suggestion.word: suggestion for suggestion in reversed(found)}.values())[::-1]


# --- inside the effect language ---


def _in_effect(view: View, path: Path, place: Place, text: str, here: CursorContext) -> Iterator[Suggestion]:
    checked, parsed = view.found.analysis.checked, view.found.analysis.parsed
    if checked is None or parsed is None:
        return
    lines = text.split("\n")
    if here.path[-1:] in (("tells",), ("hint",)):
        yield from _in_sentence(checked, view, path, place, lines[place[0] - 1])
        return
    block = block_around(lines, place[0] - 1)
    around = _text_at(view, path, place)
    start = around.text.start if around else None
    if start in ("type", "column"):
        yield from types(checked)
        yield from names(checked) if start == "column" else ()  # with what it begins
        return
    if start is None and block is None:
        return
    form = _FORMS.get(start, "expr") if start else "block"
    written, offset = _written(lines, place, block, view, path)
    scope = _scope(checked, view, path, place)
    if form == "pattern":
        yield from (Suggestion(word, "word") for word in _PATTERNS)
    yield from suggestions(checked, written, offset, scope, form)


def _text_at(view: View, path: Path, place: Place) -> ParsedText | None:
    """The effect text around a place; blanks behind it are to be written on."""
    parsed, name = view.found.analysis.parsed, _name(view, path)
    lines = view.contents.get(path, "").split("\n")
    line = lines[place[0] - 1] if place[0] <= len(lines) else ""
    behind = place[0], min(place[1], len(line[: place[1] - 1].rstrip(" ")) + 1)
    for text in parsed.texts.values() if parsed else ():
        span = text.source.span
        if span.file == name and (span.line, span.column) <= behind <= (span.end_line, span.end_column):
            return text
    return None


def _scope(checked: t.Checked, view: View, path: Path, place: Place) -> Mapping[str, t.Variable]:
    """The names in scope at a place; on an empty line, those in scope where its text begins."""
    found = checked.names.in_scope(_name(view, path), *place)
    text = _text_at(view, path, place)
    if found or text is None:
        return found
    for (number, column), line in zip(text.source.starts, text.source.text.split("\n"), strict=False):
        if line.strip():
            first = column + len(line) - len(line.lstrip())
            return checked.names.in_scope(_name(view, path), number, first)
    return found


def _name(view: View, path: Path) -> str:
    """How spans call a file."""
    return next((name for name in view.named_contents if Path(name).absolute() == path), str(path))


def _written(lines: list[str], place: Place, block: int | None, view: View, path: Path) -> tuple[str, int]:
    """The text around a place, and where in it the place is."""
    number, column = place[0] - 1, place[1] - 1
    if block is None:
        line, parsed = lines[number], view.found.analysis.parsed
        name = _name(view, path)
        spans = [text.source.span for text in (parsed.texts.values() if parsed else ())]
        ends = {
            s.column - 1: s.end_column - 1
            for s in spans
            if (s.file, s.line, s.end_line) == (name, *place[:1] * 2)
        }
        begin = max((first for first in ends if first <= column), default=0)
        return line[begin : max(ends.get(begin, len(line)), column)], column - begin
    indent = min(
        (len(line) - len(line.lstrip(" ")) for line in _body(lines, block) if line.strip()), default=column
    )
    body = [line[indent:] for line in _body(lines, block, number + 1)]
    row = number - block - 1
    before = "\n".join(body[:row]) + ("\n" if row else "")
    return "\n".join(body), len(before) + max(0, column - indent)


def _body(lines: list[str], block: int, least: int = 0) -> Iterator[str]:
    """The lines of a text under `|`, at least as far as a line."""
    own = len(lines[block]) - len(lines[block].lstrip(" "))
    for number in range(block + 1, len(lines)):
        line = lines[number]
        if line.strip() and len(line) - len(line.lstrip(" ")) <= own and number >= least:
            return
        yield line


def _in_sentence(checked: t.Checked, view: View, path: Path, place: Place, line: str) -> Iterator[Suggestion]:
    """In a placeholder of a log sentence or hint; the words around it are the author's own."""
    before, after = line[: place[1] - 1], line[place[1] - 1 :]
    placeholder = _PLACEHOLDER.search(before)
    if placeholder is None:
        return
    name = _name(view, path)
    scope = checked.names.in_scope(name, *place) or _log_values_at(checked, name, place)
    written = placeholder[1] + (rest[0] if (rest := _PLACEHOLDER_REST.match(after)) else "")
    yield from suggestions(checked, written, len(placeholder[1]), scope)


def _log_values_at(checked: t.Checked, name: str, place: Place) -> Mapping[str, t.Variable]:
    """The values of the nearest event or action above: a broken placeholder has no scope of its own."""
    events = ((event.span, event.parameters) for event in checked.events.values())
    actions = ((action.span, known_to(action)) for action in checked.actions.values())
    above = [
        (span, given) for span, given in (*events, *actions) if span.file == name and span.line <= place[0]
    ]
    given = max(above, key=lambda found: found[0], default=(None, ()))[1]
    return {variable.name: variable for variable in given}


def replaced(text: str, place: Place, word: str) -> int:
    """How many signs before a place a word takes the place of; one with dots or dashes all that belongs to it."""
    lines = text.split("\n")
    line = lines[place[0] - 1] if place[0] <= len(lines) else ""
    signs = r"[\w.-]*\Z" if re.search(r"[.-]", word) else r"\w*\Z"
    found = re.search(signs, line[: place[1] - 1])
    return len(found[0]) if found else 0

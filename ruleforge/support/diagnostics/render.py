"""Render diagnostics as text for people."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

from ruleforge.support.diagnostics.diagnostic import NOWHERE, Diagnostic, Span, start_of
from ruleforge.support.input_files import Unreadable, read_bytes, stamps_below
from ruleforge.support.terminal_escape import on_one_line

LineReader = Callable[[str, int], str | None]

_WIDTH = 120  # more of a source line than this is cut away around the guilty part
_TOO_LARGE = 4_000_000
_COLOURS = {"error": "1;31", "warning": "1;33", "note": "1;36", "help": "1;32", "frame": "34", "head": "1"}


def render_text(
    diagnostics: Iterable[Diagnostic], *, colour: bool = False, read_line: LineReader | None = None
) -> str:
    """All diagnostics for people, with an empty line between two and without a final line break."""
    reader = read_line or line_of_file
    return "\n\n".join(render_one(d, colour=colour, read_line=reader) for d in diagnostics)


def render_one(d: Diagnostic, *, colour: bool = False, read_line: LineReader | None = None) -> str:
    """One diagnostic: headline, the source line with the guilty part underlined, notes, help."""
    paint = _paint if colour else _plain
    lines = [
        f"{paint(f'{on_one_line(str(d.span))}:', 'head')} {paint(f'{d.severity}[{d.code}]:', d.severity)} "
        f"{on_one_line(d.message)}"
    ]
    source = None if _is_whole_file(d.span) else (read_line or line_of_file)(d.span.file, d.span.line)
    if source is not None and source.strip():
        lines += _quoted(source, d.span, d.severity, paint)
    lines += [f"  {paint('note:', 'note')} {on_one_line(note_text(text, span))}" for text, span in d.notes]
    if d.help:
        first, *rest = d.help.splitlines()
        lines.append(f"  {paint('help:', 'help')} {on_one_line(first)}")
        lines += [f"        {on_one_line(line)}" for line in rest]
    return "\n".join(lines)


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """`2 errors, 1 warning`, or an empty text when there is nothing to say."""
    severities = [d.severity for d in diagnostics]
    parts = []
    for name in ("error", "warning"):
        if number := severities.count(name):
            parts.append(f"{number} {name}{'' if number == 1 else 's'}")
    return ", ".join(parts)


def line_of_file(file: str, line: int) -> str | None:
    """A line of a file on disk, counted from 1; None if there is no such line or file."""
    lines = lines_of_file(file)
    return lines[line - 1] if 0 < line <= len(lines) else None


def note_text(text: str, span: Span) -> str:
    if span == NOWHERE:
        return text
    return f"{text.removesuffix(' at').removesuffix(' here')} at {span}"


def _is_whole_file(span: Span) -> bool:
    """Whether a diagnostic is about a file as such. The file may not be one of the ruleset, so no line of it is quoted.

    Every other place was found by reading the file as rules.
    """
    return span == start_of(span.file)


def _quoted(source: str, span: Span, severity: str, paint: Callable[[str, str], str]) -> list[str]:
    start = min(span.column - 1, len(source))
    end = span.end_column - 1 if span.end_line == span.line else len(source.rstrip())
    end = max(min(end, len(source)), start + 1)
    cut = 0 if end <= _WIDTH else max(0, start - _WIDTH // 3)
    shown = source[cut : cut + _WIDTH].rstrip()
    end = max(min(end, cut + _WIDTH), start + 1)
    pad = " " * _cells(source[cut:start])
    carets = "^" * max(_cells(source[start:end]), 1)
    number = str(span.line)
    blank = " " * len(number)
    return [
        f"  {paint(f'{number} |', 'frame')} {on_one_line(shown)}",
        f"  {paint(f'{blank} |', 'frame')} {pad}{paint(carets, severity)}",
    ]


def _cells(text: str) -> int:
    """The width of a text in terminal columns."""
    return sum(
        2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text if not unicodedata.combining(c)
    )


def _plain(text: str, role: str) -> str:
    return text


def _paint(text: str, role: str) -> str:
    return f"\x1b[{_COLOURS[role]}m{text}\x1b[0m"


def lines_of_file(file: str) -> tuple[str, ...]:
    try:
        stamp = stamps_below((Path(file),)).get(Path(file))
        return _read_lines(file, stamp) if stamp else ()
    except (ValueError, Unreadable):
        return ()


@lru_cache(maxsize=64)
def _read_lines(file: str, stamp: tuple[int, int]) -> tuple[str, ...]:
    data = read_bytes(Path(file), _TOO_LARGE)
    if b"\0" in data:
        return ()
    return tuple(data.decode("utf-8", "replace").removeprefix("\ufeff").splitlines())

"""Damaged files: stretches that are no YAML, conflict markers, and lost ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field

import yaml

from ruleforge.lang.source.error_nodes import NO_ERROR_NODES, ErrorNodes
from ruleforge.lang.source.read_text import lines_of
from ruleforge.lang.source.repairs import indent_of, says_something
from ruleforge.lang.source.tree import SourceFile
from ruleforge.support.diagnostics import Diagnostic
from ruleforge.support.records import dataclass

Fault = Callable[[str], yaml.YAMLError | None]
MOST = 2_000_000
DEEPEST = 4  # a section, an entry, a list of things, a thing: what is smaller is left out whole
_CONFLICT = re.compile(r"(<<<<<<<|>>>>>>>)( |\Z)|=======\Z")
_MARKS = ("<<<<<<<", ">>>>>>>", "\n=======\n")
_DEFINITION = 2  # how deep the names of definitions are at most


@dataclass(frozen=True, slots=True)
class Slip:
    """Lines `first` to `last` (counted from 0, the end exclusive), their mistake, and the line above them."""

    first: int
    last: int
    error: yaml.YAMLError
    above: int | None


@dataclass
class _Cutter:
    lines: list[str]
    fault: Fault
    whole_lines: set[int] = field(default_factory=set)
    slips: list[Slip] = field(default_factory=list)
    left: int = (
        0  # signs that may still be read to find slips; then all that is not known to be YAML is left out
    )

    def cut(self, first: int, last: int, above: tuple[int, ...]) -> bool:
        """Keep what can be kept of a stretch; False if that is nothing."""
        if self.left < 0 and self.slips:
            latest = self.slips.pop()  # one slip from there on: what lies behind it is not looked at
            self.slips.append(Slip(latest.first, last, latest.error, latest.above))
            return False
        error = self._error({*range(first, last)})
        if error is None:
            self.whole_lines |= {*range(first, last)}
            return True
        if (
            len(above) + 1 < DEEPEST
            and not _is_text(self.lines, first, last)
            and self._error({first}) is None
        ):
            marked, before = len(self.slips), set(self.whole_lines)
            self.whole_lines.add(first)
            if self.cut_each(first + 1, last, (*above, first)):
                return True
            self.whole_lines = before
            del self.slips[marked:]
        self.slips.append(Slip(first, last, error, above[-1] if above else None))
        return False

    def cut_each(self, first: int, last: int, above: tuple[int, ...] = ()) -> bool:
        """Keep what can be kept of each stretch in these lines; after a slip, nearly always all that is left."""
        remaining, slips = False, len(self.slips)
        for start, end in _stretches(self.lines, first, last):
            if len(self.slips) > slips and self._error({*range(start, last)}) is None:
                self.whole_lines |= {*range(start, last)}
                return True
            slips = len(self.slips)
            remaining |= self.cut(start, end, above)
        return remaining

    def _error(self, more: set[int]) -> yaml.YAMLError | None:
        wanted = self.whole_lines | more
        text = "\n".join(line if i in wanted else "" for i, line in enumerate(self.lines[: max(more) + 1]))
        self.left -= len(text)
        return self.fault(text)


def cut_out(lines: list[str], fault: Fault) -> tuple[str, tuple[Slip, ...]]:
    """The text with empty lines in place of each slip."""
    cutter = _Cutter(lines, fault, left=MOST)
    cutter.cut_each(0, len(lines))
    remaining = "\n".join(line if i in cutter.whole_lines else "" for i, line in enumerate(lines))
    return remaining, tuple(sorted(cutter.slips, key=lambda slip: slip.first))


def _stretches(lines: list[str], first: int, last: int) -> Iterator[tuple[int, int]]:
    filled = [i for i in range(first, last) if says_something(lines[i])]
    if not filled:
        return
    outermost, starts = _indent(lines[filled[0]]), []
    for i in filled:
        if (own := _indent(lines[i])) <= outermost:
            starts.append(i)
            outermost = own if own < outermost - 1 else outermost  # one space is a slip, two are meant
    yield from zip(starts, [*starts[1:], last], strict=True)


def _indent(line: str) -> int:
    """A tab counts as deep: what it indents was meant to belong to the line above."""
    whole = line.expandtabs()
    return len(whole) - len(whole.lstrip())


_BARS = ("|", ">", "|-", ">-", "|+", ">+")
_KEY_OR_ITEM = re.compile(r"\s*(- |[^\s:]+:(\s|\Z))")


def _is_text(lines: list[str], first: int, last: int) -> bool:
    """Does a text over several lines begin here, with its sign or without?"""
    if lines[first].rstrip().endswith(_BARS):
        return True
    below = next((lines[i] for i in range(first + 1, last) if says_something(lines[i])), None)
    return below is not None and _KEY_OR_ITEM.match(below) is None


# Conflict markers of a version control program; the diagnostic is at the line of the first.


def conflict_in(text: str, lines: list[str]) -> int | None:
    """The first line that a program for versions wrote around two texts between which it could not choose."""
    if not any(mark in text for mark in _MARKS):
        return None
    return next((row for row, line in enumerate(lines) if _CONFLICT.match(line)), None)


# Files that lost their end: half saved, or copied in part. A file that ends within a line may be whole. If
# its last entry is wrong as well, the rest of the file is lost.


def cut_off(files: Iterable[SourceFile], diagnostics: Iterable[Diagnostic]) -> ErrorNodes:
    """Anything may have stood behind a file that ends within a line, with a mistake in its last definition."""
    lasts = {file.path: _last_definition(file.content) for file in _ending_within_a_line(files)}
    wrong = (
        d.severity == "error" and d.span.line >= lasts[d.span.file]
        for d in diagnostics
        if d.span.file in lasts
    )
    return ErrorNodes(anything=True) if any(wrong) else NO_ERROR_NODES


def _ending_within_a_line(files: Iterable[SourceFile]) -> list[SourceFile]:
    return [file for file in files if file.content and not file.content.endswith("\n")]


def _last_definition(text: str) -> int:
    lines = lines_of(text)
    filled = (r for r in range(len(lines) - 1, -1, -1) if says_something(lines[r]))
    return next((r for r in filled if indent_of(lines[r]) <= _DEFINITION), 0) + 1

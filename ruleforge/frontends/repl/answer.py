"""The result of a command (lines for people, data for programs, or a refusal), and how it is printed."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Any

from ruleforge.lang.checker.check_snippet import TYPED
from ruleforge.support.diagnostics import Diagnostic
from ruleforge.support.diagnostics.for_programs import as_data
from ruleforge.support.diagnostics.render import LineReader, line_of_file, render_one
from ruleforge.support.records import dataclass
from ruleforge.support.terminal_escape import harmless, json_text

Write = Callable[[str], None]
_COLUMNS = re.compile(r"\s*\S.*?\s{2,}(?=\S)")


@dataclass(frozen=True, slots=True)
class Reply:
    lines: tuple[str, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)


class Refusal(Exception):
    """A refused command; nothing has changed. `text` is the typed text for diagnostics, if there is one."""

    def __init__(
        self, message: str, diagnostics: Iterable[Diagnostic] = (), text: str = "", code: str = ""
    ) -> None:
        super().__init__(message)
        self.message, self.text, self.code = message, text, code
        self.diagnostics = tuple(diagnostics)


class LeaveConsole(Exception):
    """The author wants to leave."""


def reply(*lines: str, **data: Any) -> Reply:
    """An answer of some lines."""
    return Reply(lines, data)


def count(number: int, what: str) -> str:
    """`1 step`, `2 steps`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


# Prints results and refusals: text for people, one JSON object per command for programs.


@dataclass(frozen=True, slots=True)
class Teller:
    """Prints the results of commands."""

    write: Write
    write_error: Write
    as_json: bool = False
    colour: bool = False
    columns: Callable[[], int] | None = None  # of the terminal, where there is one

    def answer(self, command: str, answer: Reply) -> None:
        if self.as_json:
            self._json({"command": command, "ok": True, "text": "\n".join(answer.lines), **answer.data})
        else:
            for line in answer.lines:
                self._tell(line)

    def refusal(self, command: str, refusal: Refusal) -> None:
        if self.as_json:
            problems = [as_data(d) for d in refusal.diagnostics]
            message = refusal.message or "; ".join(d.message for d in refusal.diagnostics)
            problem = {"command": command, "ok": False, "error": message}
            self._json({**problem, **({"code": refusal.code} if refusal.code else {}), "problems": problems})
            return
        if refusal.message:
            for line in self._folded(harmless(refusal.message)):
                self.write_error(line)
        for diagnostic in refusal.diagnostics:
            self.write_error(render_one(diagnostic, colour=self.colour, read_line=_reader(refusal.text)))

    def _tell(self, line: str) -> None:
        for row in self._folded(line):
            self.write(row)

    def _folded(self, line: str) -> list[str]:
        return [line] if self.columns is None else folded(line, self.columns() - 1)

    def _json(self, data: object) -> None:
        self.write(json_text(data, indent=None))


def folded(line: str, width: int) -> list[str]:
    """A line broken at spaces; what follows stands below the second column if there is one, else a little inwards."""
    if len(line) <= width or " " not in line.strip():
        return [line]
    column = _COLUMNS.match(line)
    lead = len(line) - len(line.lstrip())
    indent = len(column[0]) if column and len(column[0]) <= width * 2 // 3 else lead + 2
    return textwrap.wrap(
        line, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
    )


def _reader(text: str) -> LineReader:
    """The source lines for diagnostics: those of the typed text, else of files."""
    typed = text.splitlines()

    def line(file: str, number: int) -> str | None:
        if file != TYPED:
            return line_of_file(file, number)
        return typed[number - 1] if 0 < number <= len(typed) else None

    return line

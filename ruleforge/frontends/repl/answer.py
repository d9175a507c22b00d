"""The result of a command: lines for people, data for programs, or a refusal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Any

from ruleforge.support.diagnostics import Diagnostic
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class Reply:
    lines: tuple[str, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)


class Refusal(Exception):
    """A command that cannot be done; nothing has changed. `text` is what diagnostics point into, where it was typed."""

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

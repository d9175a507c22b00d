"""What a host's ceilings still leave while files are read: how many files, bytes and values more."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from ruleforge.support.ceilings import CEILINGS, Ceilings
from ruleforge.support.diagnostics import Report, Span
from ruleforge.support.records import dataclass

_SPLIT = "split the rules or make them smaller, or raise the ceiling of the host"


@dataclass
class ReadingBudget:
    """Counts over all files that belong together; once it is full nothing more is read."""

    ceilings: Ceilings = CEILINGS
    files: int = field(default=0, init=False)
    bytes: int = field(default=0, init=False)
    values: int = field(default=0, init=False)

    @property
    def left(self) -> int:
        """How many values may still come."""
        return self.ceilings.values - self.values

    def takes_files(self, paths: list[Path], place: Span, report: Report) -> bool:
        self.files += len(paths)
        if self.files <= self.ceilings.files:
            return True
        report.add("RF124", f"there are more than {self.ceilings.files} rule files", place, _SPLIT)
        return False

    def takes_text(self, text: str, place: Span, report: Report) -> bool:
        self.bytes += len(text)
        if self.bytes <= self.ceilings.bytes:
            return True
        message = f"with this file the rules have more than {self.ceilings.bytes} bytes"
        report.add("RF124", message, place, _SPLIT)
        return False

    def refuse_values(self, place: Span, report: Report) -> None:
        message = f"here the rules pass {self.ceilings.values} words, numbers, texts, lists and mappings"
        report.add("RF124", message, place, _SPLIT)

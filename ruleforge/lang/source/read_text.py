"""Reads a rule file as text, within a host's ceilings, and rejects other files before they are parsed."""

from __future__ import annotations

import os
import re
from dataclasses import field
from pathlib import Path

from ruleforge.support.ceilings import CEILINGS, Ceilings
from ruleforge.support.diagnostics import Report, Span
from ruleforge.support.diagnostics.diagnostic import start_of
from ruleforge.support.input_files import (
    LinkOutside,
    TooLarge,
    Unreadable,
    is_link,
    names_in,
    read_bytes,
    sort_of,
)
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import did_you_mean
from ruleforge.support.terminal_escape import CONTROL

_BREAK = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
_LONG = re.compile(r"[0-9]{600,}")  # no number of a game; from 640 digits on `int` may refuse to read it
_SPLIT = "split the rules or make them smaller, or raise the ceiling of the host"


def read_text(
    path: Path, report: Report, home: Path | None = None, most: int = CEILINGS.file_bytes
) -> str | None:
    """The text of a file without a byte order mark; None after a diagnostic. It must not lead out of `home`."""
    try:
        data = read_bytes(path, most, home)
    except Unreadable as problem:
        not_read(path, problem, report)
        return None
    return _decoded(shown(path), data, report)


def not_read(path: Path, problem: Unreadable, report: Report) -> None:
    """Reports a file or folder that was not read."""
    name = shown(path)
    match problem:
        case TooLarge() if sort_of(path) == "folder":
            help = "name the folder of one game, not one with many things in it"
            report.add(
                "RF126", f"`{name}` has more than {problem.most} files and folders", start_of(name), help
            )
        case TooLarge():
            _too_large(name, problem.size, problem.most, report)
        case LinkOutside():
            help = "put the file itself there; the files of a game or pack belong in its folder"
            report.add("RF125", f"`{name}` is a link that leaves its folder", start_of(name), help)
        case _ if sort_of(path) is None and not is_link(path):
            missing(path, report)
        case _:
            report.add("RF109", f"`{name}` cannot be read: {problem}", start_of(name))


def shown(path: Path) -> str:
    """A path as diagnostics print it: relative to the current folder if it lies inside."""
    name = os.fspath(path)
    try:
        here = os.getcwd()
    except OSError:
        return name
    inside = here.rstrip(os.sep) + os.sep  # the topmost folder has its sign already
    whole = os.path.join(here, name)  # by hand: every file of a game is named each time it is looked at
    return whole[len(inside) :] if whole.startswith(inside) else name


def missing(path: Path, report: Report) -> None:
    """Reports a path that is not there, with its most likely neighbour."""
    report.add(
        "RF101",
        f"there is no file or folder `{shown(path)}`",
        start_of(shown(path)),
        did_you_mean(path.name, names_in(path.parent)),
    )


def lines_of(text: str) -> list[str]:
    """The lines as YAML counts them."""
    return _BREAK.split(text)


def _too_large(name: str, size: int, most: int, report: Report) -> None:
    report.add(
        "RF104",
        f"the file has {size} bytes; a rule file may have {most} at most",
        start_of(name),
        "split the game into several files of one folder; sections of the same name are joined",
    )


def _decoded(name: str, data: bytes, report: Report) -> str | None:
    utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    if b"\0" in data and not utf16:
        report.add("RF105", "this is a binary file, not text", start_of(name), "rule files are YAML text")
        return None
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as problem:
        span = _place_of(name, data[: problem.start].decode("utf-8", "replace"))
        message = f"the file is not UTF-8 text: byte 0x{data[problem.start]:02x} makes no sense here"
        report.add("RF106", message, span, "save the file with the encoding UTF-8")
        return None
    return checked_text(name, text, report)


def checked_text(name: str, text: str, report: Report) -> str | None:
    """The text itself if it can be that of a rule file; None after a diagnostic."""
    # The rare line breaks are among them: YAML counts them as lines, editors and the effect language do not.
    if control := CONTROL.search(text.replace("\r", "\n")):
        span = _place_of(name, text[: control.start()])
        message = f"the control sign U+{ord(control.group()):04X} cannot stand in a text file"
        report.add("RF105", message, span, "delete it; rule files are plain text")
        return None
    if number := _LONG.search(text):
        digits = number.group()
        span = _place_of(name, text[: number.start()])
        message = f"the number `{digits[:12]}...` has {len(digits)} digits; numbers have at most 32 bits"
        report.add("RF114", message, span, "write a smaller number")
        return None
    if not text.strip():
        report.add("RF103", "the file is empty", start_of(name), "write a section in it, or delete the file")
        return None
    return text


def _place_of(name: str, before: str) -> Span:
    lines = lines_of(before)
    return Span(name, len(lines), len(lines[-1]) + 1, len(lines), len(lines[-1]) + 2)


# The remainder of a host's ceilings while files are read: files, bytes and values.


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

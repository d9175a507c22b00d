"""Packs -> the same with one change each: a bigger number, a lost limit, another event, a rule twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import ruleforge

FACTOR = 10
_NUMBERS = (
    re.compile(r"^(\s*(?:add|set): )(-?[1-9]\d*)()$"),  # what a modifier adds
    re.compile(r"(\w\((?:[^()]*, )?)([1-9]\d*)(\))"),  # the last number that an event is given
    re.compile(r"( \+= )([1-9]\d*)(\b)"),  # what is gained
)
_LOST = re.compile(r"^\s*(?:limit|lasts|when|needs): \S")
_AFTER = re.compile(r"^(\s*after: )(\w+)(\(.*)$")


@dataclass(frozen=True)
class Mutant:
    """One pack with one change; `files` are the texts of the pack by their names."""

    folder: Path
    what: str
    files: Mapping[str, str]

    def __str__(self) -> str:
        return f"{self.folder.parent.name}/{self.folder.name}: {self.what}"

    def write(self, shelf: Path) -> Path:
        """The pack in a folder of its own, which is named as the pack is."""
        folder = shelf / self.folder.name
        folder.mkdir(parents=True)
        for name, text in self.files.items():
            (folder / name).write_text(text)
        return folder


def can_be_changed(folder: Path) -> bool:
    """Is there a line that says something these changes are about?"""
    lines = [line for text in _texts(folder).values() for line in text.split("\n")]
    return any(pattern.search(line) for pattern in (*_NUMBERS, _LOST, _AFTER) for line in lines)


def mutants(folder: Path) -> Iterator[Mutant]:
    """All changes of one pack, line by line."""
    texts = _texts(folder)
    kin = _kin(folder)
    for name, text in texts.items():
        lines = text.split("\n")
        for number, line in enumerate(lines):
            for what, changed in _changes(lines, number, kin):
                where = f"{name}:{number + 1} {what}: {line.strip()}"
                yield Mutant(folder, where, {**texts, name: "\n".join(changed)})


def _texts(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in sorted(folder.glob("*.yaml")) if file.stem != "rulebook"}


def _changes(
    lines: list[str], number: int, kin: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, list[str]]]:
    line = lines[number]
    before, after = lines[:number], lines[number + 1 :]
    for pattern in _NUMBERS:
        found = pattern.search(line)
        if found:
            bigger = f"{found[1]}{int(found[2]) * FACTOR}{found[3]}"
            yield "bigger", [*before, line[: found.start()] + bigger + line[found.end() :], *after]
    if _LOST.match(line):
        yield "lost", [*before, *after]
    found = _AFTER.match(line)
    if found:
        for other in kin.get(found[2], ()):
            yield f"after {other}", [*before, f"{found[1]}{other}{found[3]}", *after]
        yield "twice", _twice(lines, number)


def _twice(lines: list[str], number: int) -> list[str]:
    """The rule around a line once more, under another name."""
    indent = _indent(lines[number])
    first = number
    while _indent(lines[first]) >= indent:
        first -= 1
    last = number
    while last < len(lines) and (not lines[last].strip() or _indent(lines[last]) >= indent):
        last += 1
    head = lines[first].rstrip().removesuffix(":")
    return [*lines[:last], f"{head}_too:", *lines[first + 1 : last], *lines[last:]]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _kin(folder: Path) -> dict[str, tuple[str, ...]]:
    """Of each event of a game with a pack, others that take the same."""
    rules = ruleforge.analyse(folder).checked
    assert rules is not None
    takes = {event.name: tuple(str(p.type) for p in event.parameters) for event in rules.events.values()}
    return {name: tuple(n for n in takes if n != name and takes[n] == own)[:3] for name, own in takes.items()}

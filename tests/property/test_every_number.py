"""However large a number is and wherever it stands in the files of a game, the files are judged without an exception."""

from __future__ import annotations

import re
from pathlib import Path

from ruleforge.support.resources import shipped_games

NUMBER = re.compile(r"(?<![\w.])[0-9]+(?!\w)")
KEY = re.compile(r"\s*(?:- )?([a-z_ ]+):\s*(.*)")
LARGE = ("9" * 20, "9" * 599, "9" * 5000)  # more than a cell holds, than YAML keeps, than Python reads
TOGETHER = 12  # numbers that are changed at the same time
Place = tuple[Path, int, int, int]  # a file, a line of it, and where in the line the number stands


def shape_of(path: Path, line: str) -> tuple[str, ...]:
    """What is special about a line with a number: its sort of file, its key, and how its value begins."""
    sort = next((part for part in ("scenarios", "expansions") if part in path.parts), path.name)
    found = KEY.match(line)
    key, value = found.groups() if found else ("", line.strip())
    return (
        sort if sort.endswith("s") else path.stem,
        key,
        re.sub(r"[a-z_]+", "w", re.sub("[0-9]+", "0", value))[:8],
    )


def places() -> dict[Path, list[Place]]:
    """By game: one number of each shape of line that the shipped files have."""
    known: set[tuple[str, ...]] = set()
    found: dict[Path, list[Place]] = {}
    for game in shipped_games().values():
        for path in sorted(game.rglob("*.yaml")):
            for row, line in enumerate(path.read_text("utf-8").split("\n")):
                number = NUMBER.search(line)
                if number and (shape := shape_of(path, line)) not in known:
                    known.add(shape)
                    found.setdefault(game, []).append((path, row, *number.span()))
    return found


PLACES = places()


def changed(some: list[Place], to: str) -> dict[Path, str]:
    texts: dict[Path, str] = {}
    for path, row, start, end in some:
        lines = texts.get(path, path.read_text("utf-8")).split("\n")
        lines[row] = lines[row][:start] + to + lines[row][end:]
        texts[path] = "\n".join(lines)
    return texts

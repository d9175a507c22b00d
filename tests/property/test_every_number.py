"""However large a number is and wherever it stands in the files of a game, the files are judged without an exception."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ruleforge
from ruleforge.support.resources import shipped_games
from ruleforge.tools.validation import validated
from tests.shelf import rules
from tests.thorough import some_of

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


def places() -> dict[str, list[Place]]:
    """By game: one number of each shape of line that the shipped files have."""
    known: set[tuple[str, ...]] = set()
    found: dict[str, list[Place]] = {}
    for name, game in shipped_games().items():
        for path in sorted(game.rglob("*.yaml")):
            for row, line in enumerate(path.read_text("utf-8").split("\n")):
                number = NUMBER.search(line)
                if number and (shape := shape_of(path, line)) not in known:
                    known.add(shape)
                    found.setdefault(name, []).append((path, row, *number.span()))
    return found


PLACES = places()


def changed(some: list[Place], number: str) -> dict[str, str]:
    texts: dict[Path, str] = {}
    for path, row, start, end in some:
        lines = (texts.get(path) or path.read_text("utf-8")).split("\n")
        lines[row] = lines[row][:start] + number + lines[row][end:]
        texts[path] = "\n".join(lines)
    return {str(path): text for path, text in texts.items()}


def judged(name: str, some: list[Place], number: str) -> None:
    packs = sorted(
        {path.parts[path.parts.index("expansions") + 1] for path, *_ in some if "expansions" in path.parts}
    )
    game = shipped_games()[name]
    texts = {str(Path(path).relative_to(game)): text for path, text in changed(some, number).items()}
    analysis = ruleforge.analyse(name, packs, texts, before=rules(name))
    assert validated(analysis).diagnostics is not None


@pytest.mark.parametrize("name", some_of(sorted(PLACES), 8, "games with large numbers"))
def test_a_large_number_anywhere_is_judged(name: str) -> None:
    chosen = some_of(PLACES[name], 2 * TOGETHER, name)
    for first in range(0, len(chosen), TOGETHER):
        for number in LARGE:
            judged(name, chosen[first : first + TOGETHER], number)


def test_lints_bear_an_event_that_cannot_be_read() -> None:
    """What is asked in secret depends on what this event returns, and the event has no body."""
    broken = [place for place in PLACES["primordial-soup"] if place[0].name == "attack.yaml"]
    judged("primordial-soup", broken, LARGE[0])

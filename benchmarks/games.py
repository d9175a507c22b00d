"""The page of games: `python -m benchmarks.games` writes docs/games.md from the rulesets and the figures noted.

`python -m tests.lockstep --note benchmarks/games.json` notes agreement, `python -m benchmarks.games --measure` speed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import yaml

import ruleforge
from benchmarks import ours
from ruleforge.support.resources import data_root, shipped_games
from ruleforge.tools.rulebook.markdown import wrapped

ROOT = data_root()
FIGURES, PAGE = ROOT / "benchmarks" / "games.json", ROOT / "docs" / "games.md"
SECONDS, LENGTHS = 0.5, 20  # of each game, and games played to know how long they are
ASIDE = {"scenarios", "expansions"}  # folders that hold no rules

OPENING = """\
# Games

This page shows the games that ship as examples. Each is a folder of YAML in `examples/`, without a line of Python. The
pictures are taken in the browser after some random choices.

*Agreement* means lock-step play beside OpenSpiel. At every decision the player, all choices and the odds of chance are
compared, and at the end the outcome. "Observations too" means that the views of all players were compared as well: each
game was played again with other hidden cards where OpenSpiel says that a player cannot tell them apart. Repeat it with
`python -m tests.lockstep GAME`, or with `make lockstep` for all games.

*Speed* is random play in machine code on one core, in decisions a second of processor time.
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.games", description=__doc__)
    parser.add_argument("game", nargs="*", help="with --measure: only these games")
    parser.add_argument("--measure", action="store_true", help="measure speeds first, and note them")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; tell whether the page is in step"
    )
    given = parser.parse_args()
    if given.measure:
        measure(given.game or list(games()))
    if given.check:
        same = PAGE.is_file() and PAGE.read_text("utf-8") == page()
        print(
            "docs/games.md is in step" if same else "docs/games.md is not in step: python -m benchmarks.games"
        )
        return 0 if same else 1
    PAGE.write_text(page(), "utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}: {len(games())} games")
    return 0


def games() -> dict[str, Path]:
    """The shipped games that are examples, by name."""
    return {name: folder for name, folder in shipped_games().items() if folder.parent.name == "examples"}


def figures() -> dict[str, Any]:
    return json.loads(FIGURES.read_text("utf-8")) if FIGURES.is_file() else {}


# --- the page ---


def page() -> str:
    noted = figures()
    rows = [_row(name, folder, noted) for name, folder in sorted(games().items())]
    table = ["| game | lines of YAML | agreement | decisions a second |", "|---|---|---|---|", *rows]
    parts = [OPENING, "\n".join(table), *(_part(n, f, noted) for n, f in sorted(games().items()))]
    return "\n".join(f"{part.strip()}\n" for part in parts)


def _row(name: str, folder: Path, noted: dict[str, Any]) -> str:
    agreed = [figure["games"] for key, figure in _agreement(name, noted)]
    evidence = f"{sum(agreed)} games" if agreed else "scenarios"
    speed = noted.get("speed", {}).get(name)
    said = f"{_round(speed):,}" if speed else ""
    return f"| [{_title(name, folder)}](#{_anchor(_title(name, folder))}) | {lines_of(folder)} | {evidence} | {said} |"


def _part(name: str, folder: Path, noted: dict[str, Any]) -> str:
    game = _rules(folder)["game"]
    return "\n".join(
        [
            f"## {_title(name, folder)}",
            "",
            f"![{_title(name, folder)} in the browser](pictures/games/{name}.webp)",
            "",
            wrapped(" ".join(game["text"].split())),
            "",
            f"`examples/{name}`: {lines_of(folder)} lines of YAML, {_count(folder / 'scenarios')} scenarios.",
            "",
            *_shows(folder),
            *_evidence(name, noted),
        ]
    )


def _shows(folder: Path) -> Iterator[str]:
    """What the game shows of the language: the paragraph of its README that says so."""
    found = re.search(
        r"^Worth a look: (.+?)\n(?:\n|\Z)",
        (folder / "README.md").read_text("utf-8"),
        re.DOTALL | re.MULTILINE,
    )
    if found:
        said = " ".join(found[1].split())
        yield wrapped(f"*Worth a look:* {said}")
        yield ""


def _evidence(name: str, noted: dict[str, Any]) -> Iterator[str]:
    for _, figure in _agreement(name, noted):
        differences = f"{figure['differences']} differences" if figure["differences"] else "no difference"
        knows = ", observations too" if figure["knows"] else ""
        yield wrapped(
            f"- Compared with `{figure['peer']}` of OpenSpiel: {figure['games']} games, "
            f"{figure['decisions']:,} decisions, {differences}{knows}.",
            "  ",
        )
    lines = noted.get("lines", {}).get(name)
    if lines:
        counts = ", ".join(f"{count:,}" for count in lines)
        yield f"- Lines of play from famous positions as in the literature: {counts}."
    speed = noted.get("speed", {}).get(name)
    if speed:
        yield f"- Random play: {_round(speed):,} decisions a second."


def lines_of(folder: Path) -> int:
    """Lines of the rules that say something."""
    files = [
        f
        for f in folder.rglob("*.yaml")
        if not {*f.relative_to(folder).parts} & ASIDE and f.stem != "rulebook"
    ]
    lines = [line.strip() for file in files for line in file.read_text("utf-8").splitlines()]
    return sum(bool(line) and not line.startswith("#") for line in lines)


def _rules(folder: Path) -> dict[str, Any]:
    return yaml.safe_load((folder / "game.yaml").read_text("utf-8"))  # type: ignore[no-any-return]


def _title(name: str, folder: Path) -> str:
    return str(_rules(folder)["game"]["title"])


def _anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")


def _count(folder: Path) -> int:
    return len(list(folder.rglob("*.yaml")))


def _agreement(name: str, noted: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """What was noted of a game and of its variants."""
    return [
        (key, figure)
        for key, figure in sorted(noted.get("agreement", {}).items())
        if key.split(":")[0] == name
    ]


def _round(speed: float) -> int:
    """Two digits are all that can be relied upon."""
    unit = int("1".ljust(len(str(int(speed))) - 1, "0"))
    return int(speed) // unit * unit


# --- speed ---


def measure(names: list[str]) -> None:
    for name in names:
        speed = round(_speed(name))
        print(f"{name:24}{speed:12,}", flush=True)
        noted = figures()
        noted.setdefault("speed", {})[name] = speed
        FIGURES.write_text(json.dumps(noted, indent=1, sort_keys=True) + "\n", "utf-8")


def _speed(name: str) -> float:
    """Decisions a second of processor time, in random games in machine code."""
    game, rng = ruleforge.load(name, backend="native"), Random(1)
    start = game.start(seed=1)
    length = ours.length(start, LENGTHS, rng)
    ours.play_natively(game, start, 1, rng)  # what is made at the first call is not counted
    played, began = 0, process_time()
    while (spent := process_time() - began) < SECONDS:
        ours.play_natively(game, start, 10, rng)
        played += 10
    return played * length / spent


if __name__ == "__main__":
    sys.exit(main())

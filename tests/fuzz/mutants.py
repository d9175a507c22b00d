"""The rulesets that ship and those of the tests with small changes, drawn by Hypothesis."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from ruleforge.support.resources import shipped_games
from tests.fuzz.shapes import SHAPES

ROOT = Path(__file__).resolve().parents[1]
SMALL = 12_000  # characters; larger games are tried seldom, since they take long to compile
FUSE = "  limits: {chain: 20000}\n"  # an endless chain is no mistake, and should cost little time

NUMBER = re.compile(r"(?<![\w-])\d+(?!\w)")
WORD = re.compile(r"[a-z][a-z0-9_]*")
SIGNS = re.compile(r" (\+=|-=|\+|-|\*|//|%|<=|>=|<|>|is not|is|and|or|not in|in|\||&) ")
OTHERS = (
    "+",
    "-",
    "*",
    "//",
    "%",
    "<",
    "<=",
    ">",
    "is",
    "is not",
    "and",
    "or",
    "in",
    "not in",
    "|",
    "&",
    "+=",
    "-=",
)
KEYWORDS = (
    "first", "best", "count", "any", "sum", "min", "max", "all", "chooses", "until", "where", "top", "bottom", "one",
    "many", "maybe", "true", "false", "none", "after", "always", "forbid", "ordered", "capped",
)  # fmt: skip
A_PART = re.compile(r", [a-z_ ]+: [^,{}\n]+(?=[,}])| (and|where|by|until) [^:\n]+")

Change = Callable[[st.DrawFn, str, list[str]], str | None]


@cache
def games() -> dict[str, dict[str, str]]:
    """The rule files of every game, small games first."""
    folders = {
        **shipped_games(),
        **{f"tests/{p.name}": p for p in sorted((ROOT / "rulesets").iterdir()) if p.is_dir()},
    }
    found = {name: _files(path) for name, path in folders.items()}
    return dict(sorted(found.items(), key=lambda entry: sum(map(len, entry[1].values()))))


def _files(folder: Path) -> dict[str, str]:
    beside = ("scenarios", "expansions", "rulebook.yaml", "contract.yaml")
    return {
        str(file.relative_to(folder)): _fused(file.read_text(encoding="utf-8"))
        for file in sorted(folder.rglob("*.yaml"))
        if file.relative_to(folder).parts[0] not in beside
    }


def _fused(text: str) -> str:
    return text if "limits:" in text else re.sub(r"(?m)^game:\n", "game:\n" + FUSE, text)


@st.composite
def mutants(draw: st.DrawFn, large: bool = True) -> dict[str, str]:
    """The files of a game after one to three changes."""
    small = [name for name, files in games().items() if sum(map(len, files.values())) < SMALL]
    names = list(games()) if large and draw(st.integers(0, 19)) == 19 else small
    files = dict(games()[draw(st.sampled_from(names))])
    words = sorted({word for text in files.values() for word in WORD.findall(text)})
    for _ in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from(sorted(files)))
        change = draw(st.sampled_from(CHANGES))
        files[name] = change(draw, files[name], words) or files[name]
    return files


def _replaced(
    draw: st.DrawFn, text: str, pattern: re.Pattern[str], new: Callable[[str], st.SearchStrategy[str]]
) -> str | None:
    places = list(pattern.finditer(text))
    if not places:
        return None
    place = places[draw(st.integers(0, len(places) - 1))]
    return text[: place.start()] + draw(new(place.group())) + text[place.end() :]


def other_number(draw: st.DrawFn, text: str, words: list[str]) -> str | None:
    def near(old: str) -> st.SearchStrategy[str]:
        return st.sampled_from(
            ["0", "1", "2", str(int(old) + 1), str(max(0, int(old) - 1)), "31", "32", "99"]
        )

    return _replaced(draw, text, NUMBER, near)


def other_name(draw: st.DrawFn, text: str, words: list[str]) -> str | None:
    return _replaced(draw, text, WORD, lambda _: st.sampled_from(words))


def other_sign(draw: st.DrawFn, text: str, words: list[str]) -> str | None:
    return _replaced(draw, text, SIGNS, lambda _: st.sampled_from(OTHERS).map(lambda sign: f" {sign} "))


def other_keyword(draw: st.DrawFn, text: str, words: list[str]) -> str | None:
    pattern = re.compile(rf"\b({'|'.join(KEYWORDS)})\b")
    return _replaced(draw, text, pattern, lambda _: st.sampled_from(KEYWORDS))


def without_a_line(draw: st.DrawFn, text: str, words: list[str]) -> str | None:
    lines = text.splitlines(keepends=True)
    del lines[draw(st.integers(0, len(lines) - 1))]
    return "".join(lines)


def a_line_twice(draw: st.DrawFn, text: str, words: list[str]) -> str | None:
    lines = text.splitlines(keepends=True)
    at = draw(st.integers(0, len(lines) - 1))
    to = draw(st.integers(0, len(lines)))
    return "".join([*lines[:to], lines[at], *lines[to:]])


def lines_swapped(draw: st.DrawFn, text: str, words: list[str]) -> str | None:
    lines = text.splitlines(keepends=True)
    one, two = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
    lines[one], lines[two] = lines[two], lines[one]
    return "".join(lines)


def without_a_key(draw: st.DrawFn, text: str, words: list[str]) -> str | None:
    """Leave out `key: value` in braces, or the part of a condition behind `and`."""
    return _replaced(draw, text, A_PART, lambda _: st.just(""))


CHANGES: tuple[Change, ...] = (
    other_number, other_name, other_name, other_sign, other_keyword, without_a_line, a_line_twice, lines_swapped,
    without_a_key, *SHAPES,
)  # fmt: skip

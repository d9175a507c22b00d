"""The files of a first game: cards, a turn, an ending, a rulebook."""

from __future__ import annotations

from pathlib import Path

from ruleforge.lang.model.words import pretty

_PATTERN = Path(__file__).parent / "first_game"


def game_files(name: str) -> dict[str, str]:
    """File name -> text; clauses begin with the first letters of the words of the name."""
    words = {
        "my-game": name,
        "My Game": pretty(name.replace("-", "_")),
        "MG-": "".join(word[:1] for word in name.split("-")).upper() + "-",
    }
    return {
        file.relative_to(_PATTERN).as_posix(): _with(words, file.read_text("utf-8"))
        for file in sorted(_PATTERN.rglob("*.*"))
    }


def _with(words: dict[str, str], text: str) -> str:
    for old, new in words.items():
        text = text.replace(old, new)
    return text

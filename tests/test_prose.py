"""The documents are in plain words: short sentences, few dialect words, no long lines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.documents import ROOT

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
MADE = ROOT / "docs" / "rulebooks"  # written by `ruleforge docs`: their tables and formulas are the authors'

WORD = re.compile(r"[A-Za-z']+")
OPENER = re.compile(r"\W*(What|Whoever|Whatever|Where|Wherever|Of)\b")
BORDER = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\[(*X])|\n\s*\n|\n\s*[-*] ")


def prose_of(text: str) -> str:
    """The running text: no code, tables, headings or targets of links."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    text = re.sub(r"^\s*\|.*\|\s*$|^#.*$", "", text, flags=re.MULTILINE)
    return re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "X", text))


def sentences_of(text: str) -> list[str]:
    return [part.strip() for part in BORDER.split(text) if len(WORD.findall(part)) > 3]


@pytest.fixture(scope="module")
def prose() -> str:
    return "\n\n".join(prose_of(page.read_text("utf-8")) for page in PAGES)


def test_clauses_that_begin_with_what_are_rare(prose: str) -> None:
    words = len(WORD.findall(prose))
    assert 1000 * len(re.findall(r"\bwhat\b", prose, re.IGNORECASE)) / words <= 3


def test_sentences_begin_with_their_subject(prose: str) -> None:
    sentences = sentences_of(prose)
    openers = [sentence for sentence in sentences if OPENER.match(sentence)]
    assert len(openers) / len(sentences) <= 0.01, openers


def test_nine_of_ten_sentences_are_short(prose: str) -> None:
    lengths = sorted(len(WORD.findall(sentence)) for sentence in sentences_of(prose))
    assert lengths[int(0.9 * len(lengths))] <= 26


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_line_is_longer_than_120_characters(page: Path) -> None:
    made = MADE in page.parents or page.name == "games.md"
    text = page.read_text("utf-8")
    if made:  # a row of a table and a line of code cannot be broken there
        text = re.sub(
            r"^ *```.*?^ *```$|^\|[^\n]*\|$|^[^\n]*`[^\n]*$", "", text, flags=re.MULTILINE | re.DOTALL
        )
    assert not [line for line in text.splitlines() if len(line) > 120]


def test_the_figures_are_those_of_the_text() -> None:
    text = "# What\n\nWhat is hidden is not told. A `what` in code, and\n\n```text\nWhat\n```\n\n| what |\n\nShort."
    assert len(re.findall(r"\bwhat\b", prose_of(text), re.IGNORECASE)) == 1
    assert [bool(OPENER.match(sentence)) for sentence in sentences_of(prose_of(text))] == [True, False]

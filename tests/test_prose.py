"""Documents, help, messages and public docstrings are in plain words: short sentences, no dialect, no long lines."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import ruleforge
from ruleforge.frontends.cli.main import main
from ruleforge.support.diagnostics.codes import CODES
from tests.diagnostics.planting import cases
from tests.documents import ROOT

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]

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
    assert not [line for line in page.read_text("utf-8").splitlines() if len(line) > 120]


def test_the_figures_are_those_of_the_text() -> None:
    text = "# What\n\nWhat is hidden is not told. A `what` in code, and\n\n```text\nWhat\n```\n\n| what |\n\nShort."
    assert len(re.findall(r"\bwhat\b", prose_of(text), re.IGNORECASE)) == 1
    assert [bool(OPENER.match(sentence)) for sentence in sentences_of(prose_of(text))] == [True, False]


# --- help, messages, docstrings ---

PERSON = re.compile(
    r"\b(whoever|whomever|somebody|nobody|anybody|everybody|whatever|wherever)\b", re.IGNORECASE
)
MOST_WORDS = 25


def faults_of(text: str) -> list[str]:
    """The sentences of a short text that are too long, begin with a clause, or name an indefinite person."""
    found = []
    for sentence in re.split(r"(?<=[.!?;:])\s+|\n\s*\n|\n\s*[-*] ", prose_of(text)):
        long = len([word for word in WORD.findall(sentence) if word != "X"]) > MOST_WORDS  # X is code
        if long or PERSON.search(sentence) or OPENER.match(sentence.strip()):
            found.append(" ".join(sentence.split()))
    return found


def helps(command: click.Command, name: str) -> Iterator[tuple[str, str]]:
    """Every help text below a command, without its examples."""
    yield name, (command.help or "").partition("\b")[0]
    for option in command.params:
        yield f"{name} {option.name}", getattr(option, "help", "") or ""
    for below in getattr(command, "commands", {}).values():
        yield from helps(below, f"{name} {below.name}")


def messages() -> Iterator[tuple[str, str]]:
    """Titles of codes, and every message, note and help of the planted mistakes, without words of authors."""
    yield from ((code, row.title) for code, row in CODES.items())
    for case in cases():
        for line in case.said.splitlines():
            if found := re.match(r"\S+: (?:error|warning)\[RF\d+\]: (.*)|  (?:help|note): (.*)", line):
                yield case.title, found[1] or found[2]


def public_docstrings() -> Iterator[tuple[str, str]]:
    for name in ruleforge.__all__:
        each = getattr(ruleforge, name)
        if not (inspect.isclass(each) or inspect.isfunction(each)):
            continue
        yield name, inspect.getdoc(each) or ""
        for word, member in vars(each).items() if inspect.isclass(each) else ():
            if not word.startswith("_"):
                yield f"{name}.{word}", inspect.getdoc(member) or "" if _is_ours(member) else ""


def _is_ours(member: object) -> bool:
    return inspect.isfunction(member) or isinstance(member, property | classmethod | staticmethod)


SHORT_TEXTS = {"help": dict(helps(main, "ruleforge")), "docstrings": dict(public_docstrings())}


@pytest.mark.parametrize("sort", SHORT_TEXTS)
def test_help_and_docstrings_are_plain(sort: str) -> None:
    assert len(SHORT_TEXTS[sort]) > 50
    assert {name: found for name, text in SHORT_TEXTS[sort].items() if (found := faults_of(text))} == {}


def test_messages_are_plain() -> None:
    texts = list(messages())
    assert len(texts) > 400
    assert {(name, sentence) for name, text in texts for sentence in faults_of(text)} == set()


@pytest.mark.parametrize(
    "text", ["Whoever pays", "What is hidden is not told.", "nobody knows", " ".join(["word"] * 26)]
)
def test_the_dialect_is_found(text: str) -> None:
    assert faults_of(f"A plain sentence. {text}") == [text]

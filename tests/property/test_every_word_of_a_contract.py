"""Nothing in a contract can be mistyped in silence: a limit that is not understood would be no limit."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import ruleforge
from ruleforge.lang.source.tree import MappingNode, ScalarNode, SequenceNode, SourceNode
from ruleforge.project.pipeline import Analysis
from ruleforge.tools.project_files.side_files import SideFiles, look_beside

ROOT = Path(__file__).resolve().parents[2] / "rulesets"
GAMES = ("orbit-simulator", "primordial-orbs", "primordial-soup", "soul-gems", "splicers")
OWN_WORDS = {"say", "fix", "id", "lock"}  # what an author is free to write
EVERY = 3  # each word takes a hundredth of a second or more


def looked_at(name: str, folder: Path) -> tuple[Analysis, SideFiles]:
    """A game whose contract and rulebook lie in a folder by themselves: scenarios need not be read here."""
    for file in ("contract.yaml", "rulebook.yaml"):
        shutil.copy(ROOT / name / file, folder)
    analysis = replace(ruleforge.analyse(ROOT / name), path=folder)
    return analysis, look_beside(analysis)


def words(node: SourceNode, key: str = "") -> Iterator[ScalarNode]:
    """Every word of a contract that means something: keys, and values that are no words of the author's own."""
    match node:
        case MappingNode():
            for entry in node.entries:
                yield entry.key
                yield from words(entry.value, entry.name)
        case SequenceNode():
            for item in node.items:
                yield from words(item, key)
        case ScalarNode() if key not in OWN_WORDS:
            yield node


def mistyped(text: str, word: ScalarNode) -> str:
    lines, span = text.split("\n"), word.span
    line = lines[span.line - 1]
    lines[span.line - 1] = line[: span.column - 1] + "zorkmid" + line[span.end_column - 1 :]
    return "\n".join(lines)


@pytest.mark.parametrize("name", GAMES)
def test_a_word_that_means_nothing_is_told(name, tmp_path):
    analysis, before = looked_at(name, tmp_path)
    assert before.diagnostics == ()
    contract = before.folders[0].contract
    assert contract is not None and contract.text is not None and contract.source is not None
    silent = []
    for word in [word for word in words(contract.source.root) if word.span.line == word.span.end_line][
        ::EVERY
    ]:
        overlay = {"contract.yaml": mistyped(contract.text, word)}
        found = look_beside(replace(analysis, overlay=overlay), before).diagnostics
        if not any(d.span.file == contract.path for d in found):
            silent.append(f"{word.span}: {word.text}")
    assert silent == []

"""A name that is declared otherwise than it is used, any name of any ruleset of the tests: told as a mistake."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ruleforge
from tests.thorough import some_of

RULESETS = Path(__file__).resolve().parent.parent / "rulesets"
_DECLARED = re.compile(r"^ {2,8}([a-z_]+):|[{,] ([a-z_]+):", re.M)
Renamed = tuple[str, int, int]  # a ruleset, and where in its text the name stands


def _renamed(name: str) -> Iterator[Renamed]:
    for found in _DECLARED.finditer((RULESETS / name / "game.yaml").read_text(encoding="utf-8")):
        yield name, *found.span(1 if found[1] else 2)


NAMES = sorted(path.parent.name for path in RULESETS.glob("*/game.yaml"))


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_is_declared_otherwise_is_a_mistake_and_no_fault_of_ours(name: str) -> None:
    text = (RULESETS / name / "game.yaml").read_text(encoding="utf-8")
    for _, start, end in some_of(list(_renamed(name)), 12, name):
        other = f"{text[:start]}otherwise{text[end:]}"
        analysis = ruleforge.analyse(RULESETS / name, overlay={"game.yaml": other})
        assert all(one.span.line > 0 for one in analysis.diagnostics), text[start:end]

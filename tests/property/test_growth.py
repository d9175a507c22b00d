"""Twice the rules take twice the work to judge. Lines that run are counted: seconds depend on the machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import ruleforge
from benchmarks.large_files import SHAPES
from ruleforge.tools.validation import validated

SMALL = 300  # more than small caches hold
MOST = 2.6  # n log n comes to 2.2; what grows with the square comes to 4


def lines_of(path: Path) -> int:
    """How many lines of Python run while a file is judged; a loop counts once for each iteration."""
    lines = 0

    def count(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        validated(ruleforge.analyse(path))
    finally:
        sys.settrace(before)
    return lines


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_judging_grows_with_what_is_judged(shape: Callable[[int], str], tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    found = []
    for size in (10, SMALL, 2 * SMALL, 4 * SMALL):  # the first one reads the grammar
        path.write_text(shape(size))
        found.append(lines_of(path))
    _, small, middle, large = found
    assert (large - middle) / (middle - small) < MOST, found

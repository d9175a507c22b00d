"""Hidden information lives in one package, and others use only the names that its page lists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from ruleforge.engine import visibility

PACKAGE = Path(visibility.__file__).resolve().parent
NAME = "ruleforge.engine.visibility"


def listed() -> dict[str, set[str]]:
    """By module of the package, the names that its page offers to others."""
    offered = (visibility.__doc__ or "").partition("Other modules may import:")[2]
    found: dict[str, set[str]] = {}
    for module, names in re.findall(r"`(\w+)`: ((?:`\w+`(?:, )?)+)", offered):
        found[module] = set(re.findall(r"`(\w+)`", names))
    return found


def imported() -> Iterator[tuple[str, str, str]]:
    """What modules outside of the package import from it: the file, the module and the name."""
    for path in PACKAGE.parent.parent.rglob("*.py"):
        if PACKAGE in path.parents:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(NAME):
                module = (node.module or "").removeprefix(NAME).lstrip(".")
                yield from ((path.name, module, alias.name) for alias in node.names)


def test_others_import_only_what_the_page_lists():
    offered = listed()
    assert [use for use in imported() if use[2] not in offered.get(use[1], ())] == []


def test_the_page_lists_nothing_that_nobody_uses():
    used = {(module, name) for _, module, name in imported()}
    assert {(module, name) for module, names in listed().items() for name in names} - used == set()

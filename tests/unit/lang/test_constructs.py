"""Every construct of the language is known at every stage: a statement or expression added in one place alone fails."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

import ruleforge
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.typed import expressions, statements
from ruleforge.lang.parser import nodes as n
from tests.unit.analysis.test_infoflow import nodes_of

PACKAGE = Path(ruleforge.__file__).parent
CHECKER = PACKAGE / "lang" / "checker"
STAGES = {
    "the parser": [PACKAGE / "lang" / "parser" / "build.py"],
    "the printer": [PACKAGE / "lang" / "parser" / "printer.py"],
    "the checker": [*(CHECKER / "statements").glob("*.py"), *(CHECKER / "expressions").glob("*.py")],
}


def named(prefix: str, paths: list[Path]) -> set[str]:
    """The classes that some modules name, as `n.If`."""
    return {
        name for path in paths for name in re.findall(rf"\b{prefix}\.([A-Z]\w*)", path.read_text("utf-8"))
    }


@pytest.mark.parametrize("stage", STAGES)
def test_every_node_of_the_parser_is_handled(stage: str) -> None:
    nodes = {kind.__name__ for union in (n.Statement, n.Expr) for kind in get_args(union)}
    assert nodes - named("n", STAGES[stage]) == set()


# Stands only in rules with a mistake, which are not compiled.
NOT_LOWERED = {"Overwrite"}


def test_every_typed_node_is_lowered() -> None:
    nodes = nodes_of(t.Statement, statements) | nodes_of(t.Expr, expressions)
    lowering = list((PACKAGE / "compiler").rglob("*.py"))
    assert {kind.__name__ for kind in nodes} - named("t", lowering) == NOT_LOWERED

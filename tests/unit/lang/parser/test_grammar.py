"""The grammar itself: no conflicts, every terminal named, words apart from names."""

from __future__ import annotations

import pytest
from lark import Lark

from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser import table_builder
from ruleforge.lang.parser.grammar import RESERVED, STARTS, grammar_text, signs, terminals
from ruleforge.lang.parser.text_parser import parse_expr
from ruleforge.support.diagnostics import Report
from ruleforge.support.resources import never_names
from tests.unit.lang.parser.texts import source_text


def build(strict: bool = False) -> Lark:
    return table_builder.build(grammar_text(), STARTS, strict)


def test_no_conflicts_and_no_colliding_terminals() -> None:
    build(strict=True)


def test_every_terminal_is_named() -> None:
    """Lark names a terminal it has to make up itself with two leading underscores."""
    unnamed = [terminal.name for terminal in build().terminals if terminal.name.startswith("__")]
    assert unnamed == []


def test_every_word_and_sign_is_in_the_tables() -> None:
    made = {"NAME", "INT", "DICE", "TEXT", "NEWLINE", "COMMENT", "BLANK", "INDENT", "DEDENT"}
    assert {terminal.name for terminal in build().terminals} - made <= {*terminals(), *signs()}


@pytest.mark.parametrize("word", ["let", "is", "in", "count", "first", "set", "none", "pay", "each"])
def test_words_are_reserved(word: str) -> None:
    assert word in RESERVED


@pytest.mark.parametrize("word", sorted(RESERVED - {"true", "false", "none"}))
def test_a_word_is_a_name_behind_a_dot_and_mostly_elsewhere(word: str) -> None:
    report = Report()
    parse_expr(source_text(f"me.{word}"), report)
    parse_expr(source_text(f"me.{word}[me.{word}] + 1"), report)
    assert list(report) == []
    parse_expr(source_text(f"{word} + 1"), report)
    assert len(list(report)) == (1 if word in never_names() else 0)


INNOCENT = (
    "index",
    "order",
    "information",
    "android",
    "inner",
    "forest",
    "isle",
    "notable",
    "orb",
    "elsewhere",
)
SOFT = ("top", "bottom", "from", "with", "up", "exactly", "number", "secretly", "start", "end", "one")


@pytest.mark.parametrize("name", INNOCENT + SOFT)
def test_words_inside_names_and_soft_words_are_names(name: str) -> None:
    report = Report()
    tree = parse_expr(source_text(f"{name}.{name} + {name}({name})"), report)
    assert not report.has_errors
    assert isinstance(tree, n.Arithmetic)
    assert isinstance(tree.left, n.Attribute) and tree.left.name == name
    assert isinstance(tree.right, n.Call) and tree.right.name == name

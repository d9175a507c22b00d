"""Builds the tables of the grammar with Lark as plain data for the cache."""

from __future__ import annotations

from functools import partial
from typing import Any

from lark import Lark
from lark.lexer import BasicLexer
from lark.parse_tree_builder import ChildFilterLALR_NoPlaceholders

from ruleforge.lang.parser.build import Builder
from ruleforge.lang.parser.tables import FINE, GATHERED, LexerData, ReductionData, TableData


def build(text: str, starts: tuple[str, ...], strict: bool = False) -> Lark:
    """The lexer is `basic` so that a reserved word is the same word everywhere, never sometimes a name."""
    return Lark(
        text,
        start=list(starts),
        parser="lalr",
        lexer="basic",
        keep_all_tokens=True,
        transformer=Builder(),  # not a lark.Transformer: only methods named like the rules are asked for
        strict=strict,
    )


def tables_of(built: Lark) -> tuple[LexerData, TableData]:
    return _lexer(BasicLexer(built.lexer_conf)), _table(built)


def _lexer(lexer: BasicLexer) -> LexerData:
    terminals = [(t.name, t.pattern.to_regexp()) for t in lexer.scanner.terminals]
    reserved = {
        name: {t.pattern.value: t.name for t in unless.scanner.terminals}  # type: ignore[attr-defined]
        for name, unless in lexer.callback.items()
    }
    return terminals, reserved, sorted(lexer.ignore_types), sorted(lexer.newline_types)


def _table(built: Lark) -> TableData:
    parser = built.parser.parser.parser
    table = parser.parse_table
    known: dict[Any, int] = {}  # rule -> its number
    reductions: list[ReductionData] = []
    states: dict[int, dict[str, int]] = {}
    for state, actions in table.states.items():
        own = states.setdefault(state, {})
        for word, (action, to) in actions.items():
            if action.name == "Shift":
                own[str(word)] = to  # Lark has a type of its own for names, slow to look up
                continue
            if to not in known:
                known[to] = len(reductions)
                reductions.append(_reduction(to, parser.callbacks[to]))
            own[str(word)] = ~known[to]
    return dict(table.start_states), dict(table.end_states), states, reductions


def _reduction(rule: Any, callback: Any) -> ReductionData:
    """The result of a rule's parts, as Lark defines it."""
    size, name = len(rule.expansion), str(rule.origin.name)
    if rule.options.expand1 and not rule.alias and size == 1:
        return size, name, FINE, ()
    spread: tuple[int, ...] = ()
    if isinstance(callback, ChildFilterLALR_NoPlaceholders):  # helpers with many parts give them all away
        assert [at for at, _ in callback.to_include] == list(range(size)), rule
        spread = tuple(at for at, whole in callback.to_include if whole)
        callback = callback.node_builder
    if isinstance(callback, partial):
        assert name.startswith("_"), rule  # a helper that Lark has made up itself
        return size, name, GATHERED, spread
    assert isinstance(callback.__self__, Builder), rule
    return size, name, callback.__name__, spread

"""The grammar file, and the LALR parser built from it once a process."""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
from collections.abc import Callable
from functools import cache

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import BasicLexer, TerminalDef

from ruleforge.dsl.build import Builder
from ruleforge.dsl.tables import Lexer, Table
from ruleforge.keeping import Keeping
from ruleforge.resources import grammar_file

STARTS = ("block", "expr", "picked", "binder", "column", "type", "pattern")
# What is given anew when tables are read: it is no part of them.
_GIVEN = ("transformer", "lexer_callbacks", "postlex", "tree_class", "_plugins")


@cache
def grammar_text() -> str:
    return grammar_file().read_text(encoding="utf-8")


def build(strict: bool = False) -> Lark:
    """The lexer is `basic` so that a reserved word is the same word everywhere, never sometimes a name."""
    return Lark(
        grammar_text(),
        start=list(STARTS),
        parser="lalr",
        lexer="basic",
        keep_all_tokens=True,
        transformer=Builder(),  # not a lark.Transformer: only methods named like the rules are asked for
        strict=strict,
    )


@cache
def parser() -> Lark:
    """Building takes some 200 ms, reading the tables that were kept a tenth of it."""
    keeping, name = Keeping(), _tables_name()
    built = _from_tables(keeping.read(name))
    if built is None:
        built = build()
        keeping.write(name, _tables(built))
    built.lexer = BasicLexer(built.lexer_conf)  # else `lex` makes a new one for every text
    return built


@cache
def lexer() -> Lexer:
    """Text -> tokens."""
    basic = parser().lexer
    assert isinstance(basic, BasicLexer)
    return Lexer(basic)


@cache
def table() -> Table:
    """Words -> a tree."""
    return Table(parser())


def _tables_name() -> str:
    """A name made of all that the tables depend on."""
    parts = (grammar_text(), repr(STARTS), lark.__version__, importlib.util.MAGIC_NUMBER.hex())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest() + ".tables"


def _tables(built: Lark) -> bytes:
    """Plain data: numbers, texts, lists and mappings."""
    data, memo = built.memo_serialize([TerminalDef, Rule])
    data["options"] = {name: value for name, value in data["options"].items() if name not in _GIVEN}
    return marshal.dumps((data, memo))


def _from_tables(kept: bytes | None) -> Lark | None:
    if kept is None:
        return None
    try:
        data, memo = marshal.loads(kept)
        read: Callable[..., Lark] = Lark._load_from_dict  # as generated parsers of Lark read their tables
        return read(data, memo, transformer=Builder())
    except Exception:  # whatever an old file may lead to: build it anew
        return None

"""The grammar file, and the LALR parser built from it once a process."""

from __future__ import annotations

import os
from functools import cache

from lark import Lark
from lark.lexer import BasicLexer

from ruleforge.cache_folder import cache_folder
from ruleforge.dsl.build import Builder
from ruleforge.resources import grammar_file

STARTS = ("block", "expr", "picked", "binder", "column", "type", "pattern")


@cache
def grammar_text() -> str:
    return grammar_file().read_text(encoding="utf-8")


def build(strict: bool = False, cache_file: str | bool = False) -> Lark:
    """The lexer is `basic` so that a reserved word is the same word everywhere, never sometimes a name."""
    return Lark(
        grammar_text(),
        start=list(STARTS),
        parser="lalr",
        lexer="basic",
        keep_all_tokens=True,
        transformer=Builder(),  # not a lark.Transformer: only methods named like the rules are asked for
        strict=strict,
        cache=cache_file,
    )


@cache
def parser() -> Lark:
    """Building takes some 200 ms, loading the tables from the user's cache folder a tenth of it."""
    built = build(cache_file=_cache_file() or False)
    built.lexer = BasicLexer(built.lexer_conf)  # else `lex` makes a new one for every text
    return built


def _cache_file() -> str | None:
    """Lark itself rebuilds the file when the grammar, Lark or Python changed."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return str(folder / "effects.tables") if os.access(folder, os.W_OK) else None

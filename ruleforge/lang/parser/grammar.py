"""The grammar file, its cached tables, and the words and signs of its terminals."""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import re
from functools import cache

from ruleforge.lang.parser.build import Builder
from ruleforge.lang.parser.tables import Lexer, LexerData, Table, TableData
from ruleforge.support.build_fingerprint import state_of
from ruleforge.support.disk_cache import DiskCache
from ruleforge.support.resources import grammar_file, reserved_words

STARTS = ("block", "expr", "picked", "binder", "column", "type", "pattern")
FORM = 1  # of the tables; raise it when they look otherwise
# No name in a rule file may be one of these.
RESERVED: frozenset[str] = reserved_words()


@cache
def grammar_text() -> str:
    return grammar_file().read_text(encoding="utf-8")


@cache
def tables() -> tuple[LexerData, TableData]:
    """Working them out takes some 200 ms, and to import what does it a third of that; reading them next to nothing."""
    disk, name = DiskCache(), _name()
    found = _from_bytes(disk.read(name))
    if found is None:
        from ruleforge.lang.parser.table_builder import build, tables_of

        found = tables_of(build(grammar_text(), STARTS))
        disk.write(name, marshal.dumps(found))
    return found


@cache
def lexer() -> Lexer:
    """The lexer of the effect language."""
    return Lexer(tables()[0])


@cache
def table() -> Table:
    """The parser of the effect language, which builds syntax trees."""
    return Table(tables()[1], Builder())


def _name() -> str:
    """Made of all that the tables depend on."""
    parts = (grammar_text(), repr(STARTS), str(FORM), state_of("lark"), importlib.util.MAGIC_NUMBER.hex())
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest() + ".tables"


def _from_bytes(data: bytes | None) -> tuple[LexerData, TableData] | None:
    if data is None:
        return None
    try:
        lexer, table = marshal.loads(data)
        return lexer, table
    except (ValueError, EOFError, TypeError):  # an old file may raise any error: compute them anew
        return None


# The words and signs of the grammar, by the names of their terminals.


@cache
def terminals() -> dict[str, str]:
    """Map terminals to the words that they stand for."""
    return dict(re.findall(r'^([A-Z_]+): "([a-z]+)"$', grammar_text(), re.MULTILINE))


@cache
def signs() -> dict[str, str]:
    """Map terminals to the signs that they stand for."""
    return dict(re.findall(r'^([A-Z_]+): "([^a-z"]+)"$', grammar_text(), re.MULTILINE))

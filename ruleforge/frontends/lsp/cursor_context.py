"""Finds the YAML keys above a position, also in unfinished text, from lines and indentation."""

from __future__ import annotations

import re
from pathlib import Path

from ruleforge.frontends.lsp.symbols import Place
from ruleforge.frontends.lsp.workspace import View
from ruleforge.lang.schema.positions import ITEM
from ruleforge.lang.schema.validate import FileKind
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

_KEY = re.compile(r"""(?:"([^"]*)"|'([^']*)'|([^\s#"'{}\[\],&*!|>%@`-][^:#{}]*|-[^\s:]+))\s*:(?=\s|$)""")
_BLOCK = re.compile(r""":\s*[|>][-+0-9]*\s*(#.*)?$""")
_WORD_END = re.compile(r"[A-Za-z_][\w.-]*\Z")
_WORD_START = re.compile(r"[\w-]*")


@dataclass(frozen=True, slots=True)
class CursorContext:
    """A position in a text. `path` are the keys above, `word` is the word there, and `begun` its typed part.

    `before` is the rest of the key or value before the position, on the same line.
    """

    path: tuple[str, ...]
    is_key: bool
    word: str
    begun: str
    line: int
    column: int  # where the word begins
    before: str = ""

    def span(self, file: str) -> Span:
        return Span(file, self.line, self.column, self.line, self.column + len(self.word))


@dataclass(frozen=True, slots=True)
class _Token:
    column: int  # from 0
    key: str  # ITEM for a dash
    end: int  # where what follows begins


def path_at(text: str, place: Place) -> CursorContext | None:
    lines = text.split("\n")
    number, column = place[0] - 1, place[1] - 1
    if number >= len(lines):
        return None
    line = lines[number].rstrip("\r")
    column = min(column, len(line))
    begun = found[0] if (found := _WORD_END.search(line[:column])) else ""
    rest = found[0] if (found := _WORD_START.match(line[column:])) else ""
    start = column - len(begun)

    def here(path: list[str], is_key: bool, before: str = "") -> CursorContext:
        return CursorContext(tuple(path), is_key, begun + rest, begun, number + 1, start + 1, before)

    if (block := block_around(lines, number)) is not None:
        tokens = _tokens(lines[block])
        return here([*_above(lines, block, tokens[-1].column), tokens[-1].key], False)
    tokens = [token for token in _tokens(line) if token.column <= start]
    before = [token for token in tokens if token.end <= start]
    first = tokens[0].column if tokens else start if not line.strip() else len(line) - len(line.lstrip())
    path = _above(lines, number, first, bool(tokens) and tokens[0].key == ITEM)
    path += [token.key for token in before]
    rest_of_line = line[before[-1].end : start] if before else line[:start]
    if before and before[-1].key != ITEM:
        inner, is_key, written = _flow(rest_of_line)
        return here(path + inner, is_key, written)
    inner, is_key, written = _flow(rest_of_line)
    opened = rest_of_line.strip()[:1] in ("{", "[") and bool(rest_of_line.strip())
    return here(path + inner, is_key if opened else True, written)


def _tokens(line: str) -> list[_Token]:
    """The dashes and the key with which a line begins."""
    found: list[_Token] = []
    column = len(line) - len(line.lstrip(" "))
    while line[column : column + 2] == "- " or line[column:] == "-":
        found.append(_Token(column, ITEM, column + 1))
        column += 1
        column += len(line[column:]) - len(line[column:].lstrip(" "))
    if key := _KEY.match(line, column):
        name = next(part for part in key.groups() if part is not None)
        found.append(_Token(column, name.strip(), key.end()))
    return found


def _above(lines: list[str], number: int, column: int, is_item: bool = False) -> list[str]:
    """The keys under which a line with this indent lies."""
    path: list[str] = []
    limit, item = column, is_item
    for line in reversed(lines[:number]):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        for token in reversed(_tokens(line)):
            below = token.column < limit or (item and token.key != ITEM and token.column == limit)
            if below:
                path.append(token.key)
                limit, item = token.column, token.key == ITEM
        if limit == 0 and not item:
            break
    return path[::-1]


def block_around(lines: list[str], number: int) -> int | None:
    """The line that opens the text under `|` in which a line lies."""
    line = lines[number]
    indent = len(line) - len(line.lstrip(" ")) if line.strip() else None
    for above in range(number - 1, -1, -1):
        text = lines[above]
        if not text.strip():
            continue
        own = len(text) - len(text.lstrip(" "))
        if indent is None or own < indent:
            tokens = _tokens(text)
            if tokens and tokens[-1].key != ITEM and _BLOCK.search(text):
                return above if indent is None or tokens[-1].column < indent else None
            if indent is None and tokens:
                return None
            indent = own if indent is None else min(indent, own)
            if tokens and tokens[0].column == own and not _is_text(lines, above):
                return None
    return None


def _is_text(lines: list[str], number: int) -> bool:
    """May a line be part of a text above it? A line of a text may look like a key."""
    own = len(lines[number]) - len(lines[number].lstrip(" "))
    for text in reversed(lines[:number]):
        if text.strip() and len(text) - len(text.lstrip(" ")) < own:
            return bool(_BLOCK.search(text)) or not _tokens(text)
    return False


def _flow(text: str) -> tuple[list[str], bool, str]:
    """Inside `{...}` and `[...]` of one line: the keys that lead on, whether a key comes next, and what of it is there.

    A bracket opens something where a value begins; further in, and between quotes, it is part of a text.
    """
    stack: list[str | None] = []  # for each open bracket: the key after which we are, ITEM in a list
    begun = quote = ""
    for sign in text:
        if quote or (sign in "\"'" and not begun.strip()):
            quote = "" if sign == quote else quote or sign
            begun += sign
        elif sign in "{[" and not begun.strip():
            stack.append(ITEM if sign == "[" else None)
            begun = ""
        elif sign in "}]" and stack:
            stack.pop()
        elif sign == "," and stack:
            if stack[-1] != ITEM:
                stack[-1] = None
            begun = ""
        elif sign == ":" and stack and stack[-1] is None:
            stack[-1] = begun.strip().strip("\"'")
            begun = ""
        else:
            begun += sign
    written = begun.lstrip().removeprefix(quote)
    return [key for key in stack if key is not None], bool(stack) and stack[-1] is None, written


def file_kind(view: View, path: Path) -> FileKind | None:
    """By which schema a file is read."""
    beside = (file for folder in view.found.beside.folders for file in folder.files)
    for file in beside:
        if Path(file.path).absolute() == path:
            return file.kind
    if path not in view.contents and path not in view.texts:
        return None
    pack = view.root.pack
    return "pack" if pack is not None and pack in path.parents else "ruleset"

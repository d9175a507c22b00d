"""Writes a rulebook as Markdown in lines of at most 120 characters; the texts of authors are escaped."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator

from ruleforge.tools.rulebook import book as b

_WIDTH = 118
BELOW = "    "  # readers of Markdown disagree about what is below a point; of four blanks all say that it is


def markdown(book: b.Rulebook) -> str:
    parts = [f"# {_text(book.title)}", *_blocks(book.blocks)]
    for section in book.sections:
        parts += _section(section, 2)
    return "\n\n".join(parts) + "\n"


def _section(section: b.Section, depth: int) -> Iterator[str]:
    yield f"{'#' * min(depth, 6)} {_text(section.title)}"
    yield from _blocks(section.blocks)
    for inner in section.sections:
        yield from _section(inner, depth + 1)


def _blocks(blocks: tuple[b.Block, ...]) -> Iterator[str]:
    for block in blocks:
        match block:
            case b.Words(text=text):
                yield wrapped(_text(text))
            case b.Plain(text=text):
                yield f"```text\n{text}\n```"
            case b.Effect(text=text):
                yield "\n".join(_fenced(text, ""))
            case b.Cited(clauses=clauses):
                yield wrapped(f"*{', '.join(clauses)}*")
            case b.Rows():
                yield from _table(block)
            case b.Items(items=items, ordered=ordered):
                yield "\n".join(_items(items, ordered, ""))
            case b.Clauses(clauses=clauses):
                yield "\n".join(wrapped(f"- **{id_}** {_text(rule)}", "  ") for id_, rule in clauses)


_TEXTS = ("", "says")  # columns of sentences; they need no label


def _table(table: b.Rows) -> Iterator[str]:
    """A table; where it is too wide its texts are a list below it, or all of it is a list if that leaves little."""
    columns = range(len(table.head))
    names = 1 if table.head[0] else 2  # a sign stands before its name
    facts = [i for i in columns if i < names or table.head[i] not in _TEXTS]
    if _fits(table, columns):
        yield _grid(table, columns)
    elif names + 1 < len(facts) < len(columns) and _fits(table, facts):
        yield _grid(table, facts)
        texts = [i for i in columns if i not in facts]
        yield _points(table, [row for row in table.rows if any(row[i] for i in texts)], names, texts)
    else:
        yield _points(table, table.rows, names, columns[names:])


def _grid(table: b.Rows, columns: Iterable[int]) -> str:
    rows = ([_cell(row[i]) for i in columns] for row in (table.head, ("---",) * len(table.head), *table.rows))
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _fits(table: b.Rows, columns: Iterable[int]) -> bool:
    return all(len(line) <= _WIDTH for line in _grid(table, columns).split("\n"))


def _points(table: b.Rows, rows: Iterable[tuple[str, ...]], names: int, columns: Iterable[int]) -> str:
    """A point for each row: its name, and its cells of these columns as sentences."""
    points = []
    for row in rows:
        name = " ".join(cell for cell in row[:names] if cell)
        cells = [_sentence(table.head[i], row[i]) for i in columns if row[i]]
        points.append(wrapped(" ".join((f"- **{_text(name)}**{':' if cells else ''}", *cells)), "  "))
    return "\n".join(points)


def _sentence(label: str, cell: str) -> str:
    text = cell if label in _TEXTS else f"{label[0].upper()}{label[1:]}: {cell}"
    return _text(text) + ("" if text[-1] in ".!?" else ".")


def _cell(text: str) -> str:
    return text if text == "---" else _text(text).replace("|", "\\|")


def _items(items: tuple[b.Item, ...], ordered: bool, indent: str) -> Iterator[str]:
    for number, item in enumerate(items, 1):
        sign = f"{number}." if ordered else "-"
        text = f": {_text(item.text)}" if item.text else ""
        inner = indent + BELOW
        yield wrapped(f"{indent}{sign} **{_text(item.name)}**{text}", inner)
        if item.effect:
            yield from ("", *_fenced(item.effect, inner), "")
        yield from _items(item.items, ordered, inner)


def _fenced(effect: str, indent: str) -> Iterator[str]:
    """An effect as code; a longer line goes on below, further in."""
    yield f"{indent}```text"
    for line in effect.split("\n"):
        start = line[: len(line) - len(line.lstrip())]
        yield from _lines(line, indent, indent + start + BELOW) or [""]
    yield f"{indent}```"


def _lines(text: str, first: str, below: str) -> list[str]:
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=below,
        break_long_words=False,
        break_on_hyphens=False,
    )


_CODE_SPAN = re.compile(r"`[^`]*`")
_BEFORE_A_SIGN = re.compile(r" (?=[-+*>#=|]|\d+[.)](?: |$))")  # a line with it would begin another block


def wrapped(text: str, below: str = "") -> str:
    """The text in lines; code is broken only if it is longer than a line, and no line begins a block."""
    joined = _CODE_SPAN.sub(lambda code: _unbroken(code[0], _WIDTH - len(below)), text.strip())
    joined = _BEFORE_A_SIGN.sub("\0", joined)
    first = text[: len(text) - len(text.lstrip())]
    return "\n".join(_lines(joined, first, below)).replace("\0", " ")


def _unbroken(code: str, width: int) -> str:
    return code.replace(" ", "\0") if len(code) <= width else code


_CODE = re.compile(r"(`[^`]*`|\*\*[^*]*\*\*)")
_SPECIAL = re.compile(r"([\\<>\[\]_*#])")


def _text(text: str) -> str:
    """Escape a text, except for our own code and bold signs."""
    parts = _CODE.split(text)
    return "".join(part if i % 2 else _SPECIAL.sub(r"\\\1", part) for i, part in enumerate(parts))

"""Writes a rulebook as Markdown; the texts of authors are escaped."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from ruleforge.tools.rulebook import book as b

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
                yield _wrapped(_text(text))
            case b.Plain(text=text) | b.Effect(text=text):
                yield f"```text\n{text}\n```"
            case b.Cited(clauses=clauses):
                yield f"*{', '.join(clauses)}*"
            case b.Rows():
                yield _table(block)
            case b.Items(items=items, ordered=ordered):
                yield "\n".join(_items(items, ordered, ""))
            case b.Clauses(clauses=clauses):
                yield "\n".join(_wrapped(f"- **{id_}** {_text(rule)}", "  ") for id_, rule in clauses)


def _table(table: b.Rows) -> str:
    lines = [table.head, ("---",) * len(table.head), *table.rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in row) + " |" for row in lines)


def _cell(text: str) -> str:
    return text if text == "---" else _text(text).replace("|", "\\|")


def _items(items: tuple[b.Item, ...], ordered: bool, indent: str) -> Iterator[str]:
    for number, item in enumerate(items, 1):
        sign = f"{number}." if ordered else "-"
        text = f": {_text(item.text)}" if item.text else ""
        inner = indent + BELOW
        yield _wrapped(f"{indent}{sign} **{_text(item.name)}**{text}", inner)
        if item.effect:
            yield from ("", *(f"{inner}{line}" for line in f"```text\n{item.effect}\n```".split("\n")), "")
        yield from _items(item.items, ordered, inner)


_WIDTH = 118
_UNBROKEN = re.compile(r"`[^`]*`| (?=[-+*] |\d+[.)] )")  # code, and the blank before what would begin a list


def _wrapped(text: str, below: str = "") -> str:
    """The text in lines; code is not broken, and no line looks like a point of a list."""
    joined = _UNBROKEN.sub(lambda found: found[0].replace(" ", "\0"), text.strip())
    first = text[: len(text) - len(text.lstrip())]
    lines = textwrap.wrap(
        joined,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=below,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines).replace("\0", " ")


_CODE = re.compile(r"(`[^`]*`|\*\*[^*]*\*\*)")
_SPECIAL = re.compile(r"([\\<>\[\]_*#])")


def _text(text: str) -> str:
    """What is code or bold by our own hand stays so; all other signs are only signs."""
    parts = _CODE.split(text)
    return "".join(part if i % 2 else _SPECIAL.sub(r"\\\1", part) for i, part in enumerate(parts))

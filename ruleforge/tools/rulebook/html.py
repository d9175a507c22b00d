"""Writes a rulebook as one self-contained HTML page; all text is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from ruleforge.tools.rulebook import book as b

_STYLE = """
:root{color-scheme:light dark;--ink:#1d2127;--back:#fdfdfb;--soft:#6a7078;--line:#d8dade;--shade:#f1f2f0}
@media(prefers-color-scheme:dark){
:root{--ink:#e5e6e8;--back:#17191d;--soft:#9ba1aa;--line:#3a3f47;--shade:#22252b}}
body{font:16px/1.55 Georgia,serif;color:var(--ink);background:var(--back);
max-width:52rem;margin:2rem auto;padding:0 1rem}
h1,h2,h3,h4,nav,table{font-family:system-ui,sans-serif}
h2{border-bottom:1px solid var(--line);margin-top:2.5rem}
nav ul{columns:2;list-style:none;padding:0}
a{color:inherit}
pre{background:var(--shade);padding:.7rem;overflow-x:auto;line-height:1.25}
code{background:var(--shade);padding:0 .2em}
.cited{color:var(--soft);font-size:.85rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.9rem}
th,td{border-bottom:1px solid var(--line);padding:.25rem .6rem;text-align:left;vertical-align:top}
dt{font-weight:bold;float:left;clear:left;min-width:6.5rem}
dd{margin:0 0 .4rem 7rem}
@media print{nav{display:none}}
"""


def html(book: b.Rulebook) -> str:
    title = escape(book.title)
    parts = [
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<style>{_STYLE}</style></head><body><main><h1>{title}</h1>",
        *_blocks(book.blocks),
        f"<nav><ul>{''.join(_entry(section) for section in book.sections)}</ul></nav>",
    ]
    for section in book.sections:
        parts += _section(section, 2)
    return "\n".join((*parts, "</main></body></html>")) + "\n"


def _entry(section: b.Section) -> str:
    return f'<li><a href="#{_anchor(section.title)}">{escape(section.title)}</a></li>'


def _section(section: b.Section, depth: int) -> Iterator[str]:
    level = min(depth, 6)
    anchor = f' id="{_anchor(section.title)}"' if depth == 2 else ""
    yield f"<h{level}{anchor}>{escape(section.title)}</h{level}>"
    yield from _blocks(section.blocks)
    for inner in section.sections:
        yield from _section(inner, depth + 1)


def _blocks(blocks: tuple[b.Block, ...]) -> Iterator[str]:
    for block in blocks:
        match block:
            case b.Words(text=text):
                yield f"<p>{_text(text)}</p>"
            case b.Plain(text=text) | b.Effect(text=text):
                yield f"<pre>{escape(text)}</pre>"
            case b.Cited(clauses=clauses):
                links = ", ".join(f'<a href="#{_anchor(id_)}">{escape(id_)}</a>' for id_ in clauses)
                yield f'<p class="cited">{links}</p>'
            case b.Rows(head=head, rows=rows):
                yield f'<div class="wide"><table><tr>{_row(head, "th")}</tr>'
                yield from (f"<tr>{_row(row, 'td')}</tr>" for row in rows)
                yield "</table></div>"
            case b.Items(items=items, ordered=ordered):
                yield _items(items, "ol" if ordered else "ul")
            case b.Clauses(clauses=clauses):
                inside = "".join(
                    f'<dt id="{_anchor(id_)}">{escape(id_)}</dt><dd>{_text(rule)}</dd>'
                    for id_, rule in clauses
                )
                yield f"<dl>{inside}</dl>"


def _row(cells: tuple[str, ...], tag: str) -> str:
    return "".join(f"<{tag}>{_text(cell)}</{tag}>" for cell in cells)


def _items(items: tuple[b.Item, ...], tag: str) -> str:
    inside = "".join(
        f"<li><b>{escape(item.name)}</b>{': ' + _text(item.text) if item.text else ''}"
        f"{f'<pre>{escape(item.effect)}</pre>' if item.effect else ''}"
        f"{_items(item.items, tag) if item.items else ''}</li>"
        for item in items
    )
    return f"<{tag}>{inside}</{tag}>"


_CODE = re.compile(r"`([^`]*)`|\*\*([^*]*)\*\*")


def _text(text: str) -> str:
    parts, end = [], 0
    for found in _CODE.finditer(text):
        code, bold = found.groups()
        parts.append(escape(text[end : found.start()]))
        parts.append(f"<code>{escape(code)}</code>" if code is not None else f"<b>{escape(bold)}</b>")
        end = found.end()
    return "".join((*parts, escape(text[end:])))


def _anchor(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")

"""A place in a text -> what may be written there: keys by the schema, names by the checker's own scope."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ruleforge.beside.known import SPECIAL, Known, Spoken
from ruleforge.check import typed as t
from ruleforge.check.suggesting import Form, Suggestion, names, suggestions
from ruleforge.check.walk import phases_of
from ruleforge.dsl.fields import Start
from ruleforge.dsl.parsed import ParsedText
from ruleforge.frontends.editor.places import Here, block_around, file_kind, path_at
from ruleforge.frontends.editor.symbols import Place
from ruleforge.frontends.editor.workspace import View
from ruleforge.names import with_article
from ruleforge.schema.positions import ITEM, keys_at, values_at
from ruleforge.schema.validate import FileKind

_FORMS: Mapping[Start, Form] = {
    "block": "block",
    "expr": "expr",
    "binder": "binder",
    "picked": "picked",
    "pattern": "pattern",
}
_PATTERNS = ("start of", "end of", "move", "change of")


def complete(view: View, path: Path, place: Place) -> list[Suggestion]:
    """Everything that may stand at a place, each word once, the likeliest first."""
    text = view.contents.get(path, "")
    kind = file_kind(view, path)
    here = path_at(text, place)
    if kind is None or here is None:
        return []
    found = [*_in_effect(view, path, place, text), *_by_position(view, kind, here, text)]
    return list({suggestion.word: suggestion for suggestion in reversed(found)}.values())[::-1]


# --- inside the effect language ---


def _in_effect(view: View, path: Path, place: Place, text: str) -> Iterator[Suggestion]:
    checked, parsed = view.found.analysis.checked, view.found.analysis.parsed
    if checked is None or parsed is None:
        return
    lines = text.split("\n")
    block = block_around(lines, place[0] - 1)
    around = _text_at(view, path, place)
    start = around.text.start if around else None
    if start in ("type", "column"):
        yield from _types(checked)
        return
    if start is None and block is None:
        return
    form = _FORMS.get(start, "expr") if start else "block"
    written, offset = _written(lines, place, block, view, path)
    scope = _scope(checked, view, path, place)
    if form == "pattern":
        yield from (Suggestion(word, "word") for word in _PATTERNS)
    yield from suggestions(checked, written, offset, scope, form)


def _text_at(view: View, path: Path, place: Place) -> ParsedText | None:
    """The effect text around a place; blanks behind it are to be written on."""
    parsed, name = view.found.analysis.parsed, _name(view, path)
    lines = view.contents.get(path, "").split("\n")
    line = lines[place[0] - 1] if place[0] <= len(lines) else ""
    behind = place[0], min(place[1], len(line[: place[1] - 1].rstrip(" ")) + 1)
    for text in parsed.texts.values() if parsed else ():
        span = text.source.span
        if span.file == name and (span.line, span.column) <= behind <= (span.end_line, span.end_column):
            return text
    return None


def _scope(checked: t.Checked, view: View, path: Path, place: Place) -> Mapping[str, t.Variable]:
    """What may be named at a place; on an empty line, what may be named where its text begins."""
    found = checked.names.in_scope(_name(view, path), *place)
    text = _text_at(view, path, place)
    if found or text is None:
        return found
    for (number, column), line in zip(text.source.starts, text.source.text.split("\n"), strict=False):
        if line.strip():
            first = column + len(line) - len(line.lstrip())
            return checked.names.in_scope(_name(view, path), number, first)
    return found


def _name(view: View, path: Path) -> str:
    """How spans call a file."""
    return next((name for name in view.named_contents if Path(name).absolute() == path), str(path))


def _written(lines: list[str], place: Place, block: int | None, view: View, path: Path) -> tuple[str, int]:
    """The text around a place, and where in it the place is."""
    number, column = place[0] - 1, place[1] - 1
    if block is None:
        line, parsed = lines[number], view.found.analysis.parsed
        name = _name(view, path)
        spans = [text.source.span for text in (parsed.texts.values() if parsed else ())]
        ends = {
            s.column - 1: s.end_column - 1
            for s in spans
            if (s.file, s.line, s.end_line) == (name, *place[:1] * 2)
        }
        begin = max((first for first in ends if first <= column), default=0)
        return line[begin : max(ends.get(begin, len(line)), column)], column - begin
    indent = min(
        (len(line) - len(line.lstrip(" ")) for line in _body(lines, block) if line.strip()), default=column
    )
    body = [line[indent:] for line in _body(lines, block, number + 1)]
    row = number - block - 1
    before = "\n".join(body[:row]) + ("\n" if row else "")
    return "\n".join(body), len(before) + max(0, column - indent)


def _body(lines: list[str], block: int, least: int = 0) -> Iterator[str]:
    """The lines of a text under `|`, at least as far as a line."""
    own = len(lines[block]) - len(lines[block].lstrip(" "))
    for number in range(block + 1, len(lines)):
        line = lines[number]
        if line.strip() and len(line) - len(line.lstrip(" ")) <= own and number >= least:
            return
        yield line


def _types(checked: t.Checked) -> Iterator[Suggestion]:
    yield from (Suggestion(kind, "kind") for kind in checked.kinds)
    yield from (Suggestion(word, "word") for word in ("flag", "set of", "or none", "per"))
    yield from (Suggestion(name, "number", str(value)) for name, value in checked.numbers.items())


# --- by the place in the file ---


def _by_position(view: View, kind: FileKind, here: Here, text: str) -> Iterator[Suggestion]:
    checked = view.found.analysis.checked
    if here.is_key:
        for name, words in keys_at(kind, here.path).items():
            yield Suggestion(name, "key", words)
    if checked is not None:
        yield from _names_at(checked, kind, here)
    if not here.is_key or here.path[-1:] == (ITEM,):
        yield from (Suggestion(word, "value") for word in values_at(kind, here.path))
        key = next((step for step in reversed(here.path) if step != ITEM), "")
        if key in ("cites", "about", "otherwise", "clause", "over"):
            yield from (Suggestion(c.id, "clause", c.rule) for c in view.found.beside.clauses.values())


def _names_at(checked: t.Checked, kind: FileKind, here: Here) -> Iterator[Suggestion]:
    """Names that stand as keys or plain words of YAML."""
    if kind == "scenario":
        yield from _in_scenario(checked, here)
        return
    match here.path:
        case ("kinds", owner, "things", _) if here.is_key:
            columns = (c for c in checked.columns.values() if c.kind.name == owner and c.constant)
            yield from (Suggestion(c.name, "fact", str(c.type)) for c in columns)
        case ("kinds", owner, "things", _, fact) if here.is_key:
            column = checked.columns.get((owner, fact))
            per = column.per[:1] if column is not None else ()
            yield from (Suggestion(name, "thing", each.name) for each in per for name in each.things)
        case ("kinds",) if here.is_key and kind == "pack":
            yield from (Suggestion(name, "kind") for name in checked.kinds)
        case ("profiles", _, "weighs"):
            yield from (Suggestion(name, "action") for name in checked.actions)
        case (*_, "during") | (*_, "during", "-"):
            yield from _occasions(checked)
        case (*_, "resets"):
            yield from _occasions(checked)
        case ("kinds", _, "has" | "facts", _) | (*_, "takes" | "of", _) | (*_, "type" | "holds"):
            yield from _types(checked)
        case (*_, "keywords", "-") | (*_, "includes", "-"):
            yield from (Suggestion(k.name, "keyword", k.text) for k in checked.keywords.values())
        case ("layout", "kinds") if here.is_key:
            yield from (Suggestion(name, "kind") for name in checked.kinds)
        case ("layout", "kinds", owner, "shows" | "face" | "by", "-"):
            columns = (c for c in checked.columns.values() if c.kind.name == owner)
            yield from (Suggestion(c.name, "attribute", str(c.type)) for c in columns)
    if kind == "contract":
        yield from names(checked)


def _occasions(checked: t.Checked) -> Iterator[Suggestion]:
    yield from _phases(checked)
    yield from (Suggestion(name, "window") for name in checked.windows)


def _phases(checked: t.Checked) -> Iterator[Suggestion]:
    yield from (Suggestion(phase.name, "phase") for phase in phases_of(checked.flow))


def _in_scenario(checked: t.Checked, here: Here) -> Iterator[Suggestion]:
    known = Known(checked, checked.players[1], Spoken(checked))
    match here.path:
        case ("start",) | ("steps", "-", "given" | "expect" | "sees"):
            yield from _paths(known, here)
        case ("steps", "-"):
            yield from (Suggestion(seat, "player") for seat in known.seats)
        case ("begin",) | ("begin", "phase") if not here.is_key:
            yield from _phases(checked)
        case ("options",):
            yield from (Suggestion(o.name, "option", str(o.type)) for o in checked.options.values())
        case (*_, "reason"):
            yield from (Suggestion(e.name, "ending", e.text) for e in checked.endings.values())
        case (*_, "player") | (*_, "winners", "-"):
            yield from (Suggestion(seat, "player") for seat in known.seats)
        case _ if not here.is_key or here.path[-1:] == (ITEM,):
            yield from (Suggestion(name.rpartition(".")[2], "action") for name in checked.actions)
            yield from _things(known.kinds_of)


def _paths(known: Known, here: Here) -> Iterator[Suggestion]:
    """A thing, then its members behind the dot."""
    owner, dot, _ = here.begun.rpartition(".")
    if dot:
        kind = known.plain(owner)
        members = known.members.get(kind, {}) if kind else {}
        yield from (Suggestion(f"{owner}.{name}", "attribute", str(m.type)) for name, m in members.items())
        return
    yield from _things(known.kinds_of)
    yield from (Suggestion(name, "place", str(m.type)) for name, m in known.members.get("", {}).items())
    yield from (Suggestion(path, "path") for path in SPECIAL)


def _things(kinds_of: Mapping[str, Iterable[str]]) -> Iterator[Suggestion]:
    return (Suggestion(thing, "thing", with_article(", ".join(kinds))) for thing, kinds in kinds_of.items())


def replaced(text: str, place: Place, word: str) -> int:
    """How many signs before a place a word takes the place of; one with dots or dashes all that belongs to it."""
    lines = text.split("\n")
    line = lines[place[0] - 1] if place[0] <= len(lines) else ""
    signs = r"[\w.-]*\Z" if re.search(r"[.-]", word) else r"\w*\Z"
    found = re.search(signs, line[: place[1] - 1])
    return len(found[0]) if found else 0

"""Updates the entries of `mutants.yaml` that repeat lines changed by a rename."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ruleforge.frontends.lsp.symbols import LOCAL, Place, Symbol
from ruleforge.frontends.lsp.workspace import View
from ruleforge.lang.source.tree import MappingNode, ScalarNode, SequenceNode, SourceFile
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass
from ruleforge.tools.mutation.all_mutants import definitions

Change = tuple[Span, str]
Edits = Mapping[Path, tuple[Change, ...]]


@dataclass(frozen=True, slots=True, order=True)
class Word:
    """One word of a line: its number among equal words, and its replacement."""

    old: str
    number: int
    new: str

    def within(self, text: str) -> tuple[int, int] | None:
        """The place of the old text in a text with the same words, in any layout and quotes."""
        found = list(_spelt(self.old).finditer(text))
        return found[self.number].span() if self.number < len(found) else None


@dataclass(frozen=True, slots=True)
class Naming:
    """A name and its new one."""

    symbol: Symbol
    new: str

    def may_replace(self, view: View, path: Path, places: range, place: Place) -> bool:
        """Is it this name that a change brings in? Names of one sort and owner are swapped, and known locals."""
        symbol = self.symbol
        if symbol.what == LOCAL:
            spans = (symbol.span, *view.index.uses.get(symbol, ()))
            return any(span.line in places and Path(span.file).absolute() == path for span in spans)
        replaced = view.index.at(path, place)
        return replaced is not None and (replaced[0].what, replaced[0].of) == (symbol.what, symbol.of)


def excused(view: View, edits: Edits, symbol: Symbol, new: str) -> Iterator[tuple[Path, Change]]:
    """An entry tells a change of the rules by the definition, the line before it and the line after it."""
    for folder in view.found.beside.folders:
        source = folder.mutants.source if folder.mutants else None
        listed = source.root.get("equivalent") if source else None
        for node in listed.items if isinstance(listed, SequenceNode) else ():
            if isinstance(node, MappingNode):
                yield from _in_entry(view, folder.path, node, edits, Naming(symbol, new))


def _in_entry(
    view: View, home: Path, node: MappingNode, edits: Edits, naming: Naming
) -> Iterator[tuple[Path, Change]]:
    values = {key: node.get(key) for key in ("file", "in", "before", "after")}
    given = {key: value for key, value in values.items() if isinstance(value, ScalarNode)}
    file = _rule_file(view, home, given["file"].text) if "file" in given else None
    if file is None or not {"in", "before"} <= given.keys():
        return
    path, lines = Path(file.path).absolute(), file.content.split("\n")
    inside, before = given["in"], _joined(given["before"].text)
    places = _lines_of(file, inside.text)
    changes = edits.get(path, ())
    found = [(inside, word) for word in _of_definition(lines, places, changes, inside.text)]
    number = next((number for number in places if _joined(lines[number - 1]) == before), None)
    if number is not None:
        line = lines[number - 1]
        words = _words(line, number, changes)
        found += [(given["before"], word) for word in words]
        if "after" in given:
            after = _joined(given["after"].text)
            found += [(given["after"], word) for word in _still_there(before, after, words)]
            indent = len(line) - len(line.lstrip())
            found += [
                (given["after"], word)
                for begin, word in _brought_in(before, after, naming)
                if naming.may_replace(view, path, places, (number, indent + begin + 1))
            ]
    for scalar, word in dict.fromkeys(found):
        if span := _placed(view, scalar.span, word):
            yield Path(scalar.span.file).absolute(), (span, word.new)


def _rule_file(view: View, home: Path, name: str) -> SourceFile | None:
    analysis = view.found.analysis
    trees = [tree for tree in (analysis.source, *(pack.source for pack in analysis.packs)) if tree]
    wanted = (home / name).absolute()
    return next((f for tree in trees for f in tree.files if Path(f.path).absolute() == wanted), None)


def _lines_of(file: SourceFile, name: str) -> range:
    """The lines of a definition, up to the next one."""
    begun = definitions(file)
    for number, (line, known) in enumerate(begun):
        if known.rstrip(".") == name:
            after = begun[number + 1][0] if number + 1 < len(begun) else file.content.count("\n") + 2
            return range(line, after)
    return range(0)


def _words(line: str, number: int, changes: Sequence[Change]) -> list[Word]:
    """The changed words of a line."""
    found = []
    for span, new in changes:
        if span.line == number:
            old = line[span.column - 1 : span.end_column - 1]
            found.append(Word(old, len(_spelt(old).findall(line[: span.column - 1])), new))
    return found


def _of_definition(lines: list[str], places: range, changes: Sequence[Change], name: str) -> list[Word]:
    """The new name of a definition itself, where it has one."""
    if not places:
        return []
    line = lines[places[0] - 1]
    indent = len(line) - len(line.lstrip())
    own = name.rpartition(".")[2]
    keys = [new for span, new in changes if (span.line, span.column) == (places[0], indent + 1)]
    return [
        Word(own, len(_spelt(own).findall(name)) - 1, new) for new in keys if line[indent:].startswith(own)
    ]


def _same(before: str, after: str) -> tuple[int, int]:
    """How much of two lines is the same at their beginning and at their end."""
    first = _alike(before, after)
    return first, _alike(before[first:][::-1], after[first:][::-1])


def _alike(one: str, other: str) -> int:
    both = enumerate(zip(one, other, strict=False))
    return next((number for number, (a, b) in both if a != b), min(len(one), len(other)))


def _still_there(before: str, after: str, words: list[Word]) -> Iterator[Word]:
    """The words of a line that a change leaves."""
    first, last = _same(before, after)
    for word in words:
        begin, end = word.within(before) or (0, 0)
        shift = 0 if end <= first else len(after) - len(before)
        if end <= first or begin >= len(before) - last:
            yield from _at(after, word.old, begin + shift, word.new)


def _brought_in(before: str, after: str, naming: Naming) -> Iterator[tuple[int, Word]]:
    """The name where it stands in the place of another, and where that is."""
    first, last = _same(before, after)
    for found in _spelt(naming.symbol.name).finditer(after):
        if found.start() <= first < found.end() and found.start() < len(after) - last:
            for word in _at(after, naming.symbol.name, found.start(), naming.new):
                yield found.start(), word


def _at(text: str, old: str, begin: int, new: str) -> Iterator[Word]:
    starts = [found.start() for found in _spelt(old).finditer(text)]
    if begin in starts:
        yield Word(old, starts.index(begin), new)


def _placed(view: View, span: Span, word: Word) -> Span | None:
    """The place of a word in the text of an entry, which may be quoted and may have several lines."""
    lines = view.contents[Path(span.file).absolute()].split("\n")
    seen = 0
    for number in range(span.line, span.end_line + 1):
        line = lines[number - 1]
        start = span.column - 1 if number == span.line else 0
        end = span.end_column - 1 if number == span.end_line else len(line)
        for found in _spelt(word.old).finditer(line, start, end):
            if seen == word.number:
                return Span(span.file, number, found.start() + 1, number, found.end() + 1)
            seen += 1
    return None


def _spelt(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")


def _joined(text: str) -> str:
    return " ".join(text.split())

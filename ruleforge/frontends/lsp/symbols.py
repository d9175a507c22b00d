"""The symbol index of a game: declarations and uses in rules, scenarios and packs."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import field
from functools import cached_property
from pathlib import Path

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.names import Key, copies_in, last_word, spans_of
from ruleforge.lang.checker.types import Type
from ruleforge.lang.checker.walk import nodes
from ruleforge.lang.source.tree import Entry, MappingNode, ScalarNode, SequenceNode, SourceNode, SourceTree
from ruleforge.project.pipeline import Analysis
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass
from ruleforge.tools.project_files.side_files import citations_in, mentions_in
from ruleforge.tools.validation import Validated

CLAUSE = "clause"
LOCAL = "local"
_LOCAL = re.compile(r"(?<![\w.])[a-z_]\w*")
Place = tuple[int, int]  # line and column, from 1


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named definition; `of` is its owner, `span` the place of its declaration."""

    what: str
    name: str
    span: Span
    of: str = ""
    type: Type | None = field(default=None, compare=False)  # of a local
    written: bool = field(
        default=True, compare=False
    )  # is the name itself there, or only what brings it along?


@dataclass(frozen=True)
class Index:
    """`uses` are exact: each span is the name itself, the plural of a kind, or the name and the number of a copy;
    `hints` mean it by other words."""

    uses: Mapping[Symbol, tuple[Span, ...]]
    hints: Mapping[Symbol, tuple[Span, ...]]

    @cached_property
    def _by_file(self) -> Mapping[Path, list[tuple[Place, Place, Symbol, Span]]]:
        found: dict[str, list[tuple[Place, Place, Symbol, Span]]] = {}
        for symbol, uses in self.uses.items():
            own = (symbol.span,) if symbol.written else ()
            for span in (*own, *uses, *self.hints.get(symbol, ())):
                place = ((span.line, span.column), (span.end_line, span.end_column), symbol, span)
                found.setdefault(span.file, []).append(place)
        return {Path(file).absolute(): sorted(places, key=lambda p: p[:2]) for file, places in found.items()}

    def at(self, path: Path, place: Place) -> tuple[Symbol, Span] | None:
        """The symbol at a place, and the span of its name."""
        places = self._by_file.get(path, [])
        number = bisect_right(places, place, key=lambda known: known[0])
        around = [p for p in places[max(0, number - 12) : number] if p[0] <= place <= p[1]]
        found = min(around, key=lambda p: (p[1][0] - p[0][0], p[1][1] - p[0][1], p[0] < place), default=None)
        return found[2:] if found else None

    def everywhere(self, path: Path) -> Iterator[tuple[Symbol, Span]]:
        """All names of a file in order."""
        return ((symbol, span) for _, _, symbol, span in self._by_file.get(path, []))


def index_of(found: Validated, contents: Mapping[str, str], only: Container[str] | None = None) -> Index:
    """`contents` are the texts by their file names in spans; `only` are the files that the caller needs."""
    wanted = contents if only is None else only
    exact = Exact(contents)
    uses: dict[Symbol, dict[Span, None]] = {}
    hints: dict[Symbol, dict[Span, None]] = {}

    def note(symbol: Symbol, spans: Iterable[Span], also: str = "", numbered: int = 0) -> None:
        known, loose = uses.setdefault(symbol, {}), hints.setdefault(symbol, {})
        for span in spans:
            if span.file not in wanted:  # some are built in
                continue
            # of `new thing(name = name)` the second is a value, under any name
            name = exact.given(span, symbol.name) if symbol.what == "attribute" else None
            name = name or exact.name(span, symbol.name) or exact.given(span, symbol.name)
            if name is None and also:
                name = exact.name(span, also)
            if name is None and numbered:
                name = exact.copy(span, symbol.name)
            if name is None:
                loose[span] = None
            elif name != symbol.span:
                known[name] = None

    checked = found.analysis.checked
    if checked is not None:
        mentions = mentions_in(found.analysis, found.beside, wanted).spans
        keys = named_by_keys(found.analysis)
        copies, copies_by_keys = copies_in(mentions), copies_in(keys)
        for declared in checked.names.declared:
            span = exact.name(declared.span, declared.name) or declared.span
            symbol = Symbol(declared.what, declared.name, span, declared.of)
            plural = _plural(checked, symbol)
            spans = (
                *checked.names.references[declared],
                *spans_of(declared, mentions, copies),
                *spans_of(declared, keys, copies_by_keys),
            )
            note(symbol, spans, plural, declared.numbered)
        for variable, read in _locals(checked):
            name = exact.declared(variable.span, variable.name)
            symbol = Symbol(LOCAL, variable.name, name or variable.span, "", variable.type, name is not None)
            note(symbol, read)
    cited: dict[str, list[Span]] = {}
    for citation in citations_in(found.analysis, found.beside.folders):
        cited.setdefault(citation.clause, []).append(citation.span)
    for clause in found.beside.clauses.values():
        span = exact.name(clause.span, clause.id) or clause.span
        note(Symbol(CLAUSE, clause.id, span), cited.get(clause.id, ()))
    return Index(_sorted(uses), _sorted(hints))


def _sorted(spans: Mapping[Symbol, Iterable[Span]]) -> dict[Symbol, tuple[Span, ...]]:
    return {symbol: tuple(sorted(found)) for symbol, found in spans.items()}


def _plural(checked: t.Checked, symbol: Symbol) -> str:
    """The other name of a kind: that of all its things."""
    kind = checked.kinds.get(symbol.name) if symbol.what == "kind" else None
    return kind.plural if kind is not None else ""


def _locals(checked: t.Checked) -> Iterator[tuple[t.Variable, list[Span]]]:
    """Every local with the places that read or set it."""
    found: dict[t.Variable, dict[Span, None]] = {}
    for node in nodes(checked):
        match node:
            case t.Use(variable=variable, span=span) | t.Assign(variable=variable, span=span):
                found.setdefault(variable, {})[span] = None
            case t.Binder(variable=variable) | t.Several(chosen=variable):
                found.setdefault(variable, {})
            case (
                t.Roll(variable=variable, span=span)
                | t.RandomPick(variable=variable, span=span)
                | t.Perform(into=t.Variable() as variable, span=span)
                | t.New(variable=t.Variable() as variable, span=span)
            ):  # what it gives is put into a local, new or known
                found.setdefault(variable, {})[span] = None
    for template in checked.tells.values():
        for variable, span in _in_log_sentence(template):
            found.setdefault(variable, {})[span] = None
    return ((variable, list(spans)) for variable, spans in found.items())


def _in_log_sentence(template: t.LogTemplate) -> Iterator[tuple[t.Variable, Span]]:
    """The locals in the placeholders of a log sentence."""
    given = {variable.name: variable for variable in template.given}
    for text in (placeholder.expression for placeholder in template.sentence.placeholders):
        for word in _LOCAL.finditer(text.text):
            if variable := given.get(word[0]):
                yield variable, text.span_at(1, word.start() + 1, 1, word.end() + 1)


# --- names to the letter ---

_OPENED = r"\s*[\"'|>+-]*\s*\Z"  # between a key and its text


class Exact:
    """Finds names inside the texts that spans cover."""

    def __init__(self, contents: Mapping[str, str]) -> None:
        self._contents = contents
        self._lines: dict[str, list[str]] = {}

    def lines(self, file: str) -> list[str]:
        if file not in self._lines:
            self._lines[file] = self._contents.get(file, "").split("\n")
        return self._lines[file]

    def name(self, span: Span, name: str) -> Span | None:
        """The first place in a stretch where a name stands by itself."""
        lines = self.lines(span.file)
        if span.line > len(lines):
            return None
        line = lines[span.line - 1]
        if span.line == span.end_line and line[span.column - 1 : span.end_column - 1] == name:
            return span
        return self._word(span, re.escape(name))

    def copy(self, span: Span, name: str) -> Span | None:
        """The first place in a stretch where one of several copies is named."""
        return self._word(span, rf"{re.escape(name)}_[0-9]+")

    def _word(self, span: Span, word: str) -> Span | None:
        by_itself = re.compile(rf"(?<![\w.-]){word}(?![\w-])")
        behind_a_dot = re.compile(rf"(?<=\.){word}(?![\w-])")
        return self._first(span, by_itself) or self._first(span, behind_a_dot)

    def _first(self, span: Span, word: re.Pattern[str]) -> Span | None:
        lines = self.lines(span.file)
        for number in range(span.line, min(span.end_line, len(lines)) + 1):
            text = lines[number - 1]
            start = span.column - 1 if number == span.line else 0
            end = span.end_column - 1 if number == span.end_line else len(text)
            if found := word.search(text, start, max(start, end)):
                return Span(span.file, number, found.start() + 1, number, found.end() + 1)
        return None

    def given(self, span: Span, name: str) -> Span | None:
        """The name to which a value is given, as in `name = value`."""
        lines = self.lines(span.file)
        before = lines[span.line - 1][: span.column - 1].rstrip() if span.line <= len(lines) else ""
        if not before.endswith("="):
            return None
        found = re.search(rf"(?<![\w.-]){re.escape(name)}(?=\s*=\s*\Z)", before)
        return Span(span.file, span.line, found.start() + 1, span.line, found.end() + 1) if found else None

    def declared(self, span: Span, name: str) -> Span | None:
        """The place where a local gets its name: the key right before the text that binds it, in that text,
        or further up.
        """
        return self._key(span, name, _OPENED) or self.name(span, name) or self._key(span, name)

    def _key(self, span: Span, name: str, behind: str = "") -> Span | None:
        lines = self.lines(span.file)
        key = re.compile(rf"(?<![\w.-]){re.escape(name)}(?=[\"']?\s*:{behind})")
        for number in range(min(span.line, len(lines)), max(span.line - 2, 0), -1):
            text = lines[number - 1]
            before = text[: span.column - 1] if number == span.line else text
            places = list(key.finditer(before))
            if places:
                return Span(span.file, number, places[-1].start() + 1, number, places[-1].end() + 1)
        return None


# Names that occur as YAML keys and words: facts of things, additions and targets of packs.


def named_by_keys(analysis: Analysis) -> Mapping[Key, list[Span]]:
    found: dict[Key, list[Span]] = {}
    trees = [tree for tree in (analysis.source, *(pack.source for pack in analysis.packs)) if tree]
    for section in (section for tree in trees for section in tree.sections("kinds")):
        for kind in _entries(section.value):
            found.setdefault(("kind", "", kind.name), []).append(kind.key.span)
            for column in (*_below(kind.value, "has"), *_below(kind.value, "facts")):
                resets = column.value.get("resets") if isinstance(column.value, MappingNode) else None
                if isinstance(resets, ScalarNode):
                    found.setdefault(("phase", "", resets.text), []).append(resets.span)
            for thing in _below(kind.value, "things"):
                found.setdefault(("thing", kind.name, thing.name), []).append(thing.key.span)
                for fact in _entries(thing.value):
                    found.setdefault(("fact", kind.name, fact.name), []).append(fact.key.span)
    for what, name, span in (named for pack in analysis.packs for named in _attached(pack.source)):
        found.setdefault((what, "", name), []).append(span)
    return found


def _attached(tree: SourceTree) -> Iterator[tuple[str, str, Span]]:
    """The sort, name and place of each definition of the game that a pack fills, settles, restricts or extends."""
    for section in tree.sections("fills"):
        yield from (("event", entry.name, entry.key.span) for entry in _entries(section.value))
    for section in tree.sections("chooses"):
        for entry in _entries(section.value):
            yield from ((what, entry.name, entry.key.span) for what in ("option", "number"))
    for section in tree.sections("holds"):
        for entry in _entries(section.value):
            of = entry.value.get("of") if isinstance(entry.value, MappingNode) else None
            if isinstance(of, ScalarNode):
                yield from ((what, of.text, of.span) for what in ("action", "phase"))
    for section in tree.sections("flow"):
        for item in section.value.items if isinstance(section.value, SequenceNode) else ():
            at = item.get("at") if isinstance(item, MappingNode) else None
            if isinstance(at, ScalarNode):
                phase = at.text.rpartition(" ")[2]
                yield "phase", phase, last_word(at.span, phase)


def _entries(node: SourceNode | None) -> Iterator[Entry]:
    return iter(node.entries if isinstance(node, MappingNode) else ())


def _below(node: SourceNode, key: str) -> Iterator[Entry]:
    return _entries(node.get(key) if isinstance(node, MappingNode) else None)

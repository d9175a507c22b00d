"""The YAML reader turns YAML text into source nodes: strict words, no repeated keys, no anchors, a place for
each value.

It builds the tree from the parser's events and not from composed nodes. Composing resolves aliases and
recurses; events show aliases and allow a depth limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeGuard

import yaml

from ruleforge.lang.source.damaged_files import conflict_in, cut_out
from ruleforge.lang.source.error_nodes import NO_ERROR_NODES, ErrorNodes, words_in
from ruleforge.lang.source.read_text import ReadingBudget, lines_of, read_text, shown
from ruleforge.lang.source.repairs import INDENT, Changed, repaired, shallower
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.lang.source.tree import (
    Entry,
    MappingNode,
    ScalarKind,
    ScalarNode,
    ScalarStyle,
    SequenceNode,
    SourceFile,
    SourceNode,
)
from ruleforge.lang.source.yaml_words import Surprise, kind_of, surprise_in
from ruleforge.support.diagnostics import Edit, Report, Span
from ruleforge.support.diagnostics.diagnostic import new_span, start_of
from ruleforge.support.records import dataclass
from ruleforge.support.terminal_escape import CONTROL, harmless

MAX_DEPTH = 100
SLIPS = 20  # so many edits are tried on a file that is no YAML

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_STYLES: dict[str | None, ScalarStyle] = {"'": "quoted", '"': "quoted", "|": "literal", ">": "folded"}


def read_yaml_file(path: Path, report: Report, home: Path | None = None) -> SourceFile | None:
    """One YAML file with a mapping at its top; None after a diagnostic that leaves nothing to look at."""
    text = read_text(path, report, home)
    if text is None:
        return None
    return read_yaml(text, shown(path), report)


def read_yaml(text: str, file: str, report: Report, room: ReadingBudget | None = None) -> SourceFile | None:
    """The same for a text that is already at hand; what is not YAML in it is left out, with a diagnostic."""
    room = room or ReadingBudget()
    builder = _Builder(file, lines_of(text), Report(), room.left)
    root = builder.read(text)
    room.values += builder.values
    if room.left < 0:
        assert builder.last is not None
        room.refuse_values(builder.last, report)
        return None
    if root is not None and not isinstance(root, MappingNode):
        help = "write sections, each with a name and a colon: `game:`, `kinds:`, ..."
        builder.report.add("RF122", "a file consists of `key: value` pairs", root.span, help)
        root = None
    report.include(*builder.report)
    if root is None:
        return None
    return SourceFile(file, root, text, builder.error_nodes, builder.report.diagnostics, builder.values)


def read_changed(changed: Changed, text: str, file: str, left: int) -> SourceFile | None:
    """A text as it is after a change, with the places of the text as it is; None if that is not right, either."""
    new = "\n".join(changed.lines)
    if _fault(new) is not None:
        return None
    builder = _Builder(file, lines_of(text), Report(), left, moved=dict(changed.longer), rows=changed.rows)
    root = builder.read_as_it_is(new)
    if not isinstance(root, MappingNode) or builder.report.has_errors:
        return None
    return SourceFile(file, root, text, values=builder.values)


def _events(text: str) -> Iterator[yaml.Event]:
    loader = _LOADER(text)
    try:
        yield from iter(loader.get_event, None)
    finally:
        loader.dispose()


def _fault(text: str) -> yaml.YAMLError | None:
    """The error of a text; None if it is YAML."""
    try:
        for _ in _events(text):
            pass
    except yaml.YAMLError as error:
        return error
    return None


@dataclass
class _Open:
    """A list or mapping whose end was not reached yet."""

    span: Span
    is_mapping: bool
    flow: bool
    items: list[SourceNode] = field(default_factory=list)


@dataclass
class _Builder:
    """Builds nodes from parser events with an explicit stack, so depth is no problem."""

    file: str
    lines: list[str]
    report: Report
    left: int  # how many values may come
    error_nodes: ErrorNodes = NO_ERROR_NODES
    values: int = 0
    last: Span | None = None  # the value with which there are too many
    moved: dict[int, int] = field(
        default_factory=dict
    )  # lines that are read as if they were longer by so much
    rows: tuple[int, ...] = ()  # of lines that were put in or swapped: where each of them stands in the file
    words: dict[tuple[int, int], frozenset[str]] = field(default_factory=dict)  # by lines

    def read(self, text: str) -> SourceNode | None:
        if (conflict := conflict_in(text, self.lines)) is not None:
            self._refuse_conflict(conflict)
            return None
        try:
            root = self._build(text)
        except yaml.YAMLError as error:
            return self._build(self._as_meant(error) or self._without_slips(error))
        if root is None and self.last is None and not self.report.has_errors:
            self.report.add("RF103", "the file has nothing but comments", start_of(self.file))
        return root

    def read_as_it_is(self, text: str) -> SourceNode | None:
        """The same for a text that is known to be YAML."""
        return self._build(text)

    def _as_meant(self, error: yaml.YAMLError) -> str | None:
        """The text as it is once the edits are made that the diagnostics carry; None if that makes no YAML of it.

        So nothing is missed that the author will find there.
        """
        from ruleforge.lang.source.yaml_problems.report import report_problem

        # One edit may bring the next mistake to light, so all of them are tried on one copy, up to a limit.
        lines, report, found = list(self.lines), Report(), error
        moved: dict[int, int] = {}
        for _ in range(SLIPS):
            change = report_problem(found, self.file, lines, report)
            if change is None or change.row in moved or not change.keeps_places(lines[change.row]):
                return None
            moved[change.row] = change.longer
            lines[change.row] = change.made(lines[change.row])
            text = "\n".join(lines)
            left = _fault(text)
            if left is None:
                self.moved = moved
                self.report.include(*report)
                return text
            found = left
        return None

    def _tell(self, error: yaml.YAMLError) -> None:
        from ruleforge.lang.source.yaml_problems.report import report_problem  # needed for diagnostics only

        report_problem(error, self.file, self.lines, self.report)

    def _refuse_conflict(self, row: int) -> None:
        """Two texts in one: nothing is known of what the file will say."""
        span = Span(self.file, row + 1, 1, row + 1, len(self.lines[row]) + 1)
        help = "keep one of the two texts, and delete the lines `<<<<<<<`, `=======` and `>>>>>>>`"
        self.report.add("RF108", "a merge was left unfinished here", span, help)

    def _without_slips(self, error: yaml.YAMLError) -> str:
        """The first slip is reported as the parser met it; every other one is a mistake of its own."""
        self._tell(error)
        text, slips = cut_out(self.lines, _fault)
        for slip in slips[1:]:
            self._tell(slip.error)
        # Later stages must not report that something is missing which stood in a part that could not be read.
        for slip in slips:
            words = words_in("\n".join(self.lines[slip.first : slip.last]))
            self.error_nodes |= ErrorNodes(words)
            if slip.above is not None:  # what lies around an error node may be left out because of it
                around = words_in(self.lines[slip.above])
                self.error_nodes |= ErrorNodes(around, frozenset({self._key_at(slip.above)}))
        return text

    def _key_at(self, number: int) -> Span:
        """The span of a line's key, without the sign of a list item."""
        line = self.lines[number]
        column = len(line) - len(line.lstrip(" -"))
        return Span(self.file, number + 1, column + 1, number + 1, column + 1)

    def _build(self, text: str) -> SourceNode | None:
        stack: list[_Open] = []
        root: SourceNode | None = None
        self.values = 0
        # A file from outside may be nested as deep as it is long. A stack in the heap can be counted, Python's cannot.
        for event in _events(text):
            node: SourceNode | None = None
            if isinstance(event, yaml.NodeEvent):
                self.values += 1
                if self.values > self.left:
                    self.last = self._span(event)
                    return None
                if event.__class__ is yaml.ScalarEvent:  # as most
                    top = stack[-1] if stack else None
                    node = self._scalar(event, top is not None and top.is_mapping and not len(top.items) % 2)
                elif isinstance(event, yaml.CollectionStartEvent):
                    if len(stack) >= MAX_DEPTH:
                        self._too_deep(event)
                        return None
                    stack.append(self._opened(event))
                    continue
                else:
                    node = self._alias(event)
            elif isinstance(event, yaml.CollectionEndEvent):
                node = self._closed(stack.pop(), event)
            elif isinstance(event, yaml.DocumentStartEvent) and root is not None:
                self._second_document(event)
                break
            if node is None:
                continue
            if stack:
                stack[-1].items.append(node)
            else:
                root = node
        return root

    def _span(self, event: Any) -> Span:
        start, end = event.start_mark, event.end_mark
        if self.moved or self.rows:  # places are those of the file as it is
            begins, ends = self._place(start), self._place(end)
            return new_span((self.file, *begins, *max(begins, ends)))
        return new_span((self.file, start.line + 1, start.column + 1, end.line + 1, end.column + 1))

    def _place(self, mark: Any) -> tuple[int, int]:
        row = self.rows[mark.line] if mark.line < len(self.rows) else min(mark.line, len(self.lines))
        return row + 1, max(mark.column - self.moved.get(mark.line, 0), 0) + 1

    def _second_document(self, event: yaml.Event) -> None:
        help = "a file holds one document; delete the line `---`, or use a second file"
        self.report.add("RF118", "a second document begins here", self._span(event), help)

    def _too_deep(self, event: yaml.Event) -> None:
        message = f"lists and mappings are nested more than {MAX_DEPTH} deep"
        self.report.add("RF107", message, self._span(event), "give the inner parts names of their own")

    def _opened(self, event: Any) -> _Open:
        if event.anchor is not None or event.tag is not None:
            self._refuse_properties(event)
        return _Open(self._span(event), isinstance(event, yaml.MappingStartEvent), bool(event.flow_style))

    def _refuse_properties(self, event: Any) -> None:
        """Anchors and tags, which stand before a value."""
        start = event.start_mark
        if event.anchor is not None:
            place = self._property(start, f"&{event.anchor}")
            help = "write the value again; a name of its own (a formula, a number) is the way to share it"
            self.report.add("RF111", f"anchors such as `&{event.anchor}` are not used here", place, help)
        if event.tag is not None:
            place = self._property(start, "!")
            help = "delete the tag; put a text that begins with `!` in quotes"
            self.report.add("RF112", "tags such as `!word` are not used here", place, help)

    def _property(self, start: yaml.Mark, sign: str) -> Span:
        line = self.lines[start.line] if start.line < len(self.lines) else ""
        column = max(line.find(sign, start.column), start.column)
        end = column
        while end < len(line) and not line[end].isspace():
            end += 1
        return Span(self.file, start.line + 1, column + 1, start.line + 1, max(end, column + 1) + 1)

    def _alias(self, event: Any) -> SourceNode:
        span = self._span(event)
        help = "write the value out; put a text that begins with `*` in quotes"
        self.report.add("RF111", f"aliases such as `*{event.anchor}` are not used here", span, help)
        return ScalarNode(span, "", "null", "folded", None, "none")  # its text stands nowhere

    def _scalar(self, event: Any, as_key: bool) -> ScalarNode:
        if event.anchor is not None or event.tag is not None:
            self._refuse_properties(event)
        span, text, style = self._span(event), event.value, _STYLES.get(event.style, "plain")
        if style == "plain":
            kind, surprise = _read_as(text, as_key)
            if surprise is None and span[1] == span[3]:  # as most
                return ScalarNode(span, text, kind, style)
            return self._rare_plain(span, text, kind, surprise)
        if style == "quoted":
            return ScalarNode(span, self._unsteered(text, span), "str", style)
        span = self._without_tail(span)
        layout = self._literal_origin(text, span) if style == "literal" else None
        return ScalarNode(span, text, "str", style, layout)

    def _rare_plain(self, span: Span, text: str, kind: ScalarKind, surprise: Surprise | None) -> ScalarNode:
        """A plain text of several lines, or a word with another reading in YAML tools."""
        layout = self._folded_origin(text, span) if span.line != span.end_line else None
        if surprise is None or self._is_rest_of_number(span):
            return ScalarNode(span, text, kind, "plain", layout)
        fix = (Edit(span, surprise.instead),) if surprise.instead else ()
        self.report.add(surprise.code, surprise.message, span, surprise.help, fix=fix)
        return ScalarNode(span, text, kind, "plain", layout, surprise.meant)

    def _unsteered(self, text: str, span: Span) -> str:
        """A text in quotes, which can name signs that cannot stand in a file."""
        sign = CONTROL.search(text)
        if sign is None:
            return text
        message = f"the sign U+{ord(sign.group()):04X} steers a terminal; it cannot stand in a text"
        self.report.add("RF127", message, span, "delete it; texts are printed unchanged")
        return harmless(text)

    def _is_rest_of_number(self, span: Span) -> bool:
        """Whether this is the rest of `1,000`, which is one number to people and two to YAML."""
        line = next(
            iter(self.lines[span.line - 1 : span.line]), ""
        )  # what is missing may stand behind the last
        before = line[: span.column - 1]
        return before.endswith(",") and before[-2:-1].isdigit()

    def _without_tail(self, span: Span) -> Span:
        """A `|` text ends, for the parser, where the next thing begins: go back to its last line."""
        last = min(span.end_line - (span.end_column == 1), len(self.lines))
        while last > span.line and not self.lines[last - 1].strip():
            last -= 1
        return Span(self.file, span.line, span.column, last, len(self.lines[last - 1].rstrip()) + 1)

    def _literal_origin(self, text: str, span: Span) -> SourceText | None:
        rows = text.split("\n")
        first = next((i for i, row in enumerate(rows) if row.strip()), None)
        if first is None:
            return SourceText(text, span, ((span.line + 1, 1),) * len(rows))
        if span.line + first >= len(self.lines):
            return None  # lines were swapped
        # Compared with the text, the file only adds the indentation, found by YAML or set by the author.
        indent = max(len(self.lines[span.line + first]) - len(rows[first]), 0)
        return SourceText(text, span, tuple((span.line + 1 + i, indent + 1) for i in range(len(rows))))

    def _folded_origin(self, text: str, span: Span) -> SourceText | None:
        """The origin of a plain text that continues in further lines."""
        folds, joined = [], ""
        for number in range(span.line, span.end_line + 1):
            line = self.lines[number - 1]
            row = line[: span.end_column - 1] if number == span.end_line else line
            begin = span.column - 1 if number == span.line else len(row) - len(row.lstrip())
            joined += " " if joined else ""
            folds.append((1, len(joined) + 1, number, begin + 1))
            joined += row[begin:].rstrip()
        if joined != text:
            return None  # an empty line inside, which YAML keeps as a line break
        return SourceText(text, span, ((span.line, span.column),), tuple(folds))

    def _closed(self, opened: _Open, event: yaml.Event) -> SourceNode:
        span = self._whole(opened, event)
        items = repaired(opened.items, self.lines, self.report) if opened.flow else opened.items
        if not opened.is_mapping:
            return SequenceNode(span, tuple(items), opened.flow)
        pairs = zip(items[::2], items[1::2], strict=False)
        return MappingNode(span, self._unrepeated(pairs), opened.flow)

    def _whole(self, opened: _Open, event: yaml.Event) -> Span:
        if opened.flow or not opened.items:
            return opened.span.to(self._span(event))
        return opened.span.to(opened.items[-1].span)

    def _is_key(self, key: SourceNode) -> TypeGuard[ScalarNode]:
        if isinstance(key, ScalarNode) and key.kind != "null" and key.text != "<<":
            return True
        help = "a key is a word with a colon after it"
        if isinstance(key, ScalarNode) and key.text == "<<":
            help = "mappings cannot be merged; write the keys out"
        self.report.add("RF117", "this cannot be a key", key.span, help)
        return False

    def _unrepeated(self, pairs: Iterable[tuple[SourceNode, SourceNode]]) -> tuple[Entry, ...]:
        first: dict[str, Entry] = {}
        hollow: Entry | None = None  # the last one that holds nothing: is it the head of what follows?
        beheaded = False
        for pair in [Entry(key, value) for key, value in pairs if self._is_key(key)]:
            earlier = first.setdefault(pair.name, pair)
            if earlier is pair:
                hollow, beheaded = (pair, False) if _is_hollow(pair) else (hollow, beheaded)
                continue
            if hollow is not None and not beheaded:
                beheaded = self._refuse_depth(first.pop(hollow.name), pair)
            elif not beheaded and self._begins_an_item(pair, next(iter(first.values()))):
                beheaded = True  # all that follows belongs to that item
            elif not beheaded:
                self._refuse_repeated(pair, earlier)
            self.error_nodes |= ErrorNodes(self._words_of(pair.key.span.to(pair.value.span)))
        return tuple(first.values())

    def _begins_an_item(self, pair: Entry, head: Entry) -> bool:
        """Whether this repeats the first key of a list item: then it begins the next one, and lacks its dash."""
        span, begins = pair.key.span, head.key.span
        dash = self.lines[begins.line - 1][: begins.column - 1].endswith("- ")
        alone = not self.lines[span.line - 1][: span.column - 1].strip() and span.column > INDENT
        if pair.name != head.name or not dash or not alone:
            return False
        message, help = "this begins another item of the list, and has no `- `", "begin every item with `- `"
        edit = Edit(span._replace(column=span.column - INDENT, end_column=span.column), "- ")
        notes = (("the item before it", begins),)
        self.report.add("RF110", message, span, help, notes, (edit,))
        return True

    def _refuse_repeated(self, pair: Entry, earlier: Entry) -> None:
        self.report.add(
            "RF110",
            f"the key `{pair.name}` is repeated",
            pair.key.span,
            "delete one of the two, or give it another name",
            (("it is first given", earlier.key.span),),
        )

    def _refuse_depth(self, head: Entry, pair: Entry) -> bool:
        """`head` is indented as deep as the keys below it, which were meant to belong to it."""
        name, span = head.name, head.key.span
        self.error_nodes |= ErrorNodes(frozenset({name}))
        message = f"`{name}` is indented as deep as `{pair.name}` below it, so it is empty"
        help = f"indent `{name}` less, or its contents more"
        change = shallower(self.lines, span.line - 1)
        fix = (Edit(change.span(self.file), change.text),) if change else ()
        self.report.add("RF110", message, span, help, fix=fix)
        return True

    def _words_of(self, span: Span) -> frozenset[str]:
        lines = (span.line - 1, span.end_line)
        if lines not in self.words:
            self.words[lines] = words_in("\n".join(self.lines[slice(*lines)]))
        return self.words[lines]


@lru_cache(maxsize=16384)
def _read_as(word: str, as_key: bool) -> tuple[ScalarKind, Surprise | None]:
    """The kind of a plain word, and its other readings; cached, since files repeat their words."""
    return kind_of(word), surprise_in(word, as_key)


def _is_hollow(entry: Entry) -> bool:
    value = entry.value
    return isinstance(value, ScalarNode) and value.kind == "null" and not value.text

"""Reads values of rule files into fields of the model: texts with places, words, numbers, lists and pairs.

The schema stage has reported every wrong shape, so a wrong shape gives an empty field here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ruleforge.lang.source import Entry, MappingNode, ScalarNode, SequenceNode, SourceNode, SourceText
from ruleforge.lang.source.error_nodes import NO_ERROR_NODES, ErrorNodes
from ruleforge.lang.source.scalar_origin import listed_text, tabled_text, text_at
from ruleforge.lang.source.tree import words_of
from ruleforge.support.diagnostics import Edit, Report, Span
from ruleforge.support.records import dataclass
from ruleforge.support.resources import never_names

Names = dict[str, ScalarNode]
# A key, the key it needs beside it, what is wrong without that one, and what to do.
Companions = dict[str, tuple[str, str, str]]


MOST_DIGITS = 18  # of a number; longer ones were reported


def whole_number(text: str) -> int | None:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdecimal() and len(digits) <= MOST_DIGITS else None


@dataclass
class Fields:
    """Reads fields; reports folded effects, reserved words and repeated names, and notes the error nodes they leave."""

    report: Report
    error_nodes: ErrorNodes = NO_ERROR_NODES
    in_pack: bool = False  # then a kind may stand for what is added to a kind of the game

    def text(self, node: SourceNode) -> SourceText | None:
        """An expression, block or type with its place; numbers and true/false are texts too."""
        if not isinstance(node, ScalarNode):
            return None
        if node.doubtful is not None:
            return text_at(node.doubtful, node.span)
        if node.kind == "null":
            return None
        if node.origin is None:
            self._refuse_folding(node)
            return SourceText(node.text, node.span, ())
        return node.origin

    def texts(self, node: SourceNode) -> tuple[SourceText, ...]:
        """One text or a list of texts."""
        items = node.items if isinstance(node, SequenceNode) else (node,)
        return tuple(text for item in items if (text := self.text(item)))

    def value(self, node: SourceNode) -> SourceText | None:
        """A text, a list as the text of a set, or a mapping as the text of a table."""
        if isinstance(node, SequenceNode):
            return listed_text(self.texts(node), node.span)
        if isinstance(node, MappingNode):
            given = ((text_at(entry.name, entry.key.span), self.value(entry.value)) for entry in node)
            return tabled_text([(key, value) for key, value in given if value], node.span)
        return self.text(node)

    def pairs(self, node: SourceNode, bare: bool = True) -> tuple[tuple[str, SourceText], ...]:
        """Names with a text each: parameters, choices, and with `bare` false facts."""
        found = ((entry.name, self.text(entry.value)) for entry in self.entries(node, bare))
        return tuple((name, text) for name, text in found if text)

    def word(self, node: SourceNode) -> str | None:
        return node.text if isinstance(node, ScalarNode) and node.kind != "null" else None

    def words(self, node: SourceNode) -> tuple[str, ...]:
        items = node.items if isinstance(node, SequenceNode) else (node,)
        return tuple(word for item in items if (word := self.word(item)))

    def flag(self, node: SourceNode) -> bool:
        return isinstance(node, ScalarNode) and (node.doubtful or node.text) == "true"

    def number(self, node: SourceNode) -> int | None:
        if not isinstance(node, ScalarNode):
            return None
        return whole_number(node.doubtful or node.text)

    def numbers(self, node: SourceNode) -> tuple[int, ...]:
        items = node.items if isinstance(node, SequenceNode) else (node,)
        return tuple(number for item in items if (number := self.number(item)) is not None)

    def entries(self, node: SourceNode | None, bare: bool = True, called: bool = False) -> Iterator[Entry]:
        """The entries of a mapping whose keys are the author's own names.

        If names are not `bare` (effects never write them without a dot), any word is allowed. If names are
        `called` with brackets, fewer words are allowed.
        """
        for entry in node if isinstance(node, MappingNode) else ():
            if bare:
                self.allow_name(entry.key, called)
            yield entry

    def allow_name(self, key: ScalarNode, called: bool = False) -> None:
        if key.text in never_names(called):
            more = "" if key.text in never_names() else "things, places and parameters, and "
            help = f"choose another name; only {more}actions, rules, options, facts and attributes may be called so"
            self.report.add("RF303", f"`{key.text}` is a word of the language", key.span, help)
            self.error_nodes |= ErrorNodes(misnamed=frozenset({key.text}))

    def is_new(self, what: str, key: ScalarNode, seen: Names, value: SourceNode | None = None) -> bool:
        """Whether a name is given for the first time; reports it with both places if not."""
        first = seen.setdefault(key.text, key)
        if first is key:
            return True
        self.error_nodes |= ErrorNodes(words_of(value) if value is not None else frozenset())
        self.twice(what, key.text, key.span, first.span)
        return False

    def twice(self, what: str, name: str, span: Span, first: Span) -> None:
        """Reports a name that is given again."""
        help = "delete one of the two, or give it another name"
        self.report.add(
            "RF302", f"{what} `{name}` is declared twice", span, help, (("it is first declared", first),)
        )

    def need_beside(self, node: SourceNode, needed: Companions, of: ScalarNode) -> None:
        """Reports keys that mean nothing without another one."""
        if self.error_nodes.damage(of.span):
            return
        for key, (other, message, help) in needed.items():
            given = node.entry(key) if isinstance(node, MappingNode) else None
            if given and isinstance(node, MappingNode) and not node.entry(other):
                self.report.add("RF306", message, given.key.span, help)

    def _refuse_folding(self, node: ScalarNode) -> None:
        form = "a text under `>`" if node.style == "folded" else "a text over several lines"
        help = "put it on one line, or under `|` on lines of its own"
        sign = Span(node.span.file, node.span.line, node.span.column, node.span.line, node.span.column + 1)
        fix = (Edit(sign, "|"),) if node.style == "folded" else ()
        message = f"an effect cannot be {form}: its places would be lost"
        self.report.add("RF119", message, node.span, help, fix=fix)


Read = Callable[[Fields, SourceNode], Any]


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a definition: the field of the model it fills and how its value is read."""

    field: str
    read: Read


WORDS_FOR_PEOPLE = {
    "title": Key("title", Fields.word),
    "text": Key("text", Fields.word),
    "cites": Key("cites", Fields.words),
}


def filled(fields: Fields, node: SourceNode, table: dict[str, Key]) -> dict[str, Any]:
    """The fields of the model that a mapping fills; keys that are not given keep the model's defaults."""
    found: dict[str, Any] = {}
    for name, key in table.items():
        given = node.get(name) if isinstance(node, MappingNode) else None
        if given is not None and (value := key.read(fields, given)) is not None:
            found[key.field] = value
    return found

"""Mutants of effect texts: one number, comparison, sign, word, name or clause is changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.names import Declared
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.parsed import EffectText
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics import Span
from ruleforge.tools.mutation.mutant import CLAUSE, COMPARISON, KEYWORD, NAME, NUMBER, Mutant

_COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_WORDS = {
    "+": "-", "-": "+", "+=": "-=", "-=": "+=", "*": "+", "//": "*", "and": "or", "or": "and", "min": "max",
    "max": "min", "true": "false", "false": "true", "top": "bottom", "bottom": "top", "elif": "if",
}  # fmt: skip
# Told apart from what they say: expectations and advice, which no scenario could hold against the rules.
_NO_RULES = (m.Invariant, m.Check, m.Weight)
_ADVICE = frozenset({"heuristic"})
# The range of a type is a promise that `validate` holds the rules to. Where play itself cuts, it is a rule.
_TYPES = frozenset({"type", "column"})
_CUTS = frozenset({"clamp", "sum", "each"})
_SIMPLE = (n.Let, n.Assign, n.Do, n.Move, n.Shuffle, n.Finish, n.Return, n.Leave, n.Pay, n.Remove, n.Show)
_TOKEN = re.compile(r"[0-9]+d[0-9]+|[A-Za-z_]\w*|[0-9]+|<=|>=|\+=|-=|//|\.\.|[^\s\w]")
Scopes = tuple[tuple[Span, Mapping[str, t.Variable]], ...]


def is_rule(text: EffectText) -> bool:
    """Whether the text affects play."""
    return not isinstance(text.definition, _NO_RULES) and text.field not in _ADVICE


def changes_of(text: EffectText, node: n.Node | None) -> Iterator[Mutant]:
    """Every change of one word, sign, number or clause of a text."""
    words = words_of(text.source)
    fixed = promised(text, words) | _binding(node, words)
    for position, word in enumerate(words):
        following = words[position + 1].text if position + 1 < len(words) else ""
        before = words[position - 1].text if position else ""
        if position not in fixed:
            yield from _changed(word, before, following)
    if node is not None:
        yield from _cut(node, words)


def promised(text: EffectText, words: tuple[Word, ...]) -> frozenset[int]:
    """The words of a range that is a type."""
    if text.start not in _TYPES or text.field in _CUTS or getattr(text.definition, "capped", False):
        return frozenset()
    end = next((i for i, word in enumerate(words) if word.text == "="), len(words))
    return frozenset(range(end))


def _binding(node: n.Node | None, words: tuple[Word, ...]) -> frozenset[int]:
    """Each `in` that binds a name, and compares nothing."""
    starts = [part.span[:3] for part in _nodes(node) if isinstance(part, n.Binder)] if node else []
    behind = ([i for i, w in enumerate(words) if w.text == "in" and w.span[:3] >= start] for start in starts)
    return frozenset(found[0] for found in behind if found)


def _changed(word: Word, before: str, following: str) -> Iterator[Mutant]:
    text, span = word
    if text.isdigit():
        yield Mutant(span, str(int(text) + 1), NUMBER)
    elif text in _COMPARISONS:
        yield Mutant(span, _COMPARISONS[text], COMPARISON)
    elif text == "is" and following != "not":
        yield Mutant(span, "is not", COMPARISON)
    elif text == "in":
        yield Mutant(span, "not in", COMPARISON)
    elif text == "not":
        kind = COMPARISON if before == "is" or following == "in" else KEYWORD
        yield Mutant(_with_gap(span), "", kind)
    elif text in _WORDS:
        yield Mutant(span, _WORDS[text], KEYWORD)


def _with_gap(span: Span) -> Span:
    """A word with the space behind it."""
    return span._replace(end_column=span.end_column + 1)


# --- clauses ---


def _cut(node: n.Node, words: tuple[Word, ...]) -> Iterator[Mutant]:
    """Clauses and statements that are left out."""
    for part in _nodes(node):
        match part:
            case n.Binder(where=where, by=by, until=until):
                ends = [("where", where), ("until", until), ("by", by[-1] if by else None)]
                for word, last in ends:
                    if last is not None and (span := _clause(word, last.span, words, part.span)):
                        yield Mutant(span, "", CLAUSE)
            case n.If(branches=branches):
                yield from (Mutant(test.span, "true", CLAUSE) for test, _ in branches)
            case n.Conditional(test=test):
                yield Mutant(test.span, "true", CLAUSE)
            case n.And(parts=parts) | n.Or(parts=parts):
                whole = "true" if isinstance(part, n.And) else "false"
                yield from (Mutant(one.span, whole, CLAUSE) for one in parts)
            case _ if isinstance(part, _SIMPLE):
                yield Mutant(part.span, "skip", CLAUSE)


def _clause(word: str, last: Span, words: tuple[Word, ...], inside: Span) -> Span | None:
    """From the last such word before an end, within a stretch; the space before it goes, too."""
    for candidate in reversed(words):
        span = candidate.span
        if candidate.text == word and inside[:3] <= span[:3] and span[:3] < last[:3]:
            return span._replace(
                column=max(1, span.column - 1), end_line=last.end_line, end_column=last.end_column
            )
    return None


def _nodes(node: n.Node) -> Iterator[n.Node]:
    todo: list[object] = [node]
    while todo:
        current = todo.pop()
        if isinstance(current, tuple):
            todo += reversed(current)
        elif isinstance(current, n.Node):
            yield current
            todo += [getattr(current, name) for name in reversed(type(current).__match_args__)]


# The words and signs of an effect text with their places in the file.


class Word(NamedTuple):
    text: str
    span: Span

    @property
    def is_name(self) -> bool:
        return self.text[0].isalpha() or self.text[0] == "_"


def words_of(source: SourceText) -> tuple[Word, ...]:
    """In their order; comments are none."""
    return tuple(_words(source))


def _words(source: SourceText) -> Iterator[Word]:
    for number, line in enumerate(source.text.split("\n"), start=1):
        for found in _TOKEN.finditer(line.partition("#")[0]):
            span = source.span_at(number, found.start() + 1, number, found.end() + 1)
            if span.line == span.end_line and span.end_column - span.column == len(found[0]):
                yield Word(found[0], span)  # in a text with escapes places may be off


# Mutants of names in effect texts: another name of the same sort.


class Naming:
    """The meaning of every name, and its possible replacements."""

    def __init__(self, rules: t.Checked) -> None:
        self._rules = rules
        names = rules.names
        # Another kind is another type, and refused.
        named = [d for d in names.declared if d.what != "kind"]
        self._meant = {span: d for d in named for span in names.references[d]}
        self._alike: dict[object, list[str]] = {}
        for declared in named:
            self._alike.setdefault(self._sort(declared), []).append(declared.name)

    def changes_of(self, words: Iterable[Word], around: Span) -> Iterator[Mutant]:
        """One for each name that has a counterpart."""
        scopes: Scopes | None = None
        for word in words:
            declared = self._meant.get(word.span)
            if declared is not None and declared.name == word.text:
                other = _after(word.text, self._alike[self._sort(declared)])
            elif declared is None and word.is_name:
                scopes = self._rules.names.scopes_in(around) if scopes is None else scopes
                other = _other_local(word, scopes)
            else:
                continue
            if other is not None:
                yield Mutant(word.span, other, NAME)

    def _sort(self, declared: Declared) -> object:
        """The key that two names of one sort share: their meaning and its types."""
        rules, name = self._rules, declared.name
        match declared.what:
            case "formula" if found := rules.formulas.get(name):
                shape: object = (tuple(p.type for p in found.parameters), found.result)
            case "event" if event := rules.events.get(name):
                shape = (tuple(p.type for p in event.parameters), event.result)
            case "place" if place := rules.places.get(name):
                shape = (tuple(kind for _, kind in place.of), place.holds, place.single)
            case "fact" | "attribute" if column := rules.columns.get((declared.of, name)):
                shape = (column.type, column.per)
            case "keyword" if keyword := rules.keywords.get(name):
                shape = (keyword.kind, tuple(p.type for p in keyword.parameters))
            case _:
                shape = ()
        return declared.what, declared.of, shape


def _after(name: str, names: list[str]) -> str | None:
    """The next of some names, round in a circle; None if there is no other."""
    position = names.index(name)
    other = names[(position + 1) % len(names)]
    return other if other != name else None


def _other_local(word: Word, scopes: Scopes) -> str | None:
    """Another local of the same type that is known at a place."""
    around = [known for span, known in scopes if span[1:3] <= word.span[1:3] and span[3:] >= word.span[3:]]
    known = min(around, key=len) if around else {}
    own = known.get(word.text)
    if own is None:
        return None
    alike = sorted(name for name, variable in known.items() if variable.type == own.type)
    return _after(word.text, alike)

"""Records the names in scenarios with their places."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.check_snippet import uses_in
from ruleforge.lang.checker.names import Key, last_word
from ruleforge.lang.checker.types import SetT, ThingT
from ruleforge.lang.source.scalar_origin import SourceText, text_at
from ruleforge.lang.source.tree import Entry, ScalarNode, SequenceNode
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import several
from ruleforge.tools.project_files.scenario_names import Member, ScenarioNames

_WORD = re.compile(r"\w+")


@dataclass
class Mentions:
    """Collected by name, as the checker collects what rules use."""

    spans: dict[Key, list[Span]] = field(default_factory=dict)

    def name(self, what: str, name: str, span: Span, of: str = "") -> None:
        self.spans.setdefault((what, of, name), []).append(span)

    def thing(self, known: ScenarioNames, word: str, span: Span) -> None:
        """A thing by its name, alone or after its kind."""
        kind, dot, name = word.rpartition(".")
        for owner in (kind,) if dot else known.kinds_of.get(word, ()):
            self.name("thing", name, last_word(span, name), owner)

    def word(self, known: ScenarioNames, word: str, span: Span) -> None:
        """A word of a choice: an action or rule that is chosen, or a thing."""
        for what, names in (("action", known.rules.actions), ("rule", _named(known.rules.rules))):
            for bearer, _, name in (full.rpartition(".") for full in names):
                if name == word:
                    self.name(what, name, span, bearer)
        columns = {column.name: column.kind.name for column in known.spoken.purses.get(word, ())}
        for part in _WORD.finditer(word) if columns else ():
            at = Span(span.file, span.line, span.column + part.start(), span.line, span.column + part.end())
            if part[0] in columns:
                self.name("attribute", part[0], at, columns[part[0]])
            else:
                self.thing(known, part[0], at)
        self.thing(known, word, span)

    def occasion(self, name: str, span: Span) -> None:
        """What somebody is asked in: a phase or a window."""
        self.name("phase", name, span)
        self.name("window", name, span)

    def value(self, known: ScenarioNames, entry: Entry, member: Member) -> None:
        """A path, and the things in what it is said to be."""
        self._path(known, entry.key, member)
        if isinstance(member.type, ThingT | SetT):
            items = entry.value.items if isinstance(entry.value, SequenceNode) else (entry.value,)
            for item in items:
                if isinstance(item, ScalarNode) and known.has(member.type.kind, last := _last(item.text)):
                    self.name("thing", last, last_word(item.span, last), member.type.kind)

    def uses(self, rules: t.Checked, source: SourceText) -> None:
        """All that an expression names, as the checker has it."""
        for (what, of, name), spans in uses_in(rules, source).spans.items():
            self.spans.setdefault((what, of, name), []).extend(spans)

    def _path(self, known: ScenarioNames, key: ScalarNode, member: Member) -> None:
        if key.origin is None or "\n" in key.text:
            return
        if member.expression:
            self.uses(known.rules, key.origin)
            return
        many = several(key.text)
        if many is not None and not known.named(many.things):
            start = key.text.index(many.things) + 1
            span = key.origin.span_at(1, start, 1, start + len(many.things))
            self.uses(known.rules, text_at(many.things, span))
        for found in _WORD.finditer(key.text):
            word, span = found[0], key.origin.span_at(1, found.start() + 1, 1, found.end() + 1)
            if word == member.name:
                self._member(known.rules, member, span)
            elif word in known.kinds_of:
                self.thing(known, word, span)
            elif word in known.rules.kinds:
                self.name("kind", word, span)

    def _member(self, rules: t.Checked, member: Member, span: Span) -> None:
        if member.place is not None:
            self.name("place", member.name, span)
        elif member.name in rules.formulas:
            self.name("formula", member.name, span)
        else:
            self.name("attribute", member.name, span, member.kinds[0] if member.kinds else "")


def _named(rules: Iterable[t.Rule]) -> list[str]:
    return [rule.name for rule in rules]


def _last(word: str) -> str:
    return word.rpartition(".")[2]

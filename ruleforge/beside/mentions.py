"""What scenarios name, and where: noted while they are looked at, for whoever asks who speaks of something."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field

from ruleforge.beside.known import Known, Member
from ruleforge.check import typed as t
from ruleforge.check.names import Key, last_word
from ruleforge.check.types import SetT, ThingT
from ruleforge.diagnostics import Span
from ruleforge.quick import dataclass
from ruleforge.source.tree import Entry, ScalarNode, SequenceNode

_WORD = re.compile(r"\w+")


@dataclass
class Mentions:
    """Collected by name, as the checker collects what rules use."""

    spans: dict[Key, list[Span]] = field(default_factory=dict)

    def name(self, what: str, name: str, span: Span, of: str = "") -> None:
        self.spans.setdefault((what, of, name), []).append(span)

    def thing(self, known: Known, word: str, span: Span) -> None:
        """A thing by its name, alone or after its kind."""
        kind, dot, name = word.rpartition(".")
        for owner in (kind,) if dot else known.kinds_of.get(word, ()):
            self.name("thing", name, last_word(span, name), owner)

    def word(self, known: Known, word: str, span: Span) -> None:
        """A word of a choice: an action or rule that is chosen, or a thing."""
        for what, names in (("action", known.rules.actions), ("rule", _named(known.rules.rules))):
            for bearer, _, name in (full.rpartition(".") for full in names):
                if name == word:
                    self.name(what, name, span, bearer)
        self.thing(known, word, span)

    def value(self, known: Known, entry: Entry, member: Member) -> None:
        """A path, and the things in what it is said to be."""
        self._path(known, entry.key, member)
        if isinstance(member.type, ThingT | SetT):
            items = entry.value.items if isinstance(entry.value, SequenceNode) else (entry.value,)
            for item in items:
                if isinstance(item, ScalarNode) and known.has(member.type.kind, last := _last(item.text)):
                    self.name("thing", last, last_word(item.span, last), member.type.kind)

    def _path(self, known: Known, key: ScalarNode, member: Member) -> None:
        if key.origin is None or "\n" in key.text:
            return
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

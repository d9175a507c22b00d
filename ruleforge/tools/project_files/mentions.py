"""Records the names in files next to the rules, and reports each unknown name once, at its first use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import field

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.check_snippet import uses_in
from ruleforge.lang.checker.names import Key, last_word
from ruleforge.lang.checker.types import SetT, ThingT
from ruleforge.lang.source.scalar_origin import SourceText, text_at
from ruleforge.lang.source.tree import Entry, ScalarNode, SequenceNode
from ruleforge.support.diagnostics import Edit, Report, Span
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import listed, nearest, once_more, several
from ruleforge.tools.project_files.scenario_names import Member, ScenarioNames

_WORD = re.compile(r"\w+")
MANY = 12
_COPY = re.compile(r"_[0-9]+\Z")
MOST_NAMED = 4


@dataclass
class Mentions:
    """Mentions of names, collected by name like the uses of the checker."""

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
        """Note the name of a phase or window."""
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


# Collects unknown names and reports each once, at its first use.
#
# Many unknown names of one sort are rarely misspelt. They have one cause and get one diagnostic.


@dataclass(frozen=True, slots=True)
class _Use:
    name: str
    code: str
    message: str
    span: Span
    meant: str | None


@dataclass
class Unknown:
    """Unknown names. `excused` have their cause elsewhere; with `anything` the lost names are not known.

    If the rules are not `whole`, the type of an expression may be unknown.
    """

    report: Report
    excused: Callable[[str], bool]
    anything: bool = False
    whole: bool = True
    _uses: dict[tuple[str, str], list[_Use]] = field(default_factory=dict)

    def name(self, what: tuple[str, str], message: str, code: str, span: Span, known: Iterable[str]) -> None:
        """`what` is the sort of name and the name; names of one sort that are equal are one mistake."""
        name = what[1]
        if self.excused(name):
            return
        what = (what[0], _COPY.sub("", name))  # all copies of a thing are lost with it
        uses = self._uses.setdefault(what, [])
        same = next((use for use in uses if use.name == name), None)
        uses.append(_Use(name, code, message, span, same.meant if same else nearest(name, known)))

    def tell(self) -> None:
        lost: dict[tuple[str, str], list[str]] = {}
        for (sort, name), uses in self._uses.items():
            lost.setdefault((sort, uses[0].code), []).append(name)
        many = {key: names for key, names in lost.items() if len(names) > MANY}
        for (sort, _), uses in self._uses.items():
            if (sort, uses[0].code) not in many:
                self._tell_one(uses)
        for (sort, _), names in many.items():
            self._tell_many([use for name in names for use in self._uses[sort, name]], names)
        self._uses.clear()

    def _tell_one(self, uses: list[_Use]) -> None:
        first, *others = sorted(uses, key=lambda use: use.span)
        notes = ((once_more(len(others)), others[0].span),) if others else ()
        help = f"did you mean `{first.meant}`?" if first.meant else None
        fix = tuple(Edit(use.span, use.meant, use.name) for use in uses if use.meant) if first.meant else ()
        self.report.add(first.code, first.message, first.span, help, notes, fix)

    def _tell_many(self, uses: list[_Use], names: list[str]) -> None:
        first, *others = sorted(uses, key=lambda use: use.span)
        second = next(use for use in others if use.message != first.message)
        message = f"{first.message}; {len(names) - 1} more such names are missing, too"
        help = f"was a name removed or changed? missing are {listed(names[:MOST_NAMED], 'and')}, and others"
        self.report.add(first.code, message, first.span, help, (("the next of them", second.span),))

"""Mutants of names in effect texts: another name of the same sort."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.names import Declared
from ruleforge.support.diagnostics import Span
from ruleforge.tools.mutation.mutant import NAME, Mutant
from ruleforge.tools.mutation.tokens import Word

Scopes = tuple[tuple[Span, Mapping[str, t.Variable]], ...]


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
        """What two names must share to be of one sort: what they mean, and the types of it."""
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

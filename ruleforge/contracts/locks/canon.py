"""`canon` writes a ruleset as canonical data: files with the same meaning give the same data.

Comments, layout, the split into files, the order of keys and display texts do not matter. An order that play
can depend on (things of a kind, phases, choices, parameters) does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from ruleforge.analysis.intervals import Interval
from ruleforge.contracts.model import Contract, Guard, Point
from ruleforge.contracts.terms import Target, written
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.parser.parsed import Parsed
from ruleforge.lang.parser.printer import print_text
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics import Span

WORDS = ("title", "text", "cites")
_SENTENCES = ("tells", "hint")  # sentences for the log, and beside choices
# The place, owner and pack changes of a definition are no part of its content.
_PLACES = ("id", "span", "origin", "files", "settled_by", "settled_at", "filled_by", "filled_at")
_SPELT_OUT = ("manner", "manners")  # said by the actions themselves
_HEAD = ("version",)
# Keys that came after cores were locked, and mean nothing new where they are not written.
_LATER = ("neighbours", "levels")
_SECTIONS = ("guards", "points", "bounded", "flows", "denial", "chance", "secrecy", "holds")  # of a contract
_BESIDE_TERMS = ("file", "span", "mistakes", "say", "fix", "cites", "lock")
_ORDERED = ("things", "flow", "steps", "links")


def definitions(ruleset: m.Ruleset, parsed: Parsed) -> dict[str, Any]:
    """Everything a ruleset says, by a path such as `formulas.power` or `kinds.card.things.newt`."""
    canon = _Canon(parsed)
    found = {"game": canon.head(ruleset)}
    for path, definition in _paths(ruleset):
        found[path] = canon.definition(definition)
    return dict(sorted(found.items()))


def definitions_of_contract(contract: Contract) -> dict[str, Any]:
    """Everything a contract says, by a path such as `contract.points.toll`."""
    found: dict[str, Any] = {}
    head = {}
    for field in fields(contract):
        value = getattr(contract, field.name)
        if field.name in _SECTIONS:
            for number, part in enumerate(value, 1):
                path = f"contract.{field.name}.{_name_of(part) or number}"
                found.setdefault(path, []).append(_terms(part))
        elif field.name not in _BESIDE_TERMS:
            head[field.name] = _terms(value)
    return {"contract": head, **{path: sorted(parts, key=repr) for path, parts in found.items()}}


def _name_of(part: Any) -> str:
    match part:
        case Point(id=id):
            return id
        case Guard(of=(first, *_)):
            return first.text
    return ""


def _terms(value: Any) -> Any:
    """The content of a part of a contract, without its display texts."""
    match value:
        case Interval():
            return written(value)
        case Target():
            return value.text
        case SourceText():
            return " ".join(value.text.split())
        case tuple():
            return [_terms(item) for item in value]
        case Mapping():
            return {str(name): _terms(item) for name, item in value.items()}
    if not is_dataclass(value):
        return value
    found = {f.name: getattr(value, f.name) for f in fields(value) if f.name not in _BESIDE_TERMS}
    return {name: _terms(inner) for name, inner in found.items() if inner not in ((), None, "")}


def words(ruleset: m.Ruleset) -> dict[str, Any]:
    """The display texts of every definition."""
    found = {"game": [ruleset.title, ruleset.text]}
    for path, definition in _paths(ruleset):
        found[path] = [_plain(getattr(definition, name)) for name in WORDS]
    return dict(sorted(found.items()))


def _paths(definition: m.Ruleset | m.Named, above: str = "") -> Iterator[tuple[str, m.Named]]:
    """The definitions that are named one by one: those of sections, and of a kind its things and columns."""
    for field in fields(definition):
        value = getattr(definition, field.name)
        for item in value if isinstance(value, tuple) and field.name not in _SPELT_OUT else ():
            if isinstance(item, m.Named) and not isinstance(item, m.Phase):
                path = f"{above}{field.name}.{item.id}"
                yield path, item
                if isinstance(item, m.Kind):
                    yield from _paths(item, f"{path}.")


class _Canon:
    def __init__(self, parsed: Parsed) -> None:
        self._parsed = parsed

    def head(self, ruleset: m.Ruleset) -> dict[str, Any]:
        """The game itself, its set-up, flow and scores."""
        own = ("id", "players", "limits", "setup", "flow", "scores")
        return {name: self.value(name, getattr(ruleset, name)) for name in own}

    def definition(self, definition: Any) -> dict[str, Any]:
        """The fields of a definition that say something; of definitions inside a kind, only their names."""
        found = {}
        for field in fields(definition):
            value = getattr(definition, field.name)
            if field.name in _LATER and value == field.default:
                continue
            if field.name in (*WORDS, *_SENTENCES, *_PLACES, *_HEAD, *_SPELT_OUT) or value in (
                None,
                (),
                False,
                "",
            ):
                continue
            if isinstance(definition, m.Kind) and field.name in ("things", "facts", "has"):
                value = tuple(item.id for item in value)
            found[field.name] = self.value(field.name, value)
        return found

    def value(self, name: str, value: Any) -> Any:
        if isinstance(value, SourceText):
            return self.text(value)
        if isinstance(value, Span):
            return None
        if isinstance(value, tuple):
            items = [
                [item.id, self.value(name, item)] if isinstance(item, m.Named) else self.value(name, item)
                for item in value
            ]
            named = bool(value) and all(isinstance(item, m.Named) for item in value)
            return sorted(items) if named and name not in _ORDERED else items
        return self.definition(value) if is_dataclass(value) else value

    def text(self, text: SourceText) -> str:
        """As the formatter prints it; what is no effect text, with single spaces."""
        known = self._parsed.texts.get(text)
        if known is None or known.node is None:
            return " ".join(text.text.split())
        key = (known.text.start, known.text.key, text.text)
        if key not in _PRINTED:
            if len(_PRINTED) > _MOST_PRINTED:
                _PRINTED.clear()
            _PRINTED[key] = _QUESTION.sub("", print_text(known.text.start, known.node))
        return _PRINTED[key]


_QUESTION = re.compile(r' "[^"\n]*"')  # words for people, the only ones in quotes
# A text is printed alike at every place; an editor needs it after every keystroke.
_PRINTED: dict[tuple[str, str | None, str], str] = {}
_MOST_PRINTED = 10_000


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value

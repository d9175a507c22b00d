"""The contract reader turns a core's contract.yaml into a `Contract`, which also holds the mistakes of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, cast

from ruleforge.contracts import model as c
from ruleforge.contracts.terms import TERMS, Target, items_in, number_in, targets_in, word_in, words_in
from ruleforge.lang.schema.validate import shape_of
from ruleforge.lang.source.read_text import read_text, shown
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.lang.source.tree import MappingNode, ScalarNode, SourceFile, SourceNode
from ruleforge.lang.source.yaml_reader import read_yaml
from ruleforge.support.diagnostics import Report, Span
from ruleforge.support.input_files import is_there

Made = TypeVar("Made")
NAMES = ("contract.yaml", "contract.yml")


def contract_of(core: Path) -> c.Contract | None:
    """The contract that lies beside the rules of a core; None if there is none."""
    path = next((core / name for name in NAMES if is_there(core / name)), None)
    if path is None:
        return None
    report, name = Report(), shown(path)
    text = read_text(path, report, core)
    file = read_yaml(text, name, report) if text is not None else None
    if file is not None:
        report.include(*shape_of(file, "contract").diagnostics)
    found = contract_from_source(file) if file is not None else c.Contract(name, Span(name, 1, 1, 1, 1))
    return replace(found, mistakes=tuple(d for d in report if d.severity == "error"))


def contract_from_source(file: SourceFile) -> c.Contract:
    root = file.root
    return c.Contract(
        file.path,
        root.span,
        word_in(root.get("locked")),
        word_in(root.get("default")) != "open",
        words_in(root.get("otherwise")),
        words_in(root.get("cites")),
        words_in(root.get("packs")),
        tuple(_part(c.Guard, g, cites=_both(g, "clause", "cites")) for g in _maps(root.get("guards"))),
        tuple(_point(node) for node in _maps(root.get("points"))),
        tuple(_bounded(root.get("bounded"))),
        _rates(root.get("rates")),
        tuple(
            _part(c.Flow, f, into=_both(f, "into", "to"), cites=_cites(f)) for f in _maps(root.get("flows"))
        ),
        next((_part(c.Loops, node, cites=_cites(node)) for node in _maps(root.get("loops"))), None),
        tuple(_part(c.Denial, d, clause=_clause(d)) for d in _maps(root.get("denial"))),
        tuple(_part(c.Chance, node, cites=_cites(node)) for node in _maps(root.get("chance"))),
        tuple(_part(c.Secrecy, node, cites=_cites(node)) for node in _maps(root.get("secrecy"))),
        _conserve(root.get("conserve")),
        tuple(_part(c.Holds, node, cites=_cites(node)) for node in _maps(root.get("holds"))),
    )


# --- the sections ---


def _part(kind: type[Made], node: MappingNode, **given: Any) -> Made:
    """A part with each field read by its type; empty values count as not written."""
    found = {"span": node.span, **given}
    for field in (field for field in fields(cast(Any, kind)) if field.name not in found):
        value = _READERS[str(field.type)](node.get(_KEYS.get(field.name, field.name)))
        if value not in ("", (), None) or field.default is MISSING:
            found[field.name] = value
    return kind(**found)


def _text(node: SourceNode | None) -> SourceText | None:
    return node.origin if isinstance(node, ScalarNode) else None


_KEYS = {"source": "from", "allowed": "except"}  # where the file has another word for a field
_READERS: dict[str, Callable[[SourceNode | None], Any]] = {
    "str": word_in,
    "int": number_in,
    "int | None": number_in,
    "tuple[str, ...]": words_in,
    "Clauses": words_in,
    "tuple[Target, ...]": targets_in,
    "SourceText | None": _text,
}


def _point(node: MappingNode) -> c.Point:
    admits = {e.name: targets_in(e.value) for e in node if e.name in c.CHANGES}
    read = {term: term.read(node.get(term.key)) for term in TERMS}
    return c.Point(
        word_in(node.get("id")),
        node.span,
        MappingProxyType(admits),
        MappingProxyType({term: value for term, value in read.items() if value is not None}),
        _both(node, "clause", "cites"),
        word_in(node.get("say")),
        words_in(node.get("over")),
        words_in(node.get("bare")),
    )


def _bounded(node: SourceNode | None) -> Iterable[c.Bounded]:
    for item in items_in(node):
        if isinstance(item, ScalarNode):
            yield c.Bounded(Target(item.text, item.span))
        elif isinstance(item, MappingNode):
            period, warn = word_in(item.get("per")) or "turn", number_in(item.get("warn"))
            for target in targets_in(item.get("of")):
                yield c.Bounded(target, period, warn, _cites(item))


def _rates(node: SourceNode | None) -> Mapping[str, int]:
    entries = node.entries if isinstance(node, MappingNode) else ()
    found = ((entry.name, number_in(entry.value)) for entry in entries)
    return MappingProxyType({name: number for name, number in found if number is not None})


def _conserve(node: SourceNode | None) -> c.Conserve:
    if isinstance(node, MappingNode):
        return _part(c.Conserve, node, cites=_cites(node))
    return c.Conserve(node.span, words_in(node)) if node is not None else c.Conserve()


# --- values ---


def _cites(node: MappingNode) -> tuple[str, ...]:
    """The lock first, then the clauses."""
    return tuple(dict.fromkeys((*words_in(node.get("lock")), *words_in(node.get("cites")))))


def _both(node: MappingNode, one: str, other: str) -> tuple[str, ...]:
    return (*words_in(node.get(one)), *words_in(node.get(other)))


def _clause(node: MappingNode) -> tuple[str, ...]:
    """The clauses that a denial breaks: its own `clause`, else those it cites."""
    return words_in(node.get("clause")) or words_in(node.get("cites"))


def _maps(node: SourceNode | None) -> list[MappingNode]:
    return [item for item in items_in(node) if isinstance(item, MappingNode)]

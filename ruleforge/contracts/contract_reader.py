"""The file contract.yaml of a core -> Contract, which keeps what is wrong with the file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from ruleforge.contracts import model as c
from ruleforge.contracts.terms import TERMS, Target, items_in, number_in, targets_in, word_in, words_in
from ruleforge.lang.schema.validate import shape_of
from ruleforge.lang.source.read_text import read_text, shown
from ruleforge.lang.source.tree import MappingNode, ScalarNode, SourceFile, SourceNode
from ruleforge.lang.source.yaml_reader import read_yaml
from ruleforge.support.diagnostics import Report, Span
from ruleforge.support.input_files import is_there

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
        tuple(_guard(node) for node in _maps(root.get("guards"))),
        tuple(_point(node) for node in _maps(root.get("points"))),
        tuple(_bounded(root.get("bounded"))),
        _rates(root.get("rates")),
        tuple(_flow(node) for node in _maps(root.get("flows"))),
        next((_loops(node) for node in _maps(root.get("loops"))), None),
        tuple(_denial(node) for node in _maps(root.get("denial"))),
        tuple(_chance(node) for node in _maps(root.get("chance"))),
        tuple(_secrecy(node) for node in _maps(root.get("secrecy"))),
        _conserve(root.get("conserve")),
        tuple(_holds(node) for node in _maps(root.get("holds"))),
    )


# --- the sections ---


def _guard(node: MappingNode) -> c.Guard:
    return c.Guard(
        node.span,
        targets_in(node.get("of")),
        word_in(node.get("lock")),
        (*words_in(node.get("clause")), *words_in(node.get("cites"))),
        word_in(node.get("say")),
        word_in(node.get("fix")),
    )


def _point(node: MappingNode) -> c.Point:
    admits = {e.name: targets_in(e.value) for e in node if e.name in c.CHANGES}
    read = {term: term.read(node.get(term.key)) for term in TERMS}
    return c.Point(
        word_in(node.get("id")),
        node.span,
        MappingProxyType(admits),
        MappingProxyType({term: value for term, value in read.items() if value is not None}),
        (*words_in(node.get("clause")), *words_in(node.get("cites"))),
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


def _flow(node: MappingNode) -> c.Flow:
    into = (*words_in(node.get("into")), *words_in(node.get("to")))
    source, after, by = (word_in(node.get(key)) for key in ("from", "after", "by"))
    return c.Flow(node.span, into, source, after, by, _cites(node))


def _loops(node: MappingNode) -> c.Loops:
    settled = words_in(node.get("settled_by")) or c.SETTLED_BY
    return c.Loops(node.span, settled, number_in(node.get("fuse")), _cites(node))


def _denial(node: MappingNode) -> c.Denial:
    covers, gap = number_in(node.get("covers")), number_in(node.get("gap"))
    cites = words_in(node.get("cites"))
    return c.Denial(
        node.span,
        word_in(node.get("of")),
        word_in(node.get("window")),
        words_in(node.get("counts")) or c.COUNTS,
        1 if covers is None else covers,
        1 if gap is None else gap,
        word_in(node.get("void")),
        word_in(node.get("rests")),
        words_in(node.get("clause")) or cites,
        words_in(node.get("endless")),
        cites,
    )


def _chance(node: MappingNode) -> c.Chance:
    never = words_in(node.get("never")) or c.NEVER
    return c.Chance(node.span, words_in(node.get("inside")), never, _cites(node))


def _secrecy(node: MappingNode) -> c.Secrecy:
    return c.Secrecy(node.span, words_in(node.get("keep")), words_in(node.get("except")), _cites(node))


def _conserve(node: SourceNode | None) -> c.Conserve:
    if isinstance(node, MappingNode):
        return c.Conserve(node.span, words_in(node.get("of")), _cites(node))
    return c.Conserve(node.span, words_in(node)) if node is not None else c.Conserve()


def _holds(node: MappingNode) -> c.Holds:
    that = node.get("that")
    text = that.origin if isinstance(that, ScalarNode) else None
    moment = word_in(node.get("at")) or "load"
    return c.Holds(node.span, text, moment, _cites(node), word_in(node.get("say")))


# --- values ---


def _cites(node: MappingNode) -> tuple[str, ...]:
    """The lock first, then the clauses."""
    return tuple(dict.fromkeys((*words_in(node.get("lock")), *words_in(node.get("cites")))))


def _maps(node: SourceNode | None) -> list[MappingNode]:
    return [item for item in items_in(node) if isinstance(item, MappingNode)]

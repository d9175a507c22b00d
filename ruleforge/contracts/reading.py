"""The file contract.yaml of a core -> Contract, which keeps what is wrong with the file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from ruleforge.contracts import model as c
from ruleforge.lang.schema.validate import shape_of
from ruleforge.lang.source.read_text import read_text, shown
from ruleforge.lang.source.tree import MappingNode, ScalarNode, SequenceNode, SourceFile, SourceNode
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
        report.include(*shape_of(file, "contract").complaints)
    found = contract_from_source(file) if file is not None else c.Contract(name, Span(name, 1, 1, 1, 1))
    return replace(found, mistakes=tuple(d for d in report if d.severity == "error"))


def contract_from_source(file: SourceFile) -> c.Contract:
    root = file.root
    return c.Contract(
        file.path,
        root.span,
        _word(root.get("locked")),
        _word(root.get("default")) != "open",
        _words(root.get("otherwise")),
        _words(root.get("cites")),
        _words(root.get("packs")),
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
        _targets(node.get("of")),
        _word(node.get("lock")),
        (*_words(node.get("clause")), *_words(node.get("cites"))),
        _word(node.get("say")),
        _word(node.get("fix")),
    )


def _point(node: MappingNode) -> c.Point:
    admits = {e.name: _targets(e.value) for e in node if e.name in c.CHANGES}
    sources = node.get("sources")
    return c.Point(
        id=_word(node.get("id")),
        span=node.span,
        admits=MappingProxyType(admits),
        cites=(*_words(node.get("clause")), *_words(node.get("cites"))),
        say=_word(node.get("say")),
        ops=_words(node.get("ops")),
        each=_bounds(node.get("each")),
        sum=_bounds(node.get("sum")),
        result=_bounds(node.get("result")),
        final=_bounds(node.get("final")),
        range=_bounds(node.get("range")),
        when=_word(node.get("when")),
        whose=_word(node.get("whose")),
        out_of=_word(node.get("out_of")),
        into=_word(node.get("into")),
        subject=_word(node.get("subject")),
        sources=_sources(sources) if isinstance(sources, MappingNode) else None,
        most=_number(node.get("most")),
        inside=_targets(node.get("inside")),
        via=_targets(node.get("via")),
        without=_targets(node.get("without")),
        window=_targets(node.get("window")),
        packs=_words(node.get("packs")),
        acts=_words(node.get("as")),
        made_of=_word(node.get("made_of")),
        limit=_word(node.get("limit")),
        warn=_number(node.get("warn")),
        over=_words(node.get("over")),
        bare=_words(node.get("bare")),
    )


def _sources(node: MappingNode) -> c.Sources:
    most = _number(node.get("most"))
    return c.Sources(1 if most is None else most, _word(node.get("per")))


def _bounded(node: SourceNode | None) -> Iterable[c.Bounded]:
    for item in _items(node):
        if isinstance(item, ScalarNode):
            yield c.Bounded(c.Target(item.text, item.span))
        elif isinstance(item, MappingNode):
            period, warn = _word(item.get("per")) or "turn", _number(item.get("warn"))
            for target in _targets(item.get("of")):
                yield c.Bounded(target, period, warn, _cites(item))


def _rates(node: SourceNode | None) -> Mapping[str, int]:
    entries = node.entries if isinstance(node, MappingNode) else ()
    found = ((entry.name, _number(entry.value)) for entry in entries)
    return MappingProxyType({name: number for name, number in found if number is not None})


def _flow(node: MappingNode) -> c.Flow:
    into = (*_words(node.get("into")), *_words(node.get("to")))
    source, after, by = (_word(node.get(key)) for key in ("from", "after", "by"))
    return c.Flow(node.span, into, source, after, by, _cites(node))


def _loops(node: MappingNode) -> c.Loops:
    settled = _words(node.get("settled_by")) or c.SETTLED_BY
    return c.Loops(node.span, settled, _number(node.get("fuse")), _cites(node))


def _denial(node: MappingNode) -> c.Denial:
    covers, gap = _number(node.get("covers")), _number(node.get("gap"))
    cites = _words(node.get("cites"))
    return c.Denial(
        node.span,
        _word(node.get("of")),
        _word(node.get("window")),
        _words(node.get("counts")) or c.COUNTS,
        1 if covers is None else covers,
        1 if gap is None else gap,
        _word(node.get("void")),
        _word(node.get("rests")),
        _words(node.get("clause")) or cites,
        _words(node.get("endless")),
        cites,
    )


def _chance(node: MappingNode) -> c.Chance:
    never = _words(node.get("never")) or c.NEVER
    return c.Chance(node.span, _words(node.get("inside")), never, _cites(node))


def _secrecy(node: MappingNode) -> c.Secrecy:
    return c.Secrecy(node.span, _words(node.get("keep")), _words(node.get("except")), _cites(node))


def _conserve(node: SourceNode | None) -> c.Conserve:
    if isinstance(node, MappingNode):
        return c.Conserve(node.span, _words(node.get("of")), _cites(node))
    return c.Conserve(node.span, _words(node)) if node is not None else c.Conserve()


def _holds(node: MappingNode) -> c.Holds:
    that = node.get("that")
    text = that.origin if isinstance(that, ScalarNode) else None
    moment = _word(node.get("at")) or "load"
    return c.Holds(node.span, text, moment, _cites(node), _word(node.get("say")))


# --- values ---


def _cites(node: MappingNode) -> tuple[str, ...]:
    """The lock first, then the clauses."""
    return tuple(dict.fromkeys((*_words(node.get("lock")), *_words(node.get("cites")))))


def _items(node: SourceNode | None) -> tuple[SourceNode, ...]:
    if node is None:
        return ()
    return node.items if isinstance(node, SequenceNode) else (node,)


def _maps(node: SourceNode | None) -> list[MappingNode]:
    return [item for item in _items(node) if isinstance(item, MappingNode)]


def _word(node: SourceNode | None) -> str:
    return node.text if isinstance(node, ScalarNode) and node.kind != "null" else ""


def _words(node: SourceNode | None) -> tuple[str, ...]:
    return tuple(item.text for item in _items(node) if isinstance(item, ScalarNode) and item.kind != "null")


def _targets(node: SourceNode | None) -> tuple[c.Target, ...]:
    return tuple(c.Target(item.text, item.span) for item in _items(node) if isinstance(item, ScalarNode))


def _number(node: SourceNode | None) -> int | None:
    text = _word(node)
    return int(text) if text.removeprefix("-").isdecimal() else None


def _bounds(node: SourceNode | None) -> c.Bounds | None:
    """`-3..5`; a single number bounds what goes towards it from 0."""
    text = _word(node)
    if not text:
        return None
    low, dots, high = text.partition("..")
    if not dots:
        figure = _number(node)
        return None if figure is None else c.Bounds(min(0, figure), max(0, figure))
    return c.Bounds(_end(low, -math.inf), _end(high, math.inf))


def _end(text: str, open_end: float) -> float:
    stripped = text.strip()
    return float(stripped) if stripped.removeprefix("-").isdecimal() else open_end

"""Writes a contract as data for programs: each sentence with its clauses, place and terms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from ruleforge.analysis.intervals import Interval
from ruleforge.contracts.model import Contract, Part
from ruleforge.contracts.prose import MAY, MAY_NOT, WHOLE, Sentence, sentences
from ruleforge.contracts.terms import Target, written
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics.for_programs import place_json

_SECTIONS = {MAY: "may", MAY_NOT: "may not", WHOLE: "whole"}
_KEYS = {"source": "from", "allowed": "except"}  # where the file has another word for it
_BESIDE = ("span", "cites")  # told of every sentence


def contract_json(contract: Contract, core: str) -> dict[str, Any]:
    """All that the page of prose says, and what it is made of."""
    lines = [*sentences(contract)]
    return {
        "core": core,
        "locked": contract.locked,
        "default": "closed" if contract.closed else "open",
        "otherwise": list(contract.fallback),
        "packs": list(contract.packs),
        "rates": dict(contract.rates or {}),
        "sentences": [_sentence(sentence) for sentence in lines],
    }


def _sentence(sentence: Sentence) -> dict[str, Any]:
    return {
        "section": _SECTIONS[sentence.heading],
        "sort": type(sentence.part).__name__.lower(),
        "says": sentence.says,
        "clauses": list(sentence.clauses),
        "terms": _terms(sentence.part),
        **place_json(sentence.part.span),
    }


def _terms(part: Part) -> dict[str, Any]:
    """The written terms of a part, by the keys of the file; others are left out."""
    found = {f.name: getattr(part, f.name) for f in fields(part) if f.name not in _BESIDE}
    found |= found.pop("admits", {}) | {term.key: value for term, value in found.pop("limits", {}).items()}
    return {
        _KEYS.get(name, name): _value(value) for name, value in found.items() if value not in ("", (), None)
    }


def _value(value: Any) -> Any:
    match value:
        case Interval():
            return written(value)
        case Target() | SourceText():
            return value.text
        case tuple():
            return [_value(item) for item in value]
        case Mapping():
            return {name: _value(item) for name, item in value.items()}
    if is_dataclass(value):
        return {f.name: _value(getattr(value, f.name)) for f in fields(value)}
    return value

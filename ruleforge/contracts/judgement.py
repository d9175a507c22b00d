"""`Judgement` is the result of judging a pack: faults with places, clauses and repairs, and an answer for
each clause.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from ruleforge.support.diagnostics import Span
from ruleforge.support.diagnostics.for_programs import place_json
from ruleforge.support.records import dataclass

Answer = Literal["kept", "broken", "unknown"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a pack: the broken clause, its place in the pack and the core, and a fix."""

    answer: str  # broken, unknown, or invalid for what is no question of the contract
    code: str
    by: str  # the pack
    rules: tuple[str, ...]
    places: tuple[Span, ...]
    why: str
    clauses: tuple[str, ...] = ()
    core: tuple[tuple[str, Span], ...] = ()
    repair: str | None = None
    counterexample: str | None = None

    @property
    def place(self) -> Span:
        return self.places[0]

    def to_json(self) -> dict[str, Any]:
        return {
            "answer": self.answer,
            "code": self.code,
            "by": self.by,
            "rules": list(self.rules),
            "places": [place_json(span) for span in self.places],
            "core": [{"what": what, **place_json(span)} for what, span in self.core],
            "clauses": list(self.clauses),
            "why": self.why,
            "repair": self.repair,
            "counterexample": self.counterexample,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to one clause, and its reason."""

    clause: str
    answer: Answer
    why: str

    def to_json(self) -> dict[str, Any]:
        return {"clause": self.clause, "answer": self.answer, "why": self.why}


@dataclass(frozen=True, slots=True)
class Together:
    """The faults that appear only together with other packs."""

    packs: tuple[str, ...]
    faults: tuple[Fault, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"with": list(self.packs), "faults": [fault.to_json() for fault in self.faults]}


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a pack: alone, and together with other packs."""

    pack: str
    core: str
    verdict: str  # accepted, rejected, invalid
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()
    clauses: tuple[Verdict, ...] = ()
    together: Together | None = None
    texts: Mapping[str, str] | None = None  # the files as they were read, to show lines of them

    @property
    def is_accepted(self) -> bool:
        return self.verdict == "accepted"

    def to_json(self) -> dict[str, Any]:
        return {
            "pack": self.pack,
            "core": self.core,
            "verdict": self.verdict,
            "faults": [fault.to_json() for fault in self.faults],
            "warnings": [fault.to_json() for fault in self.warnings],
            "clauses": [clause.to_json() for clause in self.clauses],
            "together": self.together.to_json() if self.together else None,
        }

    def __str__(self) -> str:
        return json.dumps(self.to_json(), indent=2, ensure_ascii=False)


def one_for_each_place(faults: list[Fault]) -> tuple[Fault, ...]:
    """Faults at one place are one fault that cites all clauses; the first one says why."""
    found: dict[tuple[tuple[str, int], ...], Fault] = {}
    for fault in faults:
        key = tuple((span.file, span.line) for span in fault.places)
        first = found.get(key)
        if first is None:
            found[key] = fault
        else:
            clauses = tuple(dict.fromkeys((*first.clauses, *fault.clauses)))
            core = tuple(dict.fromkeys((*first.core, *fault.core)))
            rules = tuple(dict.fromkeys((*first.rules, *fault.rules)))
            found[key] = replace(
                first, clauses=clauses, core=core, rules=rules, repair=first.repair or fault.repair
            )
    return tuple(sorted(found.values(), key=lambda fault: fault.place))

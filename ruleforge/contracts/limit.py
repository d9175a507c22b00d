"""`Limit` is one row of the table of limits: the check of a change, and the message of a breach."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ruleforge.analysis.effects.summary import Change, EffectSummary
from ruleforge.contracts.conditions import Circumstances
from ruleforge.contracts.model import Clauses, Point
from ruleforge.contracts.terms import (
    Term,
)
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

# How far from being admitted a failure leaves a change: the smallest is the one to tell.
_WEIGHTS = {"RF904": 1, "RF905": 1, "RF906": 1, "RF907": 1, "RF919": 1, "RF909": 2, "RF908": 3, "RF903": 4}


@dataclass(frozen=True, slots=True)
class Breach:
    """A change that a limit forbids, and the suggested repair; empty fields take their value from the limit's row."""

    why: str
    repair: str | None
    span: Span | None = None
    code: str = ""
    guarded: bool | None = None
    answer: str = "broken"


@dataclass(frozen=True, slots=True)
class Failure:
    """A limit that is not kept; `guarded`: the clauses are those of the guard of the target."""

    code: str
    why: str
    span: Span
    repair: str | None
    clauses: Clauses
    guarded: bool
    answer: str

    @property
    def weight(self) -> int:
        return _WEIGHTS.get(self.code, 2)


@dataclass(frozen=True, slots=True)
class LimitQuestion:
    """A change before a point: its maker, and the facts known about it. `is_new` are the things of packs."""

    point: Point
    change: Change
    effect: EffectSummary | None
    pack_kind: str
    around: Circumstances
    new_things: frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Limit:
    """A row of the table: a term of the contract, and the check of a change at a point with this term.

    `cites` says which clauses of the point are broken, `guarded` that those of the guard of the target are.
    """

    term: Term[Any] | None  # none: it is asked at every point
    code: str
    breach: Callable[[Any, LimitQuestion], Breach | None]
    kinds: tuple[str, ...] = ()  # of changes that it is about; none: of all
    of_effects: bool = False  # it is about what a rule or action does, not about definitions
    cites: str = ""
    guarded: bool = False

    def failure(self, question: LimitQuestion) -> Failure | None:
        value = question.point[self.term] if self.term is not None else ()
        if value is None or (self.kinds and question.change.kind not in self.kinds):
            return None
        found = self.breach(value, question) if question.effect is not None or not self.of_effects else None
        if found is None:
            return None
        clauses: Clauses = getattr(question.point, self.cites) if self.cites else ()
        guarded = self.guarded if found.guarded is None else found.guarded
        code, span = found.code or self.code, found.span or question.change.span
        return Failure(code, found.why, span, found.repair, clauses, guarded, found.answer)

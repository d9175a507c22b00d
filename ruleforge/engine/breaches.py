"""A state of a game whose packs are observed -> what of the contract they have broken so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.compiler.ir import BreachInfo
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

if TYPE_CHECKING:
    from ruleforge.engine.base_state import BaseState


@dataclass(frozen=True, slots=True)
class Breach:
    """One way in which the contract was broken, and how often since the game began.

    `proved`: packs that are accepted never break it so; else several things add up, and the gate keeps it back when
    packs are not only observed. Values and limit of each breach are told by the events of its choice.
    """

    what: str
    clauses: tuple[str, ...]
    span: Span
    count: int
    proved: bool
    pack: str = ""  # the title of the pack in whose files the place is

    def __str__(self) -> str:
        cites = f" {', '.join(self.clauses)}" if self.clauses else ""
        return f"breach{cites}: {self.what}, {self.count} times, at {self.span.file}:{self.span.line}"


def breaches(state: BaseState) -> tuple[Breach, ...]:
    infos = state._variant.program.breaches
    return tuple(_breach(state, info) for info in infos if state._row[info.slot])


def _breach(state: BaseState, info: BreachInfo) -> Breach:
    pack = state._variant.info.pack_of(info.span)
    count, title = state._row[info.slot], pack.title if pack else ""
    return Breach(info.what, info.clauses, info.span, count, info.proved, title)

"""A flow that begins in the middle: what comes before the phase that is sought is passed over, once.

After the set-up one choice is waited for, so that the position can be made another before anything happens. The
phases around the one that is sought are under way then: nothing of theirs is done but what comes after it.
"""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Begin, Env, Lowering
from ruleforge.compiler.lower.decisions import choices
from ruleforge.compiler.lower.decisions.answers import Answer
from ruleforge.compiler.lower.decisions.question import QuestionSpec
from ruleforge.compiler.lower.expressions import values
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import ways_of
from ruleforge.support.diagnostics import NOWHERE
from ruleforge.support.records import dataclass

ZERO, ONE = ir.Const(0), ir.Const(1)


@dataclass(frozen=True)
class Seek:
    """The way to a phase, outermost first; the local that is 1 until it is come to; and for whom it is to begin."""

    path: tuple[t.Phase, ...] = ()
    flag: str = ""
    player: int = 0

    @property
    def on(self) -> ir.Expr:
        """Is it still being sought?"""
        return ir.Local(self.flag) if self.path else ZERO

    def passes(self, phase: t.Phase) -> bool:
        """Does the way lead through a phase?"""
        return phase in self.path

    def ends_at(self, phase: t.Phase) -> bool:
        return bool(self.path) and phase is self.path[-1]

    def unless(self, body: ir.Body) -> ir.Body:
        """What is done only when nothing is sought any more."""
        return (ir.If(values.negated(self.on), body),) if self.path and body else body

    def anyway(self, phase: t.Phase, test: ir.Expr) -> ir.Expr:
        """A condition that does not count on the way."""
        return values.either([self.on, test]) if self.passes(phase) else test

    def for_whom(self, phase: t.Phase, who: ir.Expr, body: ir.Body) -> ir.Body:
        """The round of somebody: others come before the one for whom it is to begin."""
        turns = [p for p in self.path if p.each is not None and p.me is p.each.variable]
        if not self.player or not turns or phase is not turns[-1]:
            return body
        mine = ir.Binary("==", who, ir.Const(self.player))
        return (ir.If(values.either([values.negated(self.on), mine]), body),)

    def missed(self, low: Lowering, phase: t.Phase) -> ir.Body:
        """A pass through a phase on the way that did not come to what is sought."""
        if not self.passes(phase):
            return ()
        sought = self.path[-1]
        whose = f" of {low.kind('player').things[self.player - 1]}" if self.player else ""
        fault = low.fault("RF856", f"the flow does not reach `{sought.name}`{whose} here", sought.span)
        return (ir.If(self.on, (ir.Trap(fault),)),)


NOTHING = Seek()


def seek(low: Lowering, begin: Begin | None) -> Seek:
    if begin is None:
        return NOTHING
    way = next(way for way in ways_of(low.rules.flow) if way[-1].name == begin.phase)
    return Seek(way, low.fresh("seeking"), begin.player)


def waiting(low: Lowering, begin: Begin, found: Seek) -> ir.Body:
    """The set-up is over: one choice is waited for, and then the phase is sought."""
    asked = QuestionSpec(who=ir.Const(found.player or 1), kind=begin.word, prompt="Begin", span=NOWHERE)
    question = choices.question(low, asked, (Answer(begin.word, ()),), Env())
    return (question.ask(low.fresh("begun")), ir.Set(found.flag, ONE))

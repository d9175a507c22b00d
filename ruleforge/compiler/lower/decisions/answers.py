"""The possible answers to a question, with their needs and their visibility."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Lowering
from ruleforge.compiler.lower.decisions.parts import Joint, bound_by
from ruleforge.compiler.lower.decisions.question import Binders
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import free_variables, used_variables
from ruleforge.support.diagnostics import NOWHERE, Span
from ruleforge.support.records import dataclass


@dataclass(frozen=True)
class Answer:
    """One way to answer a site: a word, the binders of its parameters, and the later choices and needs."""

    word: str
    binders: tuple[Joint, ...]
    later: Binders = ()  # asked afterwards; the answer is offered only if they can be met
    needs: tuple[t.Expr, ...] = ()
    action: int | None = None
    span: Span = NOWHERE
    test: Callable[[Env], ir.Expr] | None = None  # what else must hold once everything is bound
    uses: tuple[object, ...] = ()  # nodes that the test speaks of
    dear: bool = False  # the test is a trial on a copy
    limit: Callable[[Env], ir.Expr] | None = None  # the part of the test that every player can evaluate


@dataclass(frozen=True)
class Closing:
    """The words that close a question.

    They are offered if it has an answer, or could have one as far as others know.
    """

    words: tuple[ir.Option, ...] = ()
    open: tuple[Answer, ...] = ()  # the open parts of the answers, if they differ
    alone: bool = False  # offered only where nothing else is
    always: bool = False  # offered in any case

    def codes(self) -> ir.Body:
        return tuple(ir.Offer(ir.Const(word.first)) for word in self.words)


def usual_binders(binders: tuple[Joint, ...]) -> tuple[t.Binder, ...]:
    """The binders with a default answer. They come last."""
    return tuple(b for b in binders if isinstance(b, t.Binder) and b.usual is not None)


def captured(answers: tuple[Answer, ...], env: Env) -> tuple[t.Variable, ...]:
    """The locals that answers speak of."""
    used = used_variables(*(x for a in answers for x in (*a.binders, *a.later, *a.needs, *a.uses)))
    return tuple(v for v in used if v in env.values)


def early_needs(answer: Answer) -> tuple[t.Expr, ...]:
    later = {bound_by(b) for b in answer.later}
    return tuple(n for n in answer.needs if not later & set(free_variables(n)))


def late_needs(answer: Answer) -> tuple[t.Expr, ...]:
    early = early_needs(answer)
    return tuple(n for n in answer.needs if n not in early)


def open_answer(low: Lowering, answer: Answer) -> Answer | None:
    """The part of an answer that every player can evaluate. None if nothing about it is hidden."""
    questions = low.questions
    secret = any(map(questions.is_secret, answer.needs))
    needs = questions.open_tests(*answer.needs) if secret else answer.needs
    test = None if any(map(questions.reads_secrets, answer.uses)) else answer.test
    binders = tuple(_open_joint(low, b) for b in answer.binders)
    later = tuple(questions.open_part(b) for b in answer.later)
    same = (binders, later, needs, test) == (answer.binders, answer.later, answer.needs, answer.test)
    if same:
        return None
    return replace(
        answer,
        binders=tuple(b for b in binders if b is not None),
        later=tuple(b for b in later if b is not None),
        needs=needs,
        test=test or answer.limit,
    )


def _open_joint(low: Lowering, binder: Joint) -> Joint | None:
    if isinstance(binder, t.Binder):
        part = low.questions.open_part(binder)
        assert not isinstance(part, t.Several)
        return part
    node = low.questions.open_part(binder.node)
    if node is binder.node:
        return binder
    assert not isinstance(node, t.Binder)
    return None if node is None else replace(binder, node=node)

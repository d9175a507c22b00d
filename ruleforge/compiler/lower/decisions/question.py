"""The specification of a question, and the site that it becomes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Lowering
from ruleforge.compiler.lower.decisions.parts import bound_by
from ruleforge.lang.checker import typed as t
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

Binders = tuple[t.Binder | t.Several, ...]
Allowed = Callable[[Binders, Env], ir.Expr]  # with binders to come


@dataclass(frozen=True, kw_only=True)
class QuestionSpec:
    """The player, the words, the place in the rules, the audience of the answer, and its postconditions."""

    who: ir.Expr  # 0 for chance
    kind: str
    prompt: str  # `{}` stands for what is asked for
    span: Span
    clauses: tuple[str, ...] = ()
    words: tuple[str, ...] = ()  # that close it (`done`, `decline`), offered if anything else could be
    alone: bool = False  # the word is offered only where nothing else is
    openly: bool = False  # what else could be offered is no secret: the words show it
    always: bool = False  # the words are offered in any case
    chance: bool = False
    unseen: bool = False  # the result of chance is hidden from all players
    flow: bool = False  # a phase of the flow asks
    sees: str | None = None  # the visibility function of the answer; None: all see it
    sealed: ir.Sealed | None = None  # where the answers wait until all are given
    gathered: ir.Gathered | None = None  # where a set lies that is taken one by one
    given: tuple[str, ...] = ()  # the locals that hold the values of the window
    needs: tuple[t.Expr, ...] = ()  # requirements, tested as soon as all they speak of is chosen
    allowed: Allowed | None = None  # what else must be possible, with binders to come
    uses: tuple[object, ...] = ()  # the nodes that `allowed` speaks of
    action: int | None = None  # the one that is under way
    bound: tuple[
        tuple[str, str], ...
    ] = ()  # what was chosen for it so far, each with the local that holds it

    def of(self, binder: t.Binder | t.Several) -> QuestionSpec:
        """The question for one of the things that are asked for."""
        prompt = binder.question or f"choose {bound_by(binder).name}"
        return replace(self, prompt=self.prompt.format(prompt), span=binder.span)


@dataclass(frozen=True)
class Question:
    """A site and the way to ask at it."""

    site: ir.Site
    who: ir.Expr
    arguments: tuple[ir.Expr, ...]

    def ask(self, into: str) -> ir.Ask:
        return ir.Ask(self.site.number, self.who, self.arguments, into)


def at_site(
    low: Lowering,
    spec: QuestionSpec,
    call: ir.CallExpr,
    options: tuple[ir.Option, ...],
    drawn: ir.Sampler | None,
) -> Question:
    """A new site; `call` offers its codes, `drawn` draws one of them without a list."""
    site = ir.Site(
        len(low.sites),
        spec.kind,
        spec.prompt,
        call.function,
        options,
        spec.chance,
        drawn,
        spec.span,
        spec.clauses,
        spec.sees,
        spec.sealed,
        spec.gathered,
        spec.given,
        spec.action,
        spec.bound,
        spec.unseen,
        spec.flow,
    )
    low.sites.append(site)
    return Question(site, spec.who, call.arguments)

"""What is asked, and the function that offers its codes -> a site, and how to ask there."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Lowering
from ruleforge.compiler.lower.decisions.question import QuestionSpec
from ruleforge.support.records import dataclass


@dataclass(frozen=True)
class Question:
    """A site and how to ask at it."""

    site: ir.Site
    who: ir.Expr
    arguments: tuple[ir.Expr, ...]

    def ask(self, into: str) -> ir.Ask:
        return ir.Ask(self.site.number, self.who, self.arguments, into)


def at_site(
    low: Lowering,
    asked: QuestionSpec,
    call: ir.CallExpr,
    options: tuple[ir.Option, ...],
    drawn: ir.Sampler | None,
) -> Question:
    """A new site; `call` offers its codes, `drawn` draws one of them without a list."""
    site = ir.Site(
        len(low.sites),
        asked.kind,
        asked.prompt,
        call.function,
        options,
        asked.chance,
        drawn,
        asked.span,
        asked.clauses,
        asked.sees,
        asked.sealed,
        asked.gathered,
        asked.given,
        asked.action,
        asked.bound,
        asked.unseen,
        asked.flow,
    )
    low.sites.append(site)
    return Question(site, asked.who, call.arguments)

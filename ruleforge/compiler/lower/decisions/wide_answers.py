"""One wide answer -> how a choice is drawn without a list of all."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Lowering, both
from ruleforge.compiler.lower.decisions.answers import Answer
from ruleforge.compiler.lower.decisions.choice_codes import code_of
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import filters
from ruleforge.lang.checker import typed as t


def sampler(
    low: Lowering, answers: tuple[Answer, ...], options: tuple[ir.Option, ...], env: Env
) -> ir.Sampler | None:
    """Rejection sampling for one wide answer whose candidates are cheap to draw; None: list and pick."""
    if len(answers) != 1 or answers[0].later or answers[0].test:
        return None
    answer, option = answers[0], options[0]
    binders = tuple(b for b in answer.binders if isinstance(b, t.Binder))
    if option.count <= 16 or len(binders) < len(answer.binders) or any(b.by or b.until for b in binders):
        return None
    names: list[str] = []
    draws: list[ir.Draw] = []
    tests: list[ir.Expr] = []
    bound = env
    for binder in binders:
        drawn = _draw(low, binder, bound, first=not names)
        if drawn is None:
            return None
        draw, rest = drawn
        name = low.fresh(binder.variable.name)
        bound = bound.bind(binder.variable, ir.Local(name))
        names.append(name)
        draws.append(draw)
        if rest is not None:
            tests.append(values.value(low, rest, bound))
    tests += [values.value(low, n, bound) for n in answer.needs]
    code = code_of(option, tuple(ir.Local(n) for n in names))
    return ir.Sampler(tuple(names), tuple(draws), both(*tests), code)


def _draw(low: Lowering, binder: t.Binder, env: Env, first: bool) -> tuple[ir.Draw, t.Expr | None] | None:
    """Candidates of one part and what remains to be tested; only the first may vary in number, else some
    choices would be likelier than others."""
    found = filters.scan_of(low, binder)
    if found is not None:
        if not first:
            return None
        column, wanted, rest = found
        base = low.layout.columns[column].base
        return ir.DrawScan(base, low.size(column.kind), values.value(low, wanted, env)), rest
    match binder.source:
        case t.All(kind=kind):
            return ir.DrawRange(1, low.size(kind)), binder.where
        case t.Read(column=column) if column.constant:
            rows = ((), *(v for v in column.values if isinstance(v, tuple)))
            if not first and len({len(row) for row in rows[1:]}) > 1:
                return None
            return ir.DrawEach(low.relation(rows), values.fact_key(low, binder.source, env)), binder.where
    return None

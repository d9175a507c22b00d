"""Find the owner of a thing from conditions about its controller, such as `owner(p) is me`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ruleforge.analysis.effects.summary import Who
from ruleforge.analysis.effects.values import conjuncts, same, written_out
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.checker.walk import with_replaced_uses


def belongs(
    rules: t.Checked, thing: t.Expr, tests: Iterable[t.Expr], who: Callable[[t.Expr], Who | None]
) -> Who | None:
    """The owner that the thing must have for the tests to hold. None if they leave it open."""
    controller = controller_of(rules, thing)
    if controller is None:
        return None
    for test in conjuncts(*tests):
        if not isinstance(test, t.Compare) or test.op not in ("==", "!="):
            continue
        for one, other in ((test.left, test.right), (test.right, test.left)):
            found = who(other) if same(written_out(one), controller) else None
            if found is not None:
                return found if test.op == "==" else found.flipped()
    return None


def controller_of(rules: t.Checked, thing: t.Expr) -> t.Expr | None:
    """The controller of the thing, as its kind defines it, with all formulas expanded."""
    kind = rules.kinds.get(thing.type.kind) if isinstance(thing.type, ThingT) else None
    conduct = rules.conduct.get(kind) if kind is not None else None
    about = conduct.controller if conduct is not None else None
    if about is None:
        return None
    return written_out(
        with_replaced_uses(about.value, lambda use: thing if use.variable is about.this else use)
    )

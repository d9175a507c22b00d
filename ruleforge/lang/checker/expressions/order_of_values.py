"""Values in the wrong order: one mistake of the author, not two."""

from __future__ import annotations

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.scope import Scope
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.printer import print_expr


def in_order(node: n.Call, parameters: tuple[t.Variable, ...], scope: Scope) -> str | None:
    """The call as it was meant, if two locals stand where the other is wanted."""
    kinds = [_kind_of(argument, scope) for argument in node.arguments]
    wanted = [p.type.kind if isinstance(p.type, ThingT) else None for p in parameters]
    wrong = [at for at, kind in enumerate(kinds) if kind is not None and kind != wanted[at]]
    if len(wrong) != 2 or [kinds[at] for at in wrong] != [wanted[at] for at in reversed(wrong)]:
        return None
    names = [print_expr(argument) for argument in node.arguments]
    first, second = wrong
    names[first], names[second] = names[second], names[first]
    return f"{node.name}({', '.join(names)})"


def _kind_of(node: n.Expr, scope: Scope) -> str | None:
    """The kind of a local that is named alone."""
    variable = scope.variables.get(node.id) if isinstance(node, n.Name) else None
    return variable.type.kind if variable is not None and isinstance(variable.type, ThingT) else None

"""A condition and one thing -> whether printed facts alone say that it holds of the thing; None if they do not."""

from __future__ import annotations

import operator
from collections.abc import Callable

from ruleforge.lang.checker import typed as t

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def holds_of(test: t.Expr, variable: t.Variable, thing: int) -> bool | None:
    match test:
        case t.Logic(op=op, parts=parts):
            found = [holds_of(part, variable, thing) for part in parts]
            settled = op == "or"  # one part that says so settles it
            if settled in found:
                return settled
            return None if None in found else not settled
        case t.Not(value=value):
            answer = holds_of(value, variable, thing)
            return None if answer is None else not answer
        case t.Compare(op=op, left=left, right=right):
            one, other = printed(left, variable, thing), printed(right, variable, thing)
            return None if one is None or other is None else _COMPARE[op](one, other)
        case t.In(element=element, source=t.SetOf(members=members)):
            known = [printed(member, variable, thing) for member in members]
            printed_value = printed(element, variable, thing)
            return None if printed_value is None or None in known else printed_value in known
    flag = printed(test, variable, thing)
    return None if flag is None else bool(flag)


def printed(node: t.Expr, variable: t.Variable, thing: int) -> int | None:
    """The value of a constant, of the thing itself, or of a fact that is printed on it or on what it names."""
    match node:
        case t.Constant(value=value):
            return value
        case t.Use():
            return thing if node.variable is variable else None
        case t.Sure(value=value):
            return printed(value, variable, thing)
        case t.Read(column=column, of=of, index=()) if column.constant:
            bearer = printed(of, variable, thing)
            fact = column.values[bearer - 1] if bearer else None
            return fact if isinstance(fact, int) else None
    return None

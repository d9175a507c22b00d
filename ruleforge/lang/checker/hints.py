"""What stands beside a choice: the author's `hint`, held against the rules, or else the price of the action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.expressions.checker import Expressions
from ruleforge.lang.checker.log_sentences import check_braces
from ruleforge.lang.checker.scope import Scope
from ruleforge.lang.checker.types import FlagT, NumberT, SetT
from ruleforge.lang.checker.walk import free_variables
from ruleforge.lang.model.log_sentence import LogSentence, Placeholder
from ruleforge.lang.parser.text_parser import parse_expr


class Hints:
    """Checks hints in the scope of the effects of their actions."""

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._symbols = expressions.symbols

    def hint(self, telling: LogSentence, scope: Scope) -> t.Hint:
        check_braces(telling, "hint", self._symbols.report)
        parts = (part if isinstance(part, str) else self._blank(part, scope) for part in telling.parts)
        return t.Hint(tuple(part for part in parts if part is not None))

    def _blank(self, hole: Placeholder, scope: Scope) -> t.Blank | None:
        if hole.then:
            message = "a hint is shown before anything happens, so it has no `then`"
            self._symbols.report.add("RF404", message, hole.expression.span)
        node = parse_expr(hole.expression, self._symbols.report)
        if node is None:
            return None
        check = self._expressions.condition if hole.answers is not None else self._expressions.check
        tree = check(node, scope)
        for variable in free_variables(tree):
            if isinstance(variable.type, SetT):
                message = f"`{variable.name}` is chosen one by one, so its value is not known yet"
                self._symbols.report.add("RF502", message, hole.expression.span)
        return t.Blank(tree, hole.answers)


def price_of(action: t.Action, titles: Mapping[str, str]) -> t.Hint | None:
    """What an action costs, as far as its cost says plainly what is paid and from what."""
    parts: list[str | t.Blank] = []
    for statement in action.cost.statements if action.cost is not None else ():
        own = tuple(_paid(statement, titles))
        if own and _is_known(action, own):
            parts += [*([", "] if parts else []), *own]
    return t.Hint(tuple(parts)) if parts else None


def _paid(statement: t.Statement, titles: Mapping[str, str]) -> Iterator[str | t.Blank]:
    match statement:
        case t.Pay(amount=amount, pools=pools):
            yield t.Blank(amount)
            yield f" {' or '.join(_label(pool.column, titles) for pool in pools)}"
        case t.Store(column=column, value=t.Arithmetic(op="-", left=t.Read() as pool, right=amount)):
            if pool.column is column:
                yield t.Blank(amount)
                yield f" off {_label(column, titles)}"
        case t.Store(column=column, value=t.Constant(value=1)) if isinstance(column.type, FlagT):
            yield _label(column, titles)
        case t.Perform(event=event, arguments=arguments):
            yield titles.get(event.name) or event.name.replace("_", " ")
            for amount in (given for given in arguments if isinstance(given.type, NumberT)):
                yield " "
                yield t.Blank(amount)


def _label(column: t.Column, titles: Mapping[str, str]) -> str:
    return titles.get(f"{column.kind.name}.{column.name}") or column.name.replace("_", " ")


def _is_known(action: t.Action, parts: tuple[str | t.Blank, ...]) -> bool:
    """Whether all that a price speaks of is named by the choice."""
    carrier = action.carrier
    own = {action.me, *action.given, *(b.variable for b in action.binders if isinstance(b, t.Binder))}
    own |= {carrier.this, carrier.me or carrier.this} if carrier is not None else set()
    blanks = (part for part in parts if isinstance(part, t.Blank))
    return all(variable in own for blank in blanks for variable in free_variables(blank.tree))

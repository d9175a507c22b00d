"""Checks the sentences of authors: `tells` of events and actions, and `hint` of choices."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.expressions.checker import Expressions
from ruleforge.lang.checker.scope import Scope
from ruleforge.lang.checker.types import FlagT, NumberT, SetT
from ruleforge.lang.checker.walk import free_variables
from ruleforge.lang.model.log_sentence import LogSentence, Placeholder
from ruleforge.lang.parser.text_parser import parse_expr
from ruleforge.support.diagnostics import Report

_HALF = re.compile(r"\{[^{}?]*\?[^{}:]*\}")
Tells = dict[str, t.LogTemplate]


class Hints:
    """Checks hints in the scope of the effects of their actions."""

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._symbols = expressions.symbols

    def hint(self, sentence: LogSentence, scope: Scope) -> t.Hint:
        check_braces(sentence, "hint", self._symbols.report)
        parts = (part if isinstance(part, str) else self._blank(part, scope) for part in sentence.parts)
        return t.Hint(tuple(part for part in parts if part is not None))

    def _blank(self, placeholder: Placeholder, scope: Scope) -> t.Blank | None:
        if placeholder.then:
            message = "a hint is shown before anything happens, so it has no `then`"
            self._symbols.report.add("RF404", message, placeholder.expression.span)
        node = parse_expr(placeholder.expression, self._symbols.report)
        if node is None:
            return None
        check = self._expressions.condition if placeholder.answers is not None else self._expressions.check
        tree = check(node, scope)
        for variable in free_variables(tree):
            if isinstance(variable.type, SetT):
                message = f"`{variable.name}` is chosen one by one, so its value is not known yet"
                self._symbols.report.add("RF502", message, placeholder.expression.span)
        return t.Blank(tree, placeholder.answers)


def price_of(action: t.Action, titles: Mapping[str, str]) -> t.Hint | None:
    """The price of an action, as far as its cost plainly names the amount and the purse."""
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


# `tells` of events and actions, held against the rules: every placeholder is an expression over what they are given.


class LogSentences:
    """Checks log sentences, with the locals that their placeholders may use."""

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._symbols = expressions.symbols

    def event(self, event: t.Event, sentence: LogSentence) -> t.LogTemplate:
        return self._template(sentence, event.parameters)

    def action(self, action: t.Action, sentence: LogSentence) -> t.LogTemplate:
        return self._template(sentence, known_to(action))

    def _template(self, sentence: LogSentence, given: Iterable[t.Variable]) -> t.LogTemplate:
        variables = tuple(given)
        scope = Scope().bind(*variables)
        check_braces(sentence, "sentence", self._symbols.report)
        for placeholder in sentence.placeholders:
            node = parse_expr(placeholder.expression, self._symbols.report)
            if node is None:
                continue
            if placeholder.answers is not None:
                self._expressions.condition(node, scope)
            else:
                self._expressions.check(node, scope)
        return t.LogTemplate(sentence, variables)


def known_to(action: t.Action) -> tuple[t.Variable, ...]:
    """The variables that a hint may name after a choice: the player, the window's values, the bearer and the
    choices.
    """
    bound = (b.chosen if isinstance(b, t.Several) else b.variable for b in action.binders)
    this = () if action.carrier is None else (action.carrier.this,)
    return (action.me, *action.given, *this, *bound)


def check_braces(sentence: LogSentence, what: str, report: Report) -> None:
    """Report a bracket that is not closed, or not opened."""
    rest = "".join(part for part in sentence.parts if isinstance(part, str))
    if half := _HALF.search(rest):
        help = "write `{CONDITION ? YES : NO}`; one side may be empty"
        report.add("RF407", f"`{half[0]}` has one side only", sentence.text.span, help)
    elif "{" in rest or "}" in rest or rest.count("[") != rest.count("]"):
        then = ", `{then EXPRESSION}`" if what == "sentence" else ""
        help = f"write `{{EXPRESSION}}`{then} or `{{CONDITION ? YES : NO}}`"
        if "{" not in rest and "}" not in rest:
            help = "put `[...]` around words that appear only if the reader may know all of them"
        report.add("RF404", f"a bracket in this {what} has no partner", sentence.text.span, help)

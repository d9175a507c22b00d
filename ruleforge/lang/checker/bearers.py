"""Keywords that no rule gives or takes: what hangs on them is simply printed on the things that bear them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from ruleforge.lang.checker import typed as t

Printed = TypeVar("Borne", t.Rule, t.Action)


def print_fixed(
    borne: Iterable[Printed], rules: Iterable[t.Rule], columns: Mapping[tuple[str, str], t.Column]
) -> tuple[Printed, ...]:
    """Rules or actions, the bearers named of each whose keyword no rule lets change hands in play."""
    changing = _changing(rules)
    return tuple(_printed(what, changing, columns) for what in borne)


def _printed(
    what: Printed, changing: dict[str, set[int] | None], columns: Mapping[tuple[str, str], t.Column]
) -> Printed:
    carrier = what.carrier
    if carrier is None or carrier.keyword is None:
        return what
    given, number = changing.get(carrier.kind.name, set()), carrier.keyword.number
    if given is None or number in given:
        return what
    printed = columns[carrier.kind.name, "keywords"].values
    bearers = tuple(i for i, has in enumerate(printed, 1) if isinstance(has, tuple) and number in has)
    return replace(what, carrier=replace(carrier, things=bearers, keyword=None))


def _changing(rules: Iterable[t.Rule]) -> dict[str, set[int] | None]:
    """By kind, the numbers of the keywords that rules give; None if any keyword may come or go."""
    found: dict[str, set[int] | None] = {}
    for rule in rules:
        kind = rule.pattern.subject if rule.form == "modify" and rule.pattern else None
        if not isinstance(kind, t.Kind):
            continue
        known = found.setdefault(kind.name, set())
        amount = rule.amount
        members = amount.members if isinstance(amount, t.SetOf) else (amount,)
        numbers = {m.value for m in members if isinstance(m, t.Constant) and isinstance(m.value, int)}
        if rule.op != "add" or len(numbers) < len(members) or known is None:
            found[kind.name] = None
        else:
            known |= numbers
    return found

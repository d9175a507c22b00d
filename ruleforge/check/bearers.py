"""Keywords that no rule gives or takes: what hangs on them is simply printed on the things that bear them."""

from __future__ import annotations

from collections.abc import Iterable

from ruleforge.check import typed as t


def print_fixed(
    rules: Iterable[t.Rule], actions: Iterable[t.Action], columns: dict[tuple[str, str], t.Column]
) -> None:
    """Name the bearers of every rule and action of a keyword that cannot change hands in play."""
    rules = list(rules)
    changing = _changing(rules)
    for carrier in (*(r.carrier for r in rules), *(a.carrier for a in actions)):
        if carrier is None or carrier.keyword is None:
            continue
        given = changing.get(carrier.kind.name, set())
        if given is not None and carrier.keyword.number not in given:
            printed = columns[carrier.kind.name, "keywords"].values
            number = carrier.keyword.number
            carrier.things = tuple(
                i for i, has in enumerate(printed, 1) if isinstance(has, tuple) and number in has
            )
            carrier.keyword = None


def _changing(rules: list[t.Rule]) -> dict[str, set[int] | None]:
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

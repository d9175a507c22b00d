"""`leading` finds the parameters of a log sentence that are sure to move before any other thing of their
kind.

A reader of the sentence may learn the name of such a thing one moment later: the first move shows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.support.records import dataclass

END, OTHER = "end", "other"  # nothing was moved; another thing may have been
QUIET = (t.Assign, t.Remember, t.Forget)  # no rule learns of these
CHANGES = (t.Store, t.Pay, t.Shuffle, t.Show, t.Roll, t.RandomPick, t.Move)
DEEPEST = 12  # events inside of events


@dataclass(frozen=True, slots=True)
class _At:
    """The state of the search: the locals that hold given things, the depth in events, and the mode."""

    known: Mapping[t.Variable, str]
    depth: int = 0
    together: bool = False


def leading(rules: t.Checked) -> dict[str, frozenset[str]]:
    """Map `event x` or `action x` to the names of such parameters; those without are left out."""
    kinds = {place.holds for place in rules.places.values() if place.hidden}
    found = ((key, _led(rules, key, template, kinds)) for key, template in rules.tells.items())
    return {key: names for key, names in found if names}


def _led(rules: t.Checked, key: str, template: t.LogTemplate, kinds: set[t.Kind]) -> frozenset[str]:
    texts = {placeholder.expression.text for placeholder in template.sentence.placeholders}
    sort, _, name = key.partition(" ")
    return frozenset(
        variable.name
        for variable in _given(rules, sort, name)
        if variable.name in texts
        and isinstance(variable.type, ThingT)
        and (kind := rules.kinds[variable.type.kind]) in kinds
        and variable.name in (first := _first(rules, kind, sort, name, variable))
        and first <= ({variable.name, END} if sort == "event" else {variable.name})
    )


def _given(rules: t.Checked, sort: str, name: str) -> tuple[t.Variable, ...]:
    if sort == "event":
        return rules.events[name].parameters
    return tuple(b.variable for b in rules.actions[name].binders if isinstance(b, t.Binder))


def _first(rules: t.Checked, kind: t.Kind, sort: str, name: str, variable: t.Variable) -> set[str]:
    definition = rules.events[name] if sort == "event" else rules.actions[name]
    search = _Search(rules, kind)
    blocks = [definition.body] if isinstance(definition, t.Event) else [definition.cost, definition.body]
    at = _At({variable: variable.name}, together=isinstance(definition, t.Event) and definition.together)
    return search.all(chain.from_iterable(b.statements for b in blocks if b), at)


class _Search:
    """Searches for the first moves of one kind; inside `together` no rule acts between moves."""

    def __init__(self, rules: t.Checked, kind: t.Kind) -> None:
        self._kind = kind
        forms = ("after", "always", "instead")
        self._hooks = [r for r in rules.rules if r.form in forms and self._moves(r.body, set())]
        self._restless = any(rule.form != "instead" for rule in self._hooks)

    def all(self, statements: Iterator[t.Statement], at: _At) -> set[str]:
        found: set[str] = set()
        for statement in statements:
            first = self._statement(statement, at)
            found |= first - {END}
            if END not in first:
                return found
        return found | {END}

    def _block(self, block: t.Block | None, at: _At) -> set[str]:
        return {END} if block is None else self.all(iter(block.statements), at)

    def _statement(self, node: t.Statement, at: _At) -> set[str]:
        match node:
            case t.Move(thing=thing, place=place) if place.holds is self._kind:
                return {at.known.get(thing.variable, OTHER) if isinstance(thing, t.Use) else OTHER}
            case t.If(branches=branches, otherwise=otherwise):
                blocks = (*(block for _, block in branches), otherwise)
                return set().union(*(self._block(block, at) for block in blocks))
            case t.For(body=body) | t.Repeat(body=body):
                return self._block(body, at) | {END}
            case t.Together(body=body):
                return self._block(body, replace(at, together=True))
            case t.Perform(event=event, arguments=arguments):
                return self._perform(event, arguments, at)
            case _ if isinstance(node, QUIET):
                return {END}
            case _ if isinstance(node, CHANGES):
                return {OTHER if self._restless and not at.together else END}
        return {OTHER}

    def _perform(self, event: t.Event, arguments: tuple[t.Expr, ...], at: _At) -> set[str]:
        replaced = any(r.form == "instead" and r.pattern and r.pattern.subject is event for r in self._hooks)
        if at.depth == DEEPEST or replaced:
            return {OTHER}
        pairs = zip(event.parameters, arguments, strict=False)
        inner = {p: at.known[a.variable] for p, a in pairs if isinstance(a, t.Use) and a.variable in at.known}
        found = self._block(event.body, _At(inner, at.depth + 1, at.together or event.together))
        ended = END in found and self._restless and not at.together
        return (found - {END}) | {OTHER} if ended else found

    def _moves(self, block: t.Block | None, met: set[t.Event]) -> bool:
        """Whether anything of the kind may be moved in it."""
        for node in all_nodes(block) if block is not None else ():
            if isinstance(node, t.Move) and node.place.holds is self._kind:
                return True
            if isinstance(node, t.Perform) and node.event not in met:
                met.add(node.event)
                if self._moves(node.event.body, met):
                    return True
        return False

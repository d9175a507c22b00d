"""The names that a scenario may use: seats, things, members, words of choices."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from ruleforge.analysis.effects.definitions import blocks_of
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.typed.own_columns import path_name
from ruleforge.lang.checker.types import ERROR, INT_MAX, INT_MIN, ErrorT, FlagT, NumberT, SetT, ThingT, Type
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.support.records import dataclass

# Paths that every game has; none of its things is called like their first words without its kind.
SPECIAL = ("decision.player", "decision.kind", "decision.prompt", "outcome.reason", "outcome.winners")
RESERVED = frozenset(path.partition(".")[0] for path in SPECIAL)
DISCLOSED = "told_"  # before the name of a fact: what a player was told of it
CLOSING_WORDS = ("done", "decline", "nothing")


@dataclass(frozen=True, slots=True)
class Member:
    """A target of a path: an attribute, the content of a place, or a formula in views."""

    name: str
    kinds: tuple[str, ...]  # of the thing before the dot, then of those in brackets
    type: Type
    place: t.Place | None = None
    expression: bool = False  # then it is a member of nothing, and `name` is its whole text


class ChoiceWords:
    """The words of choices besides names and numbers; they are the same for every set-up."""

    def __init__(self, rules: t.Checked) -> None:
        self._rules = rules

    @cached_property
    def words(self) -> frozenset[str]:
        """Actions, rules that ask, answers, and purses that split a payment."""
        rules = self._rules
        named = (*rules.actions, *(rule.name for rule in rules.rules))
        picks = (node for node in self._answers if isinstance(node, t.Pick))
        return frozenset(
            {
                *CLOSING_WORDS,
                *(name.rpartition(".")[2] for name in named),
                *(word for pick in picks for word, _, _ in pick.options),
                *self.purses,
            }
        )

    @cached_property
    def purses(self) -> Mapping[str, tuple[t.Column, ...]]:
        """The words for a purse, as in `stock[wood]`, with the attributes they may mean."""
        found: dict[str, dict[t.Column, None]] = {}
        for node in self._answers:
            if isinstance(node, t.Pay):
                for word, pool in zip(node.purses, node.pools, strict=True):
                    found.setdefault(word, {})[pool.column] = None
        return {word: tuple(columns) for word, columns in found.items()}

    @cached_property
    def _answers(self) -> list[t.Pick | t.Pay]:
        nodes = (node for block in blocks_of(self._rules) for node in all_nodes(block))
        return [node for node in nodes if isinstance(node, t.Pick | t.Pay)]


class ScenarioNames:
    """The names of a game with some number of seats; other kinds are the same at every table."""

    def __init__(self, rules: t.Checked, seats: int, spoken: ChoiceWords) -> None:
        self.rules, self.spoken = rules, spoken
        self.seats = next((k.things[:seats] for k in rules.kinds.values() if k.seats), ())
        self.read_paths: dict[str, Any] = {}  # what `paths` has found, by text
        self.given: dict[str, Any] = {}

    def things(self, kind: str) -> tuple[str, ...]:
        found = self.rules.kinds[kind]
        return self.seats if found.seats else found.things

    @cached_property
    def kinds_of(self) -> Mapping[str, tuple[str, ...]]:
        """The kinds that have a thing of a name."""
        found: dict[str, tuple[str, ...]] = {}
        for kind in self.rules.kinds:
            for thing in self.things(kind):
                found[thing] = (*found.get(thing, ()), kind)
        return found

    def has(self, kind: str, thing: str) -> bool:
        return kind in self.kinds_of.get(thing, ())

    def named(self, word: str) -> bool:
        """Is this a thing, by its name alone or after its kind?"""
        kind, dot, thing = word.rpartition(".")
        return self.has(kind, thing) if dot else word in self.kinds_of

    def plain(self, thing: str) -> str | None:
        """The kind of a thing that is named alone; None where that would not be clear."""
        kinds = self.kinds_of.get(thing, ())
        if thing in kinds:
            return thing
        return kinds[0] if len(kinds) == 1 and thing not in RESERVED else None

    @cached_property
    def members(self) -> Mapping[str, Mapping[str, Member]]:
        """By kind and name what follows a thing; under the empty text what nothing owns."""
        found: dict[str, dict[str, Member]] = {}
        for member in _members(self.rules):
            found.setdefault(member.kinds[0] if member.kinds else "", {}).setdefault(member.name, member)
        return found

    def mark(self, kind: str, name: str) -> Member | None:
        """The member for a mark on a hidden thing: an attribute, or the disclosed values of a fact."""
        fact = self.rules.columns.get((kind, name.removeprefix(DISCLOSED)))
        if name.startswith(DISCLOSED) and fact is not None:
            return Member(name, (kind,), _of_left(fact.type))
        return self.members.get(kind, {}).get(name)


def askable(formula: t.Formula) -> bool:
    """Whether a path can ask for the formula. A mistake in the formula is not reported again at the path."""
    plain = all(isinstance(p.type, ThingT | NumberT | ErrorT) for p in formula.parameters)
    return plain and isinstance(formula.result, NumberT | FlagT | ThingT | ErrorT)


def answer_of(formula: t.Formula) -> Type:
    """The type of what a formula gives; modifiers may lead a number out of the range its text has."""
    return NumberT(INT_MIN, INT_MAX) if isinstance(formula.result, NumberT) else formula.result


def _members(rules: t.Checked) -> list[Member]:
    found = [
        Member(
            path_name(c.kind.name, c.name, rules.columns), (c.kind.name, *(k.name for k in c.per)), _type(c)
        )
        for c in rules.columns.values()
        if not c.constant
    ]
    for place in rules.places.values():
        found.append(Member(place.name, tuple(kind.name for _, kind in place.of), place.content, place))
    for formula in rules.formulas.values():
        if formula.sees is not None and askable(formula):
            kinds = tuple(p.type.kind for p in formula.parameters if isinstance(p.type, ThingT))
            found.append(Member(formula.name, kinds, answer_of(formula)))
    return found


def _type(column: t.Column) -> Type:
    """The type of what a scenario writes: of what was told, the values that are left."""
    return column.type if column.tells is None else _of_left(column.tells.type)


def _of_left(fact: Type) -> Type:
    return SetT(fact.kind) if isinstance(fact, ThingT) else ERROR

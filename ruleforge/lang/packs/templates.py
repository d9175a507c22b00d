"""Expands templates: kinds with `product`, actions with `manner`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product
from math import prod

from ruleforge.lang.model.board_names import drawn
from ruleforge.lang.model.ruleset import Action, Column, Kind, Manner, Ruleset, Thing
from ruleforge.lang.model.words import pretty
from ruleforge.lang.source.error_nodes import ErrorNodes
from ruleforge.lang.source.scalar_origin import SourceText, text_at
from ruleforge.support.diagnostics import Report
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import did_you_mean, listed

MOST = 10_000  # as many as a `count` may make
_RANGE = re.compile(r"([0-9]{1,6})\s*\.\.\s*([0-9]{1,6})")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_HELP = (
    "write the plural of a kind whose things are listed, counted or cells of a board, "
    "or a range of numbers such as 2..14"
)


def spelt_out(whole: Ruleset, report: Report) -> Ruleset:
    """All products as things with facts; what stands on them needs to know nothing of products."""
    if not any(kind.product for kind in whole.kinds):
        return whole
    kinds = {kind.id: kind for kind in whole.kinds}
    wrong = Report()
    for kind in whole.kinds:
        if kind.product:
            kinds[kind.id] = _listed(kind, {k.plural: k for k in kinds.values()}, wrong)
    report.include(*wrong)
    error_nodes = whole.error_nodes | ErrorNodes(anything=True) if wrong.has_errors else whole.error_nodes
    return replace(whole, kinds=tuple(kinds.values()), error_nodes=error_nodes)


@dataclass(frozen=True, slots=True)
class _Value:
    """One value of a part: a word in the id of a thing, its title, and where the part is named."""

    word: str
    title: str


_Number = Callable[[tuple[_Value, ...]], int]


def _listed(kind: Kind, plurals: dict[str, Kind], report: Report) -> Kind:
    parts = [(name, text, _values(text, plurals, kind, report)) for name, text in kind.product]
    if not all(values for _, _, values in parts):
        return kind
    if (size := prod(len(values) for _, _, values in parts)) > MOST:
        message = f"the product of `{kind.id}` has {size} things, but at most {MOST} are allowed"
        report.add("RF307", message, kind.span, "leave out a part, or make one smaller")
        return kind
    facts = tuple(
        Column(name, text.span, type=text_at(_type(text, plurals), text.span)) for name, text, _ in parts
    )
    copies = _copies(kind, plurals, report)
    if copies is None or not _can_be_called(kind, report):
        return kind
    things = []
    for values in product(*(values for _, _, values in parts)):
        thing = _thing(kind, values)
        number = copies(values)
        things += [replace(thing, copies=number)] if number else []
    return replace(kind, things=(*things, *kind.things), facts=(*facts, *kind.facts))


def _thing(kind: Kind, values: tuple[_Value, ...]) -> Thing:
    given = ((name, text_at(v.word, t.span)) for (name, t), v in zip(kind.product, values, strict=True))
    id, title = "_".join(v.word for v in values), " ".join(v.title for v in values)
    if kind.called is not None:
        titles = {name: v.title for (name, _), v in zip(kind.product, values, strict=True)}
        title = _PLACEHOLDER.sub(lambda found: titles[found[1]], kind.called.text)
    words = id if id[0].isalpha() else f"{kind.id}_{id}"
    return Thing(words, kind.span, title=title, facts=tuple(given))


def _can_be_called(kind: Kind, report: Report) -> bool:
    """Whether the pattern of titles names parts of the product alone."""
    if kind.called is None:
        return True
    parts = [name for name, _ in kind.product]
    strange = [name for name in _PLACEHOLDER.findall(kind.called.text) if name not in parts]
    for name in strange:
        help = f"its parts are {listed([f'{{{part}}}' for part in parts])}"
        report.add("RF307", f"`{name}` is not a part of the product of `{kind.id}`", kind.called.span, help)
    return not strange


def _copies(kind: Kind, plurals: dict[str, Kind], report: Report) -> _Number | None:
    """How many there are of each combination: always as many, or as a fact of one of its parts says."""
    if kind.copies is None:
        return lambda _: 1
    copies = kind.copies.text.strip()
    if copies.isdecimal():
        return lambda _: int(copies)
    part, _, fact = copies.partition(".")
    names = [name for name, _ in kind.product]
    of = plurals.get(kind.product[names.index(part)][1].text.strip()) if part in names else None
    if of is None:
        help = "write a number, or a fact of a part that is a kind, such as `rank.cards`"
        report.add("RF307", f"`{copies}` is not a number of copies", kind.copies.span, help)
        return None
    numbers = {thing.id: _number(thing, fact) for thing in of.things}
    default_answers = [name for name, number in numbers.items() if number is None]
    if default_answers:
        message = f"`{fact}` of `{default_answers[0]}` is not a number of copies"
        report.add(
            "RF307", message, kind.copies.span, f"give every `{of.id}` a number from 0 to {MOST} there"
        )
        return None
    at = names.index(part)
    return lambda values: numbers[values[at].word] or 0


def _number(thing: Thing, fact: str) -> int | None:
    text = dict(thing.facts).get(fact)
    copies = text.text.strip() if text is not None else ""
    return (
        int(copies) if copies.isdecimal() and len(copies) <= len(str(MOST)) and int(copies) <= MOST else None
    )


def _type(text: SourceText, plurals: dict[str, Kind]) -> str:
    kind = plurals.get(text.text.strip())
    return kind.id if kind else text.text


def _values(text: SourceText, plurals: dict[str, Kind], of: Kind, report: Report) -> list[_Value]:
    """The values of a part, in the order of its kind or upwards."""
    copies = text.text.strip()
    if bounds := _RANGE.fullmatch(copies):
        low, high = int(bounds[1]), int(bounds[2])
        if low <= high < low + MOST:
            return [_Value(str(n), str(n)) for n in range(low, high + 1)]
    kind = plurals.get(copies)
    if kind is not None and kind is not of and kind.count:
        names = [f"{kind.id}_{n}" for n in range(1, kind.count + 1)]
        return [_Value(name, pretty(name)) for name in names]
    if kind is not None and kind.is_drawn and (cells := drawn(kind, MOST)):
        titles = {thing.id: thing.title for thing in kind.things}
        return [_Value(name, titles.get(name) or pretty(name)) for name in cells]
    named = kind is not None and kind is not of and not kind.is_drawn
    if kind is not None and named and kind.things and all(t.copies == 1 for t in kind.things):
        return [_Value(t.id, t.title or pretty(t.id)) for t in kind.things]
    report.add("RF307", f"`{copies}` cannot be a part of a product", text.span, _HELP)
    return []


# Actions with a `manner` become actions that spell out the common parts.


def with_manners(whole: Ruleset, report: Report) -> Ruleset:
    """All manners as part of the actions that have them; what stands on them needs to know nothing of manners."""
    if not whole.manners and not any(action.manner for action in _all(whole)):
        return whole
    table = _Table({manner.id: manner for manner in whole.manners}, whole.error_nodes, report)
    found = replace(
        whole,
        actions=table.filled(whole.actions),
        kinds=tuple(map(table.of_kind, whole.kinds)),
        keywords=tuple(replace(word, actions=table.filled(word.actions)) for word in whole.keywords),
    )
    for manner in whole.manners:
        if manner.id not in table.used and not whole.error_nodes.anything:
            report.add("RF702", f"no action has the manner `{manner.id}`", manner.span)
    return found


def _all(whole: Ruleset) -> list[Action]:
    found = [*whole.actions, *(action for keyword in whole.keywords for action in keyword.actions)]
    for kind in whole.kinds:
        found += [*kind.actions, *(action for thing in kind.things for action in thing.actions)]
    return found


class _Table:
    def __init__(self, manners: Mapping[str, Manner], error_nodes: ErrorNodes, report: Report) -> None:
        self._manners, self._error_nodes, self._report = manners, error_nodes, report
        self.used: set[str] = set()

    def of_kind(self, kind: Kind) -> Kind:
        things = tuple(replace(thing, actions=self.filled(thing.actions)) for thing in kind.things)
        return replace(kind, things=things, actions=self.filled(kind.actions))

    def filled(self, actions: tuple[Action, ...]) -> tuple[Action, ...]:
        return tuple(self._filled(action) for action in actions)

    def _filled(self, action: Action) -> Action:
        if action.manner is None:
            return action
        name = action.manner.text.strip()
        manner = self._manners.get(name)
        if manner is None and self._error_nodes.may_hold(name):
            return action
        if manner is None:
            known = listed(sorted(self._manners), "and")
            hint = did_you_mean(name, self._manners) or (f"there are {known}" if known else "")
            self._report.add("RF308", f"there is no manner `{name}`", action.manner.span, hint or None)
            return action
        self.used.add(name)
        if action.cost is not None and manner.cost is not None:
            message = f"`{action.id}` has a cost, and so has its manner `{name}`"
            self._report.add("RF308", message, action.cost.span, "keep one of the two costs")
        return replace(
            action,
            during=action.during or manner.during,
            needs=(*manner.needs, *action.needs),
            joined=action.joined or manner.joined,
            limit=action.limit or manner.limit,
            works=action.works or manner.works,
            cost=action.cost or manner.cost,
            holds=(*manner.holds, *action.holds),
            sees=action.sees or manner.sees,
        )

"""Numbered actions for reinforcement learning: each choice is one action or a short sequence.

A site with few answers gives each answer its own action. A wide site asks in steps: first the option, then
the parts of the answer, and a part with very many values digit by digit. An answer about a hidden thing is
numbered by its place among such answers, so that the number does not reveal the thing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleforge.compiler.ir import Part, Site
from ruleforge.engine.choice import Choice, part_name
from ruleforge.engine.visibility.choices import HiddenChoice

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

MOST_ACTIONS = 5_000  # for which the sizes of steps are chosen
STEP_SIZES = (MOST_ACTIONS, 2_000, 1_000, 500, 200, 100, 50, 20, 10)  # the largest that fits is taken
UNSEEN = "hidden answer"

Path = tuple[int, ...]  # the actions of one choice, one for each step


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a route. The number of an answer gives a digit (`digit`), and the digit the action `first
    + digit`.

    A step answers `parts` in full. With `unit` and `span` it answers one digit of a single part.
    """

    first: int
    size: int
    parts: tuple[Part, ...] = ()
    divisor: int = 1
    span: int = 1
    unit: int = 1

    def digit(self, number: int) -> int:
        return number // self.divisor % self.span // self.unit % self.size

    @property
    def is_whole(self) -> bool:
        return self.span == self.size


@dataclass(frozen=True, slots=True)
class Route:
    """The steps for answers `begin` to `begin + count - 1` of a site.

    `unseen` answers are numbered by their place.
    """

    site: int
    begin: int
    count: int
    steps: tuple[Step, ...]
    option: int | None = None  # by its number, where a wide site asks for it first
    unseen: bool = False

    def path(self, number: int) -> Path:
        return tuple(step.first + step.digit(number - self.begin) for step in self.steps)


class Actions:
    """The actions of players (or, with `chance`, of chance) in one variant of a game, numbered from 0.

    Each decision of chance is numbered from 0 by itself.
    """

    def __init__(self, variant: Variant, chance: bool = False) -> None:
        self._variant = variant
        sites = [site for site in variant.program.sites[1:] if site and site.chance == chance]
        hiding = frozenset[int]() if chance else variant.visibility.choices.sites
        layouts = (_layout(sites, hiding, chance, size) for size in STEP_SIZES)
        last = _layout(sites, hiding, chance, STEP_SIZES[-1])
        self.count, self.routes = next((found for found in layouts if found[0] <= MOST_ACTIONS), last)
        self._by_site = {
            (site.number, unseen): _of_site(self.routes, site.number, unseen)
            for site in sites
            for unseen in (False, True)
        }

    @property
    def most_steps(self) -> int:
        """The greatest number of actions of a choice."""
        return max((len(route.steps) for route in self.routes), default=1)

    @property
    def not_last(self) -> tuple[int, ...]:
        """The actions after which more is asked for the same choice."""
        steps = {step for route in self.routes for step in route.steps[:-1]}
        return tuple(sorted(step.first + digit for step in steps for digit in range(step.size)))

    def path(self, site: int, number: int, unseen: bool = False) -> Path:
        """The actions of an answer by its code. For hidden things, by its place among such answers."""
        routes = self._by_site[site, unseen]
        return routes[bisect_right(routes, number, key=lambda route: route.begin) - 1].path(number)

    def paths(self, choices: Sequence[Choice]) -> tuple[Path, ...]:
        """The actions of each choice of a decision, in their order."""
        place, found = 0, list[Path]()
        for choice in choices:
            unseen = isinstance(choice, HiddenChoice)
            found.append(self.path(choice.site, place if unseen else choice.code, unseen))
            place += unseen
        return tuple(found)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each action, the same in all positions. Names are distinct.

        If a game asks several questions, a name begins with the question.
        """
        several = len({route.site for route in self.routes}) > 1
        words = dict[int, str]()
        for route in self.routes:
            head = f"{self._variant.program.sites[route.site].kind}: " if several else ""
            for action, text in _Names(self._variant, route).all():
                words[action] = f"{head}{text}"
        return tuple(_distinct([words[action] for action in range(len(words))]))


def _of_site(routes: Sequence[Route], site: int, unseen: bool) -> tuple[Route, ...]:
    return tuple(route for route in routes if route.site == site and route.unseen == unseen)


class PathTable:
    """The paths of all visible answers, for many of them at once."""

    def __init__(self, actions: Actions) -> None:
        routes = sorted((r for r in actions.routes if not r.unseen), key=lambda r: (r.site, r.begin))
        ends = {route.site: route.begin + route.count for route in routes}
        sites = max(ends, default=0) + 2
        self._bases = np.zeros(sites, np.int64)  # where the answers of a site begin in one list of all
        for site in range(1, sites):
            self._bases[site] = self._bases[site - 1] + ends.get(site - 1, 0)
        self.is_wide = np.zeros(sites, bool)  # the sites that are asked in steps
        self._firsts = np.zeros(sites, np.int32)  # of the others the number of the first answer
        for route in routes:
            self._firsts[route.site] = route.steps[0].first
            self.is_wide[route.site] |= len(route.steps) > 1 or route.option is not None
        self.steps = actions.most_steps
        self._begins = np.array([self._bases[route.site] + route.begin for route in routes], np.int64)
        nothing = Step(-1, 1)
        padded = [(*route.steps, *[nothing] * (self.steps - len(route.steps))) for route in routes]
        numbers = [[(s.first, s.divisor, s.span, s.unit, s.size) for s in steps] for steps in padded]
        self._steps = np.array(numbers, np.int64).reshape(len(routes), self.steps, 5)

    def paths(self, sites: Any, codes: Any) -> Any:
        """A row of actions for each answer, with -1 behind its last."""
        found = np.full((len(codes), self.steps), -1, np.int32)
        found[:, 0] = self._firsts[sites] + codes
        wide = np.flatnonzero(self.is_wide[sites])
        if len(wide):
            found[wide] = self._of_wide(sites[wide], codes[wide])
        return found

    def _of_wide(self, sites: Any, codes: Any) -> Any:
        answers = self._bases[sites] + codes
        route = np.searchsorted(self._begins, answers, "right") - 1
        first, divisor, span, unit, size = np.moveaxis(self._steps[route], 2, 0)
        numbers = (answers - self._begins[route])[:, None]
        return first + numbers // divisor % span // unit % size


# --- numbering ---


def _layout(
    sites: Sequence[Site], hiding: frozenset[int], apart: bool, most: int
) -> tuple[int, tuple[Route, ...]]:
    """The number of actions and the routes, if a step has at most `most` answers."""
    total, highest, routes = 0, 1, list[Route]()
    for site in sites:
        first = 0 if apart else total
        own = list(_site_routes(site, first, most))
        if site.number in hiding:
            own.append(_unseen_route(site, _end(own), most))
        total = _end(own)
        highest = max(highest, total)
        routes += own
    return highest, tuple(routes)


def _end(routes: Sequence[Route]) -> int:
    """The number behind the last action of some routes."""
    return max(step.first + step.size for route in routes for step in route.steps)


def _answers(site: Site) -> int:
    return max(option.first + option.count for option in site.options)


def _site_routes(site: Site, first: int, most: int) -> Iterator[Route]:
    count = _answers(site)
    if count <= most:
        yield Route(site.number, 0, count, (Step(first, count, span=count),))
        return
    free = first + len(site.options)
    for number, option in enumerate(site.options):
        opening = Step(first + number, 1)
        steps = () if option.count == 1 else tuple(_steps(option.parts, free, most))
        free = max((step.first + step.size for step in steps), default=free)
        yield Route(site.number, option.first, option.count, (opening, *steps), number)


def _unseen_route(site: Site, first: int, most: int) -> Route:
    count = _answers(site)
    place = Part(count, None, 1)
    return Route(site.number, 0, count, tuple(_steps((place,), first, most)), unseen=True)


def _steps(parts: Sequence[Part], first: int, most: int) -> Iterator[Step]:
    """Neighbouring parts in one step as long as it has few answers; a part that alone has too many in digits."""
    left = prod(part.size for part in parts)
    for group in _groups(parts, most):
        span = prod(part.size for part in group)
        left //= span
        digits = 1
        while most**digits < span:
            digits += 1
        for unit in (most**place for place in reversed(range(digits))):
            size = min(most, -(-span // unit))
            yield Step(first, size, group, left, span, unit)
            first += size


def _groups(parts: Sequence[Part], most: int) -> list[tuple[Part, ...]]:
    groups = list[tuple[Part, ...]]()
    for part in parts:
        if groups and prod(p.size for p in groups[-1]) * part.size <= most:
            groups[-1] = (*groups[-1], part)
        else:
            groups.append((part,))
    return groups


# --- names ---


class _Names:
    """The words of the actions of one route."""

    def __init__(self, variant: Variant, route: Route) -> None:
        self._program = variant.program
        wording = variant.wordings[route.site]
        assert wording is not None
        self._wording, self._route = wording, route

    def all(self) -> Iterator[tuple[int, str]]:
        route, word = self._route, UNSEEN if self._route.unseen else ""
        steps = route.steps
        if route.option is not None:
            word = self._wording.phrases[route.option].word
            yield steps[0].first, self._wording.text(route.begin) if route.count == 1 else f"{word} ..."
            steps = steps[1:]
        for step in steps:
            for digit in range(step.size):
                text = self._answer(step, digit) if step.parts else self._wording.text(digit)
                yield step.first + digit, f"{word} {text}".strip()

    def _answer(self, step: Step, digit: int) -> str:
        if step.is_whole:
            return " ".join(self._things(step.parts, digit))
        (part,) = step.parts
        if step.unit * step.size < step.span:
            return f"{part.name} plus {digit * step.unit}".strip()
        low = part.lowest + digit * step.unit
        return f"{part.name} {low} to {low + step.unit - 1}".strip()

    def _things(self, parts: Sequence[Part], digit: int) -> list[str]:
        names = list[str]()
        for part in reversed(parts):
            digit, value = divmod(digit, part.size)
            names.append(part_name(self._program, part, value + part.lowest))
        return names[::-1]


def _distinct(words: Sequence[str]) -> Iterator[str]:
    """Names that read alike get a number."""
    met = Counter[str]()
    for word in words:
        met[word] += 1
        yield word if met[word] == 1 else f"{word} #{met[word]}"

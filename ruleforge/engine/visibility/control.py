"""Changes one after the other -> what a seat is told of them where hidden things decide which are made, and when.

What a seat is told of a step hangs only on what it may know. Inside of what hidden things steer no names are told, and
all changes up to the next name or die are told as what they come to, in the order of their words: then the records
tell no more than a look at the table before and after.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ruleforge.backends.api import Row
from ruleforge.compiler.ir import (
    QUEUE,
    SITE,
    Ask,
    Body,
    Meaning,
    Note,
    Perform,
    Program,
    RuleDue,
    RuleWaits,
    Site,
    TaintBegins,
    TaintEnds,
)
from ruleforge.compiler.visit import bodies, statements
from ruleforge.engine.visibility.observer import Observer

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant


class Region(NamedTuple):
    """Something that we are inside of: an event (its `phase` is None), a phase, or what something hidden may steer."""

    phase: str | None
    hides: bool = False  # the viewer does not see what steers


_EVENT = Region(None)


class Context(NamedTuple):
    """What one step leaves to the next: what we are inside of, and how many rules of a name wait that were set off
    unseen."""

    pile: tuple[Region, ...] = ()
    waiting: Mapping[str, int] = MappingProxyType({})


class ControlStack:
    """What we are inside of: events, and what is steered by things that the viewer does not see.

    A rule that was set off in there is part of it, also when its turn comes later, in another step. Where it is not
    known what we are inside of, all may be steered, and every rule that waits may have been set off unseen.
    """

    def __init__(self, observer: Observer, carried: Context | None) -> None:
        self._observer = observer
        self._known = carried is not None
        pile, waiting = carried or Context()
        self._pile, self._waiting = [*pile], Counter(waiting)

    @property
    def context(self) -> Context | None:
        """What the next step is inside of."""
        return Context(tuple(self._pile), self._waiting) if self._known else None

    @property
    def hide(self) -> bool:
        """Whether names are left out."""
        lost = not self._known and self._observer.learns_only_what_is_open
        return lost or any(layer.hides for layer in self._pile)

    def note(self, means: Meaning, words: Sequence[int], in_secret: bool) -> bool:
        """Whether the record was one of these marks."""
        match means:
            case TaintBegins(phase=phase):
                limited = self._observer.learns_only_what_is_open
                self._begin_round(phase)
                self._pile.append(Region(phase, limited and not self._observer.follows(means, words)))
            case TaintEnds():
                if self._pile and self._pile[-1] is not _EVENT:
                    self._pile.pop()
            case RuleWaits(rule=rule):
                self._waiting[rule] += self.hide or in_secret
            case RuleDue(rule=rule):
                unseen = self._waiting[rule] > 0
                self._waiting[rule] -= unseen
                self._pile.append(Region("", unseen))
            case _:
                return False
        return True

    def _begin_round(self, phase: str) -> None:
        """With a round of a phase everything ends that was said of the one before."""
        begun = next((n for n, layer in enumerate(self._pile) if phase and layer.phase == phase), None)
        if begun is not None:
            del self._pile[begun:]

    def event_began(self) -> None:
        self._pile.append(_EVENT)

    def event_ended(self) -> None:
        """With an event everything ends that was steered in it; it may have begun in an earlier step."""
        while self._pile and self._pile.pop() is not _EVENT:
            pass


def is_inside(variant: Variant, row: Row) -> bool:
    """Whether a step that begins here may be inside of something, or rules wait for it to be over."""
    return bool(row[QUEUE]) or row[SITE] in variant.visibility.branch_sites


def sites_in_hidden_branches(program: Program) -> frozenset[int]:
    """The sites; a phase that asks openly is known to have come, whatever decided about that."""
    if not any(isinstance(info.means, TaintBegins | RuleDue) for info in program.notes):
        return frozenset()
    search = _Search(program)
    for function in program.functions.values():
        if function.pauses:
            search.follow(function.body, 0)
    return frozenset(site for site in search.found() if not _tells_all(program.sites[site]))


def _tells_all(site: Site) -> bool:
    return site.flow and site.sees is None


class _Search:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._sites: set[int] = set()
        self._called: set[str] = set()  # from inside of something

    def follow(self, body: Body, depth: int) -> int:
        """How much we are inside of after a body, at most; what is left early stays open to the end of its function."""
        for statement in body:
            match statement:
                case Note(note=number):
                    depth += self._opens(number)
                case Ask(site=site) if depth > 0:
                    self._sites.add(site)
                case Perform(function=function) if depth > 0 and self._program.functions[function].pauses:
                    self._called.add(function)
            depth = max((self.follow(inner, depth) for inner in bodies(statement)), default=depth)
        return depth

    def _opens(self, note: int) -> int:
        match self._program.notes[note].means:
            case TaintBegins() | RuleDue():
                return 1
            case TaintEnds():
                return -1
        return 0

    def found(self) -> Iterator[int]:
        """The sites met inside, and all that what is called there may come to."""
        yield from self._sites
        todo = [*sorted(self._called)]
        for name in todo:
            for statement in statements(self._program.functions[name].body):
                match statement:
                    case Ask(site=site):
                        yield site
                    case Perform(function=function) if function not in self._called:
                        self._called.add(function)
                        todo.append(function)

"""`ControlStack` tracks the regions that enclose the records of a step, to decide whether a seat sees the next one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, assert_never

from ruleforge.backends.api import Row
from ruleforge.compiler.ir import (
    HOLD,
    QUEUE,
    SITE,
    Ask,
    Body,
    HiddenSource,
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
from ruleforge.engine import paths
from ruleforge.engine.replayed_row import RecordValues
from ruleforge.engine.visibility.conditions import Visibility

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant


class Region(NamedTuple):
    """A region around a record: an event (its `phase` is None), a phase, or a part under hidden control."""

    phase: str | None
    hides: bool = False  # the seat does not see what decides


_EVENT = Region(None)


class ControlStack:
    """The regions around the present record. A rule triggered inside a region belongs to it, also if it runs
    later.

    A step that begins inside a hidden region, or while rules wait, hides everything to its end. A step that
    does not end openly hides everything after the first region that the seat does not see: it may have ended there.
    """

    def __init__(self, variant: Variant, viewer: int, inside: bool, ends_openly: bool) -> None:
        self._variant, self._viewer, self._inside, self._ends_openly = variant, viewer, inside, ends_openly
        self._pile: list[Region] = []
        self._waiting: Counter[str] = Counter()  # rules that were triggered unseen, by name

    @property
    def hides(self) -> bool:
        """Whether something that decides about the next record is hidden from the seat."""
        return self._inside or any(region.hides for region in self._pile)

    def note(self, means: Meaning, given: RecordValues, visible: Visibility, in_secret: bool) -> None:
        """Read one of the marks."""
        match means:
            case TaintBegins(phase=phase, sources=sources):
                self._begin_round(phase)
                hides = not all(self._sees(*one, visible) for one in zip(sources, given, strict=True))
                self._begin(Region(phase, hides))
            case TaintEnds():
                if self._pile and self._pile[-1] is not _EVENT:
                    self._pile.pop()
            case RuleWaits(rule=rule):
                self._waiting[rule] += self.hides or in_secret
            case RuleDue(rule=rule):
                unseen = self._waiting[rule] > 0
                self._waiting[rule] -= unseen
                self._begin(Region("", unseen))

    def _begin(self, region: Region) -> None:
        self._pile.append(region)
        self._inside |= region.hides and not self._ends_openly

    def _begin_round(self, phase: str) -> None:
        """With a round of a phase everything ends that was said of the one before."""
        begun = next((n for n, region in enumerate(self._pile) if phase and region.phase == phase), None)
        if begun is not None:
            del self._pile[begun:]

    def event_began(self) -> None:
        self._pile.append(_EVENT)

    def event_ended(self) -> None:
        """With an event everything ends that was decided in it; it may have begun in an earlier step."""
        while self._pile and self._pile.pop() is not _EVENT:
            pass

    # --- what the seat sees of a source ---

    def _sees(self, source: HiddenSource, given: tuple[int, ...], visible: Visibility) -> bool:
        (whose,) = given
        match source.form:
            case "column":
                return self._sees_column(source.number, whose, visible)
            case "place":
                return self._sees_place(source.number, whose, visible)
            case "thing":
                return bool(whose) and visible.thing(self._viewer, source.number, whose)
            case "past":
                return False
            case form:
                assert_never(form)

    def _sees_column(self, column: int, of: int, visible: Visibility) -> bool:
        """All values of a column, or those of one thing; which of the things that are not seen has which, too."""
        return all(
            visible.attribute(self._viewer, column, path.indices) and visible.owner(self._viewer, path)
            for path in self._variant.paths.attributes
            if path.column == column and of in (0, path.indices[0])
        )

    def _sees_place(self, place: int, instance: int, visible: Visibility) -> bool:
        """All that lies in a family of containers, or in one."""
        return all(
            visible.in_place(self._viewer, path.info, path.indices, thing)
            for path in self._variant.paths.places
            if path.place == place and instance in (0, path.instance)
            for thing in paths.content(self._variant.program, visible.row, path)
        )


# --- steps that begin inside of something ---


def is_inside(variant: Variant, row: Row) -> bool:
    """Whether a step that begins here may be inside a hidden region, or rules may wait for its end.

    The question alone decides: while steps count as one, rules may have been triggered unseen.
    """
    waits = variant.program.queue is not None and bool(row[HOLD] or row[QUEUE])
    return waits or row[SITE] in variant.visibility.branch_sites


def ends_openly(variant: Variant, row: Row) -> bool:
    """Whether a step that ends here cannot have ended inside a hidden region.

    It ends with the game or with a question that openly tells the phase, or no region asks anything.
    """
    return (
        not row[SITE] or not variant.visibility.branch_sites or _tells_all(variant.program.sites[row[SITE]])
    )


def sites_in_hidden_branches(program: Program) -> frozenset[int]:
    """The sites that hidden decisions may lead to, and those that ask the same question, except those whose
    question openly tells the phase.
    """
    if not any(isinstance(info.means, TaintBegins | RuleDue) for info in program.notes):
        return frozenset()
    search = _Search(program)
    for function in program.functions.values():
        if function.pauses:
            search.follow(function.body, 0)
    questions = {(site.kind, site.prompt) for site in map(program.sites.__getitem__, search.found())}
    return frozenset(
        number
        for number, site in enumerate(program.sites)
        if (site.kind, site.prompt) in questions and not _tells_all(site)
    )


def _tells_all(site: Site) -> bool:
    return site.flow and site.sees is None


class _Search:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._sites: set[int] = set()
        self._called: set[str] = set()  # from inside of something

    def follow(self, body: Body, depth: int) -> int:
        """The greatest region depth after a body; a region left early stays open to the end of its function."""
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

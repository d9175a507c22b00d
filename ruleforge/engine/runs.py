"""Changes one after the other -> what a seat is told of them where hidden things decide which are made, and when.

What a seat is told of a step hangs only on what it may know. Inside of what hidden things steer no names are told, and
all changes up to the next name or die are told as what they come to, in the order of their words: then the records
tell no more than a look at the table before and after.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ruleforge.compiler.ir import Changed, Meaning, Moved, RuleDue, RuleWaits, Unveiled, Veiled
from ruleforge.engine.event import Event
from ruleforge.engine.nets import Change, Net
from ruleforge.engine.witness import Witness
from ruleforge.present.seen import HIDDEN

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant


class Layer(NamedTuple):
    """Something that we are inside of: an event (its `phase` is None), a phase, or what something hidden may steer."""

    phase: str | None
    hides: bool = False  # the viewer does not see what steers


_EVENT = Layer(None)


class Carried(NamedTuple):
    """What one step leaves to the next: what we are inside of, and how many rules of a name wait that were set off
    unseen."""

    pile: tuple[Layer, ...] = ()
    waiting: Mapping[str, int] = MappingProxyType({})


class Veils:
    """What we are inside of: events, and what is steered by things that the viewer does not see.

    A rule that was set off in there is part of it, also when its turn comes later, in another step. Where it is not
    known what we are inside of, all may be steered, and every rule that waits may have been set off unseen.
    """

    def __init__(self, witness: Witness, carried: Carried | None) -> None:
        self._witness = witness
        self._known = carried is not None
        pile, waiting = carried or Carried()
        self._pile, self._waiting = [*pile], Counter(waiting)

    @property
    def carried(self) -> Carried | None:
        """What the next step is inside of."""
        return Carried(tuple(self._pile), self._waiting) if self._known else None

    @property
    def hide(self) -> bool:
        """Whether names are left out."""
        lost = not self._known and self._witness.learns_only_what_is_open
        return lost or any(layer.hides for layer in self._pile)

    def note(self, means: Meaning, words: Sequence[int], in_secret: bool) -> bool:
        """Whether the record was one of these marks."""
        match means:
            case Veiled(phase=phase):
                limited = self._witness.learns_only_what_is_open
                self._begin_round(phase)
                self._pile.append(Layer(phase, limited and not self._witness.follows(means, words)))
            case Unveiled():
                if self._pile and self._pile[-1] is not _EVENT:
                    self._pile.pop()
            case RuleWaits(rule=rule):
                self._waiting[rule] += self.hide or in_secret
            case RuleDue(rule=rule):
                unseen = self._waiting[rule] > 0
                self._waiting[rule] -= unseen
                self._pile.append(Layer("", unseen))
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


class Run:
    """Changes between two names; `steered` if the viewer does not see what decides about some of them."""

    def __init__(self, variant: Variant, witness: Witness) -> None:
        self.steered = False
        self._waits = variant.program.queue is not None
        self._variant, self._witness = variant, witness
        self._begun = witness.sight
        self._changes: list[Change] = []
        self.restarted: set[int] = set()  # columns
        self._moves: dict[int, set[str]] = {}  # by the statement: how what it does with hidden things reads

    def add(self, change: Change, record: int) -> None:
        self._changes.append(change)
        if isinstance(change.info.means, Moved | Changed):
            words = str(change.event) if change.event.arguments[0][1] == HIDDEN else ""
            self._moves.setdefault(record, set()).add(words)

    def over(self, here: Event) -> list[Event]:
        """The changes, and a new run begins; `here` is where they are told."""
        # a statement that does several things with hidden things, or with others, would tell by the order which they are
        steered = self.steered or any(len(ways) > 1 for ways in self._moves.values())
        changes, self._changes = self._changes, []
        begun, self._begun = self._begun, self._witness.sight
        restarted, self.restarted = self.restarted, set()
        self._moves = {}
        self.steered = self.steered and self._waits  # what was set off unseen may come in any later run
        if not steered:
            return [change.event for change in changes]
        ends = (begun, self._witness.sight)
        return Net(self._variant, self._witness.viewer, *ends, restarted).events(changes, here)

"""Changes one after the other -> what a seat is told of them where hidden things decide which are made, and when.

What a seat is told of a step hangs only on what it may know. Inside of what hidden things steer no names are told, and
all changes up to the next name or die are told as what they come to, in the order of their words: then the records
tell no more than a look at the table before and after.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ruleforge.compiler.ir import Changed, Meaning, Moved, RuleDue, RuleWaits, Unveiled, Veiled
from ruleforge.engine.event import Event
from ruleforge.engine.nets import Change, Net
from ruleforge.engine.witness import Witness
from ruleforge.present.seen import HIDDEN

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

# How many rules of a name wait that were set off unseen; None: any of them may have been.
Unseen = Counter[str] | None
_EVENT = None  # stands in the pile for an event that has begun


class Veils:
    """What we are inside of: events, and what is steered by things that the viewer does not see.

    A rule that was set off in there is part of it, also when its turn comes later, in another step.
    """

    def __init__(self, witness: Witness, waiting: Unseen) -> None:
        self._witness = witness
        self._pile: list[bool | None] = []
        self.waiting = waiting if waiting is None else Counter(waiting)

    @property
    def hide(self) -> bool:
        """Whether names are left out."""
        return True in self._pile

    def note(self, means: Meaning, words: Sequence[int], in_secret: bool) -> bool:
        """Whether the record was one of these marks."""
        match means:
            case Veiled():
                limited = self._witness.learns_only_what_is_open
                self._pile.append(limited and not self._witness.follows(means, words))
            case Unveiled():
                if self._pile and self._pile[-1] is not _EVENT:
                    self._pile.pop()
            case RuleWaits(rule=rule):
                if self.waiting is not None:
                    self.waiting[rule] += self.hide or in_secret
            case RuleDue(rule=rule):
                self._pile.append(self._was_unseen(rule))
            case _:
                return False
        return True

    def _was_unseen(self, rule: str) -> bool:
        if self.waiting is None:
            return self._witness.learns_only_what_is_open
        unseen = self.waiting[rule] > 0
        self.waiting[rule] -= unseen
        return unseen

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

"""`BaseState` is the state that the rest of the engine works with: a row, its choices, and how it moves on.

A step changes the row in place. The state also keeps the trail (trail.py), from which the engine can rebuild
an earlier row. It does so when a caller reads the events of a step, and to undo a step refused half-way. A
row that is its own trail is frozen: copies of a state share it, and the next step works on a copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ruleforge.backends.api import Row
from ruleforge.compiler.ir import OUTCOME, SITE, WHO
from ruleforge.engine.choice import CHANCE, Decision
from ruleforge.engine.outcome import Outcome, outcome_of
from ruleforge.engine.trail import Trail, row_of

if TYPE_CHECKING:
    from typing import Self

    from ruleforge.engine.choice import Choice
    from ruleforge.engine.events import Events
    from ruleforge.engine.variant import Variant


class BaseState:
    """A row of a variant. `State` adds all that hosts, players and tools may ask of it."""

    __slots__ = ("_age", "_row", "_trail", "choices")

    _variant: Variant  # of the subclass made for each variant
    _row: Row
    _trail: Trail
    _age: int  # steps since the frozen row at the trail's beginning
    choices: tuple[Choice, ...]

    @classmethod
    def _of_row(cls, row: Row, choices: Sequence[Choice]) -> Self:
        """The state at a row, which is frozen from now on."""
        return cls()._put(row, choices)

    def apply(self, choice: Choice | str, player: str | None = None) -> Events:
        """Make a choice and return its events. Its text will do, also the texts of several steps in a row.

        Raises IllegalChoice, and changes nothing, if it is not among the choices, or not this player's to make. This
        is for the host, who sees everything; `Session.submit` takes the text of a player who does not.
        """
        raise NotImplementedError  # made by bound_state.py

    def copy(self) -> Self:
        """An independent state in the same position."""
        raise NotImplementedError  # made by bound_state.py

    @property
    def players(self) -> tuple[str, ...]:
        """The seats in turn order."""
        return self._variant.player_names

    @property
    def decision(self) -> Decision | None:
        """The question that waits and its player; None when the game is over."""
        if not self.choices:
            return None
        site = self._variant.program.sites[self._row[SITE]]
        pack = self._variant.info.pack_of(site.span)
        by = pack.id if pack else ""
        if site.chance:
            share = 1 / len(self.choices)
            return Decision(CHANCE, site.kind, site.prompt, (share,) * len(self.choices), by)
        return Decision(self._variant.player_names[self._row[WHO] - 1], site.kind, site.prompt, pack=by)

    @property
    def outcome(self) -> Outcome | None:
        """None while the game goes on."""
        return outcome_of(self._variant, self._row) if self._row[OUTCOME] else None

    def _put(self, row: Row, choices: Sequence[Choice]) -> Self:
        """Be at this row, which is frozen from now on."""
        self._row = self._trail = row
        self._age = 0
        self.choices = self._variant.visibility.choices.over(row, choices)
        return self

    def _take(self, other: BaseState) -> None:
        """Be where a copy of this state went, and that copy is not used any more."""
        self._row, self._trail, self._age, self.choices = other._row, other._trail, other._age, other.choices

    def _rewind(self) -> None:
        """Back to the end of the trail, after a step that was broken off."""
        self._row = self._trail = row_of(self._variant.runtime, self._trail)
        self._age = 0

"""The event log of each player: the part of an information state that a position does not show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.rl.actions import Path

if TYPE_CHECKING:
    from ruleforge.play.session import Turn


class Entry:
    """The log entries of one turn for each player, computed on demand."""

    __slots__ = ("_texts", "_turn", "actions", "player", "text")

    def __init__(self, player: int, text: str, actions: Path, turn: Turn | None) -> None:
        """An entry for a choice: the player, its text, and its actions."""
        self.player, self.text, self.actions = player, text, actions
        self._turn = turn
        self._texts: dict[str, tuple[str, str]] = {}

    def _tells(self, player: str) -> tuple[str, str]:
        """The choice and the events as a player may see them. Empty if the log of the player omits them."""
        if player not in self._texts:
            assert self._turn is not None
            events = "; ".join(map(str, self._turn.events.seen_by(player)))
            self._texts[player] = self._turn.text_for(player), events
        return self._texts[player]

    def text_for(self, player: str) -> str:
        """The log entry of a player in words."""
        return "; ".join(filter(None, self._tells(player)))

    def knows_who(self, player: str) -> bool:
        """Whether the log of a player shows that the choice was made."""
        return bool(self._tells(player)[0])

    def knows_all(self, player: str) -> bool:
        """Whether the log of a player shows the whole choice."""
        return self._tells(player)[0] == self.text

    def __getstate__(self) -> tuple[object, ...]:
        """The state for pickle: the texts, because the turn holds whole positions."""
        if self._turn is not None:
            for player in self._turn.before.players:
                self._tells(player)
        return self.player, self.text, self.actions, self._texts

    def __setstate__(self, state: tuple[int, str, Path, dict[str, tuple[str, str]]]) -> None:
        self.player, self.text, self.actions, self._texts = state
        self._turn = None

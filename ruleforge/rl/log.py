"""What players were told of a game so far: the part of an information state that the position does not show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.rl.actions import Path

if TYPE_CHECKING:
    from ruleforge.play.session import Turn


class Entry:
    """What one turn told each player; worked out when somebody asks."""

    __slots__ = ("_told", "_turn", "actions", "player", "text")

    def __init__(self, player: int, text: str, actions: Path, turn: Turn | None) -> None:
        """Who made which choice by which actions."""
        self.player, self.text, self.actions = player, text, actions
        self._turn = turn
        self._told: dict[str, tuple[str, str]] = {}

    def _tells(self, player: str) -> tuple[str, str]:
        """The choice and the events as a player may know them; empty if the player was told nothing."""
        if player not in self._told:
            assert self._turn is not None
            events = "; ".join(map(str, self._turn.events.seen_by(player)))
            self._told[player] = self._turn.text_for(player), events
        return self._told[player]

    def told(self, player: str) -> str:
        """All that a player was told, in words."""
        return "; ".join(filter(None, self._tells(player)))

    def knows_who(self, player: str) -> bool:
        """Whether a player was told that somebody chose something."""
        return bool(self._tells(player)[0])

    def knows_all(self, player: str) -> bool:
        """Whether a player was told all of the choice."""
        return self._tells(player)[0] == self.text

    def __getstate__(self) -> tuple[object, ...]:
        """For pickle: what was told, since the turn holds whole positions."""
        if self._turn is not None:
            for player in self._turn.before.players:
                self._tells(player)
        return self.player, self.text, self.actions, self._told

    def __setstate__(self, kept: tuple[int, str, Path, dict[str, tuple[str, str]]]) -> None:
        self.player, self.text, self.actions, self._told = kept
        self._turn = None

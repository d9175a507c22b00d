"""What a waiting state waits for."""

from __future__ import annotations

from ruleforge.support.records import dataclass

CHANCE = "chance"


@dataclass(frozen=True, slots=True)
class Decision:
    """A question to a player, or to `chance`: its player, its kind and its text.

    `probabilities` belongs to a decision of chance, with one number for each choice of the state. `pack` is the id of
    the pack that asks, or empty for the game itself.
    """

    player: str
    kind: str
    prompt: str
    probabilities: tuple[float, ...] = ()
    pack: str = ""

    @property
    def is_chance(self) -> bool:
        return self.player == CHANCE

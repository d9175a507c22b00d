"""What a waiting state waits for."""

from __future__ import annotations

from ruleforge.support.records import dataclass

CHANCE = "chance"


@dataclass(frozen=True, slots=True)
class Decision:
    """Who is asked (`chance` for dice), of what kind, and in which words.

    `probabilities` belongs to a decision of chance: one number for each of the state's choices. `pack` is the id of
    the pack that asks; empty if the game itself does.
    """

    player: str
    kind: str
    prompt: str
    probabilities: tuple[float, ...] = ()
    pack: str = ""

    @property
    def is_chance(self) -> bool:
        return self.player == CHANCE

"""What somebody asks for when a game starts -> a Setup that fits the rules, or a StartError."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from ruleforge.compiling.errors import StartError
from ruleforge.compiling.info import GameInfo, OptionValue
from ruleforge.names import did_you_mean
from ruleforge.quick import dataclass

Chance = Literal["sampled", "explicit"]


@dataclass(frozen=True, slots=True)
class Setup:
    """How a game is started: all that a program is compiled for. With `explicit` chance dice are decisions."""

    players: int
    options: tuple[tuple[str, OptionValue], ...]  # every option of the game, in its order
    chance: Chance = "sampled"


def setup_for(
    info: GameInfo, players: int | None, options: Mapping[str, object] | None, chance: str
) -> Setup:
    """A setup with the defaults filled in. This is the only place where options are checked."""
    if chance not in get_args(Chance):
        raise StartError("RF841", f"`chance` is sampled or explicit, not `{chance}`")
    count = info.players[0] if players is None else players
    low, high = info.players
    if not isinstance(count, int) or isinstance(count, bool) or not low <= count <= high:
        wanted = f"{low}" if low == high else f"{low} to {high}"
        raise StartError("RF840", f"`{info.id}` is for {wanted} players, not {count}")
    return Setup(count, _options(info, options or {}), "explicit" if chance == "explicit" else "sampled")


def _options(info: GameInfo, given: Mapping[str, object]) -> tuple[tuple[str, OptionValue], ...]:
    known = {option.name: option for option in info.options}
    for name in given:
        if name not in known:
            hint = did_you_mean(str(name), known)
            raise StartError("RF841", f"`{info.id}` has no option `{name}`" + (f"; {hint}" if hint else ""))
    return tuple((name, option.check(given.get(name, option.default))) for name, option in known.items())

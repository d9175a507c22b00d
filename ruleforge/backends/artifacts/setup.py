"""Check players and options for a new game: build a Setup that fits the rules, or raise a StartError."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from ruleforge.backends.artifacts.info import GameInfo, OptionValue
from ruleforge.backends.faults import StartError
from ruleforge.lang.checker.typed import Checked
from ruleforge.lang.checker.walk import ways_of
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import did_you_mean

Chance = Literal["sampled", "explicit"]
BEGIN = "begin"  # what is chosen when the set-up of a game is over that begins elsewhere
Beginning = str | tuple[str, str]  # a phase, or a phase and the player whose round of it is meant


@dataclass(frozen=True, slots=True)
class Setup:
    """The parameters of a new game, for which a program is compiled.

    With `explicit` chance, dice are decisions.
    """

    players: int
    options: tuple[tuple[str, OptionValue], ...]  # every option of the game, in its order
    chance: Chance = "sampled"
    begin: tuple[str, str] | None = (
        None  # the phase with which it begins, and whose round: empty for the first
    )


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


def begun(rules: Checked, players: int, begin: Beginning) -> tuple[str, str]:
    """The phase and the player with whom a game is to begin, if there are such."""
    name, player = (begin, "") if isinstance(begin, str) else begin
    known = {phase.name: way for way in ways_of(rules.flow) for phase in way[-1:]}
    if name not in known:
        hint = did_you_mean(str(name), known)
        raise StartError("RF841", f"there is no phase `{name}`" + (f"; {hint}" if hint else ""))
    seats = rules.kinds["player"].things[:players]
    if player and player not in seats:
        raise StartError("RF841", f"there is no player `{player}`; the players are {', '.join(seats)}")
    if player and not any(phase.each and phase.me is phase.each.variable for phase in known[name]):
        raise StartError("RF841", f"`{name}` is not the phase of a player")
    return name, player

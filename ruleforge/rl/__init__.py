"""Every ruleset as a standard environment of PettingZoo, Gymnasium and OpenSpiel (extra `rl`).

Each function takes a game or the name of one. The adapters are imported when they are used, so each needs
only its own library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ruleforge.backends.artifacts.info import OptionValue
from ruleforge.backends.artifacts.setup import Chance
from ruleforge.engine.game import Game
from ruleforge.engine.loader import load
from ruleforge.rl.position import Position, Space, space_of

if TYPE_CHECKING:
    from ruleforge.rl.gymnasium import RuleforgeEnv, RuleforgeVectorEnv
    from ruleforge.rl.parallel import RuleforgeParallelEnv
    from ruleforge.rl.pettingzoo import RuleforgeAECEnv
    from ruleforge.rl.text import TextEnv

__all__ = [
    "Position",
    "Space",
    "efg",
    "gymnasium_env",
    "gymnasium_vector_env",
    "openspiel_game",
    "pettingzoo_env",
    "pettingzoo_parallel_env",
    "space",
    "text_env",
]

MOST_STEPS = 10_000  # actions after which a game is cut short


def space(
    game: Game | str,
    players: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    packs: Sequence[str] = (),
    chance: Chance = "sampled",
) -> Space:
    """The shared parts of all positions of a game: its actions, its tensors, its players.

    `space.start(seed)` begins a game.
    """
    found = load(game, packs) if isinstance(game, str) else game
    return space_of(found, players, tuple(sorted((options or {}).items())), chance)


def pettingzoo_env(
    game: Game | str,
    *,
    observation: str = "tensor",
    max_cycles: int = MOST_STEPS,
    render_mode: str | None = None,
    **how: Any,
) -> RuleforgeAECEnv:
    """A PettingZoo AEC environment. `how`: players, options and packs, as `space` takes them."""
    from ruleforge.rl.pettingzoo import RuleforgeAECEnv

    return RuleforgeAECEnv(space(game, **how), observation, max_cycles, render_mode)


def pettingzoo_parallel_env(
    game: Game | str,
    *,
    observation: str = "tensor",
    max_cycles: int = MOST_STEPS,
    render_mode: str | None = None,
    **how: Any,
) -> RuleforgeParallelEnv:
    """A PettingZoo parallel environment: players who choose in secret from one another act in the same step."""
    from ruleforge.rl.parallel import RuleforgeParallelEnv

    return RuleforgeParallelEnv(space(game, **how), observation, max_cycles, render_mode)


def gymnasium_vector_env(
    game: Game | str,
    num_envs: int,
    *,
    seat: str | None = None,
    self_play: bool = False,
    max_steps: int = MOST_STEPS,
    **how: Any,
) -> RuleforgeVectorEnv:
    """A Gymnasium vector environment. The agent has a seat, the first one unless said otherwise.

    With `self_play` the agent acts for every player. `how`: players, options and packs, as `space` takes them.
    """
    from ruleforge.rl.gymnasium import RuleforgeVectorEnv

    found = space(game, **how)
    return RuleforgeVectorEnv(found, num_envs, None if self_play else seat or found.players[0], max_steps)


def gymnasium_env(
    game: Game | str,
    *,
    seat: str | None = None,
    self_play: bool = False,
    max_steps: int = MOST_STEPS,
    render_mode: str | None = None,
    **how: Any,
) -> RuleforgeEnv:
    """A Gymnasium environment of one game, otherwise as `gymnasium_vector_env`."""
    from ruleforge.rl.gymnasium import RuleforgeEnv

    found = space(game, **how)
    return RuleforgeEnv(found, None if self_play else seat or found.players[0], max_steps, render_mode)


def openspiel_game(
    game: Game | str,
    *,
    zero_sum: bool | None = None,
    utility: tuple[float, float] | None = None,
    max_length: int = MOST_STEPS,
    recall: int = 8,
    **how: Any,
) -> Any:
    """A `pyspiel.Game` with explicit chance. `how`: players, options and packs, as `space` takes them.

    A game without scores pays 1, 0 or -1 and needs no further arguments. For other games, `zero_sum` says
    whether scores add up to 0, which is checked when a game ends. `utility` gives the bounds of the scores.
    The tensor of an information state holds the last `recall` choices in the log of its player.
    """
    from ruleforge.rl.openspiel import Terms, registered_game

    found = space(game, chance="explicit", **how)
    plain = found.variant.program.score is None
    sums = plain and len(found.players) == 2 if zero_sum is None else zero_sum
    ends = utility or ((-1.0, 1.0) if plain else (-(2.0**31), 2.0**31))
    return registered_game(found, Terms(sums, ends, max_length, recall))


def efg(game: Game | str, **how: Any) -> str:
    """A small game as an extensive form for Gambit, in the format EFG 2. ValueError if its tree is too large.

    `how`: players, options and packs, as `space` takes them.
    """
    from ruleforge.rl.extensive_form import extensive_form

    return extensive_form(space(game, chance="explicit", **how))


def text_env(
    game: Game | str,
    *,
    options: Mapping[str, OptionValue] | None = None,
    packs: Sequence[str] = (),
    most_refused: int = 10,
    max_turns: int = MOST_STEPS,
) -> TextEnv:
    """A text game for language models, with the methods of TextArena's environments.

    A player who gives `most_refused` impossible answers in a row loses the game.
    """
    from ruleforge.rl.text import TextEnv

    found = load(game, packs) if isinstance(game, str) else game
    return TextEnv(found, options or {}, most_refused, max_turns)

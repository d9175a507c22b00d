"""Arguments and options that several commands take."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from ruleforge.support.resources import find_game, shipped_games
from ruleforge.support.spelling import as_number

F = TypeVar("F", bound=Callable[..., Any])

if TYPE_CHECKING:
    from ruleforge.engine.presentation.titles import Names
    from ruleforge.engine.state import State

    TextType = click.ParamType[str]
    PairType = click.ParamType[tuple[str, str]]
    PathType = click.ParamType[Path]
else:  # older versions of click cannot be asked for their types
    TextType = PairType = PathType = click.ParamType


class GameType(TextType):
    """A shipped game's name or a path; completes both."""

    name = "game"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        names = [CompletionItem(name) for name in shipped_games() if name.startswith(incomplete)]
        return [*names, CompletionItem(incomplete, type="file")]


def game_argument(function: F) -> F:
    return click.argument("game", type=GameType(), metavar="GAME")(function)


def what_argument(function: F) -> F:
    return click.argument("what", type=GameType(), metavar="TARGET...", nargs=-1, required=True)(function)


class PackType(TextType):
    """The name of a pack beside its game, or the folder of one; completes both."""

    name = "pack"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from ruleforge.project.locator import packs_of

        names = sorted(
            {name for core in _cores(ctx) for name in packs_of(core) if name.startswith(incomplete)}
        )
        return [*map(CompletionItem, names), CompletionItem(incomplete, type="dir")]


def _cores(ctx: click.Context) -> list[Path]:
    """The games that were named on the line; all that are shipped, if there are none yet."""
    named = [ctx.params.get("game") or "", *(ctx.params.get("what") or ())]
    found = [core for name in named if (core := find_game(str(name))) is not None]
    return found or list(shipped_games().values())


class OutFile(PathType):
    """A file to be written: whether there is a place for it is looked at before any work."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        from ruleforge.support.output_files import why_not_there  # a command that writes nothing does without

        path = Path(value)
        why = why_not_there(path)
        if why:
            self.fail(why, param, ctx)
        return path

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]


def with_option(function: F) -> F:
    """Packs to use with a game."""
    return click.option(
        "--with",
        "packs",
        type=PackType(),
        multiple=True,
        metavar="PACK",
        help="Add a pack, by name or folder (repeatable).",
    )(function)


def resume_option(function: F) -> F:
    """Going on with what was kept."""
    return click.option(
        "--resume",
        is_flag=False,
        flag_value="",
        default=None,
        metavar="[RECORD]",
        help="Continue a record, or the last interrupted game.",
    )(function)


class Pair(PairType):
    """`name=value`."""

    name = "NAME=VALUE"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        if isinstance(value, tuple):
            return value
        name, sign, rest = str(value).partition("=")
        if not sign or not name or not rest:
            self.fail(f"`{value}` is not of the form {self.name}", param, ctx)
        return name.strip(), rest.strip()


def start_options(function: F) -> F:
    """How a game is started."""
    for option in (
        click.option(
            "--option", "options", type=Pair(), multiple=True, help="Set an option of the game (repeatable)."
        ),
        click.option("--players", type=click.IntRange(1), default=None, help="Number of players."),
    ):
        function = option(function)
    return function


def table_options(function: F) -> F:
    """Which game is laid on a table, and who sits there."""
    for option in (
        resume_option,
        click.option(
            "--load",
            "saved",
            type=click.Path(path_type=Path),
            default=None,
            help="Start from a saved game or a record.",
        ),
        start_options,
        click.option(
            "--seat",
            "seating",
            type=Pair(),
            multiple=True,
            help="SEAT=human, SEAT=random, SEAT=greedy, SEAT=mcts or SEAT=mcts:1s, SEAT=PROFILE (of the game). "
            "From outside: SEAT=remote:PORT, SEAT=command:PROGRAM, SEAT=policy:FILE. "
            "SEAT is a player's name, or 1, 2 and so on.",
        ),
        click.option("--seed", type=int, default=None, help="Seed of the game; random without this option."),
    ):
        function = option(function)
    return function


def option_values(pairs: tuple[tuple[str, str], ...]) -> dict[str, int | str | bool]:
    """Options as the game wants them: `true`, `false` and numbers are what they look like."""
    return {name: _value(text) for name, text in pairs}


def _value(text: str) -> int | str | bool:
    if text in ("true", "false"):
        return text == "true"
    number = as_number(text)
    return text if number is None else number


def seats(pairs: tuple[tuple[str, str], ...], kinds: tuple[str, ...], start: State) -> dict[str, str]:
    """`SEAT=KIND` pairs by player, checked against the kinds of seats and the profiles of the game."""
    from ruleforge.play.agents import is_agent
    from ruleforge.support.spelling import listed

    profiles = start.game.compiled.profiles
    found: dict[str, str] = {}
    for name, kind in pairs:
        player = _seated(name, start)
        if player in found:
            raise click.BadParameter(f"`--seat` names `{player}` twice")
        if kind not in kinds and not is_agent(kind, profiles, outside=True):
            known = (*kinds, "mcts:1s", *profiles, "remote:PORT", "command:PROGRAM", "policy:FILE")
            raise click.BadParameter(f"`{kind}` is not {listed(known)}")
        found[player] = kind
    return found


def _seated(name: str, start: State) -> str:
    """The player that is meant: by id, by title in any case, or by number in the order in which they sit."""
    from ruleforge.engine.presentation.titles import Names
    from ruleforge.support.spelling import did_you_mean, listed

    names = Names(start.game.info)
    known = {title: player for player in start.players for title in _called(player, names)}
    known |= {player: player for player in start.players}
    by_number = {str(n): player for n, player in enumerate(start.players, 1)}
    found = known.get(name) or known.get(name.casefold()) or by_number.get(name)
    if found is None:
        hint = did_you_mean(name, start.players)
        there = f"there are {listed(start.players, 'and')}, or 1 to {len(start.players)}"
        raise click.BadParameter(f"there is no player `{name}`; {hint or there}")
    return found


def _called(player: str, names: Names) -> tuple[str, str]:
    return player.casefold(), names.thing(player, "player").casefold()

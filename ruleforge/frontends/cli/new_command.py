"""`ruleforge new`: folders to start from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from ruleforge.frontends.cli.arguments import GameType
from ruleforge.frontends.cli.command_groups import Suggesting
from ruleforge.frontends.cli.game_loader import load_or_leave
from ruleforge.frontends.cli.output import colour_option, leave, print_diagnostics, say
from ruleforge.project.locator import SHELF, core_of
from ruleforge.project.pipeline import Analysis
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import Report
from ruleforge.support.input_files import is_folder, sort_of
from ruleforge.support.output_files import write_folder
from ruleforge.support.spelling import ID
from ruleforge.tools.templates import NoPattern, expansion_files, game_files

F = TypeVar("F", bound=Callable[..., Any])


@click.group("new", cls=Suggesting)
def command() -> None:
    """Start a game or a pack of your own.

    \b
    Example:
      ruleforge new game my-game
      ruleforge new expansion night-garden --for my-game
    """


def into_option(function: F) -> F:
    return click.option(
        "--into",
        type=click.Path(path_type=Path, file_okay=False),
        default=None,
        help="Parent folder. By default, a pack goes into the folder `expansions` of your game, a game goes here.",
    )(function)


@command.command("game")
@click.argument("name")
@into_option
@colour_option
def game(name: str, into: Path | None) -> None:
    """Write a small card game with rulebook and scenarios, ready to validate, test and play.

    \b
    Example:
      ruleforge new game my-game
      ruleforge play ./my-game
    """
    folder = _new_folder(name, into or Path())
    _write(folder, game_files(name))
    _print_diagnostics(analyse(folder))
    say(f"\nnext:  ruleforge test {folder}\n       ruleforge play {folder}")


@command.command("expansion")
@click.argument("name")
@click.option("--for", "game", type=GameType(), required=True, help="The game that the pack extends.")
@into_option
@colour_option
def expansion(name: str, game: str, into: Path | None) -> None:
    """Write a pack with a card, a rule, a rulebook and a scenario, ready to validate, test and play.

    \b
    Example:
      ruleforge new expansion night-garden --for my-game
      ruleforge play my-game --with ./night-garden
    """
    folder = _new_folder(name, into or (Path(game, SHELF) if is_folder(Path(game)) else Path()))
    load_or_leave(game)
    try:
        files = expansion_files(name, game)
    except NoPattern as problem:
        raise click.BadParameter(str(problem), param_hint="--for") from None
    _write(folder, files)
    _print_diagnostics(analyse(game, [folder]))
    command_line = (
        "test" if core_of(folder, Report()) else f"validate {game} --with"
    )  # a pack is tested where its game is known
    say(f"\nnext:  ruleforge {command_line} {folder}\n       ruleforge play {game} --with {folder}")


def _new_folder(name: str, into: Path) -> Path:
    """The new folder: a free place under a valid name."""
    if not ID.match(name.replace("-", "_")):
        raise click.BadParameter(
            f"`{name}` is not a valid name; use lower case and hyphens", param_hint="NAME"
        )
    folder = into / name
    if sort_of(folder):
        raise click.BadParameter(f"`{folder}` is there already", param_hint="NAME")
    return folder


def _write(folder: Path, files: dict[str, str]) -> None:
    """Print the names after all files are written: a reader of only one line, such as `head`, gets a whole folder."""
    write_folder(folder, files)
    for file in files:
        say(f"wrote {folder / file}")


def _print_diagnostics(analysis: Analysis) -> None:
    if not analysis.complete:
        print_diagnostics(analysis.diagnostics)
        leave(1)

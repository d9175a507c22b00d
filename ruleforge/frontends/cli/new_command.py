"""`ruleforge new`: folders to start from."""

from __future__ import annotations

from pathlib import Path

import click

from ruleforge.frontends.cli.arguments import GameType
from ruleforge.frontends.cli.output import colour_option, complain, leave, load_or_leave, say
from ruleforge.frontends.start.expansion import NoPattern, expansion_files
from ruleforge.loading import analyse
from ruleforge.names import ID
from ruleforge.reading import sort_of
from ruleforge.writing import write_text


@click.group("new")
def command() -> None:
    """Start something of your own.

    \b
    Example:
      ruleforge new expansion night-garden --for my-game
    """


@command.command("expansion")
@click.argument("name")
@click.option("--for", "game", type=GameType(), required=True, help="The game it adds to.")
@click.option(
    "--into",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    help="Where to put its folder.",
)
@colour_option
def expansion(name: str, game: str, into: Path) -> None:
    """Write a pack with one card and one scenario, which validates, tests and plays at once.

    \b
    Example:
      ruleforge new expansion night-garden --for my-game
      ruleforge play my-game --with ./night-garden
    """
    if not ID.match(name.replace("-", "_")):
        raise click.BadParameter(f"`{name}` is not a name: lower case, with hyphens", param_hint="NAME")
    folder = into / name
    if sort_of(folder):
        raise click.BadParameter(f"`{folder}` is there already", param_hint="NAME")
    load_or_leave(game)
    try:
        files = expansion_files(name, game)
    except NoPattern as problem:
        raise click.BadParameter(str(problem), param_hint="--for") from None
    for file, text in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        write_text(folder / file, text)
        say(f"wrote {folder / file}")
    found = analyse(game, [folder]).diagnostics
    if found:
        complain(found)
        leave(1)
    say(f"\nnext:  ruleforge test {folder}\n       ruleforge play {game} --with {folder}")

"""`ruleforge dump`: prints the compiled program of a game."""

from __future__ import annotations

import click
from rich.syntax import Syntax

from ruleforge.compiler.dump import dump, dump_direct
from ruleforge.engine.errors import PlayError
from ruleforge.frontends.cli.arguments import game_argument, option_values, start_options, with_option
from ruleforge.frontends.cli.game_loader import load_or_leave
from ruleforge.frontends.cli.output import colour_option, output, refuse, say


@click.command("dump")
@game_argument
@with_option
@click.option(
    "--ir",
    "part",
    flag_value="ir",
    default=True,
    help="Show the intermediate representation (IR). This is the default.",
)
@click.option("--blocks", "part", flag_value="blocks", help="Show the IR in blocks, as backends receive it.")
@click.option(
    "--python", "part", flag_value="interned", help="Show the generated Python for choices and steps."
)
@click.option("--playout", "part", flag_value="playout", help="Show the generated Python for random games.")
@click.option("--chance", is_flag=True, help="Compile dice as chance decisions.")
@start_options
@colour_option
def command(
    game: str,
    packs: tuple[str, ...],
    part: str,
    chance: bool,
    options: tuple[tuple[str, str], ...],
    players: int | None,
) -> None:
    """Print the compiled rules of a game, with the file and line of each part.

    \b
    Example:
      ruleforge dump my-game
      ruleforge dump my-game --python
    """
    compiled = load_or_leave(game, packs).compiled
    try:
        setup = compiled.setup(players, option_values(options), "explicit" if chance else "sampled")
    except PlayError as error:
        refuse(error)
    listings = {"ir": dump_direct, "blocks": dump}
    if part in listings:
        text = listings[part](compiled.program(setup))
    else:
        text = compiled.generated(setup, part)
    console = output().console()
    if part in listings or not console.is_terminal:
        say(text)
    else:
        console.print(Syntax(text, "python", background_color="default", word_wrap=False))

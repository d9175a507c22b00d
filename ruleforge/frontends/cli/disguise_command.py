"""`ruleforge disguise`: the same game under other names and words."""

from __future__ import annotations

from pathlib import Path

import click

from ruleforge.engine.loader import load
from ruleforge.frontends.cli.arguments import game_argument
from ruleforge.frontends.cli.game_loader import load_or_leave
from ruleforge.frontends.cli.output import colour_option, leave, print_diagnostics, print_json, say
from ruleforge.frontends.lsp.disguise.same_play import first_difference
from ruleforge.frontends.lsp.disguise.twin import write_twin
from ruleforge.project.locator import find_rules
from ruleforge.support.diagnostics import Report
from ruleforge.support.input_files import is_folder, is_there

GAMES, MOST = 5, 200  # played in both, and choices of each


@click.command("disguise")
@game_argument
@click.option("--seed", type=int, default=0, show_default=True, help="Which new names are given.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="A new folder for the twin. Its name becomes the id of the game.",
)
@click.option("--json", "as_json", is_flag=True, help="Print for programs: each old name with its new one.")
@colour_option
def command(game: str, seed: int, out: Path, as_json: bool) -> None:
    """Write a twin of a game: the same game tree under other names and words.

    A language model that has read about a game before cannot recognise its twin. Packs, scenarios, the rulebook and
    the contract are disguised, too. The command plays some random games in both to check that they are the same.

    \b
    Example:
      ruleforge disguise my-game --seed 7 --out ./twin
    """
    report = Report()
    folder = find_rules(game, report)
    if folder is None:
        print_diagnostics(report)
        leave(1)
    if not is_folder(folder) or is_there(out):
        wrong = f"`{out}` is there already" if is_there(out) else "only a game that is a folder has a twin"
        say(f"error: {wrong}", err=True)
        leave(2)
    original = load_or_leave(game)
    try:
        twin = write_twin(folder, seed, out)
    except OSError as problem:
        say(f"error: {problem}", err=True)
        leave(1)
    difference = first_difference(original, load(str(out)), GAMES, MOST)
    if as_json:
        print_json({"folder": str(out), "names": dict(twin.names), "difference": difference})
    else:
        say(f"{out}: {len(twin.names)} new names; {difference or f'{GAMES} random games are played alike'}")
    if difference:
        leave(1)

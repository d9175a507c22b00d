"""`ruleforge games`: lists the games that come with RuleForge."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from ruleforge.frontends.cli.arguments import with_option
from ruleforge.frontends.cli.output import colour_option, leave, output, print_diagnostics, print_json
from ruleforge.project.locator import MANIFEST, core_of, find_rules, is_pack
from ruleforge.support.diagnostics import NOWHERE, Report
from ruleforge.support.resources import shipped_games
from ruleforge.tools.catalogue import described


@click.command("games")
@with_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@colour_option
def command(packs: tuple[str, ...], as_json: bool) -> None:
    """List the shipped games with their packs. --with adds packs from other places.

    \b
    Example:
      ruleforge games
      ruleforge games --with my-pack
    """
    more = _elsewhere(packs)
    games = [described(name, path, more.pop(path.resolve(), {})) for name, path in shipped_games().items()]
    games += [described(core.name, core, named) for core, named in more.items()]
    if as_json:
        print_json(games)
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("name", "title", "players", "what it is"):
        table.add_column(heading, no_wrap=heading != "what it is")
    for game in games:
        table.add_row(*(game[key] for key in ("name", "title", "players", "text")))
        for pack in game["packs"]:
            table.add_row(f"  + {pack['name']}", *(pack[key] for key in ("title", "players", "text")))
    output().console().print(table)


def _elsewhere(packs: tuple[str, ...]) -> dict[Path, dict[str, Path]]:
    """Packs that were named, by the folders of their games and their own names."""
    report, found = Report(), dict[Path, dict[str, Path]]()
    for pack in packs:
        path = find_rules(pack, report)
        if path is not None and not is_pack(path):
            report.add("RF845", f"`{pack}` is no pack", NOWHERE, f"a pack is a folder with a {MANIFEST}")
        elif path is not None and (core := core_of(path, report)) is not None:
            found.setdefault(core.resolve(), {})[path.name] = path
    if report.has_errors:
        print_diagnostics(report)
        leave(1)
    return found

"""`ruleforge validate`: every mistake in one run."""

from __future__ import annotations

import click

from ruleforge.diagnostics import Diagnostic
from ruleforge.diagnostics.render import render_json, render_sarif
from ruleforge.frontends.cli.arguments import what_argument, with_option
from ruleforge.frontends.cli.output import colour_option, complain, leave, say
from ruleforge.loading import analyse
from ruleforge.validating import validated


@click.command("validate")
@what_argument
@with_option
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "sarif"]), default="text", show_default=True
)
@colour_option
def command(what: tuple[str, ...], packs: tuple[str, ...], form: str) -> None:
    """Check rule files, scenarios, rulebook and contract; show every mistake with its place and a way to mend it.

    Exit code 0: nothing wrong; 1: complaints; 2: the command itself was misused.

    \b
    Example:
      ruleforge validate my-game other-game/game.yaml --format json
    """
    found: list[Diagnostic] = []
    fine: list[str] = []
    for name in dict.fromkeys(what):
        complaints = validated(analyse(name, packs)).diagnostics
        found += complaints
        if all(d.severity != "error" for d in complaints):
            fine.append(name)
    if form == "json":
        say(render_json(found))
    elif form == "sarif":
        say(render_sarif(found))
    else:
        complain(found, err=False)
        for name in fine:
            say(f"{name}: fine")
    if any(d.severity == "error" for d in found):
        leave(1)

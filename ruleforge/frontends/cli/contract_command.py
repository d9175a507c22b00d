"""`ruleforge contract`: what packs may do to a core, as prose."""

from __future__ import annotations

import click

from ruleforge.analysing import analyse
from ruleforge.contracts.prose import prose_of
from ruleforge.contracts.reading import contract_of
from ruleforge.frontends.cli.arguments import game_argument
from ruleforge.frontends.cli.output import colour_option, complain, leave, say


@click.command("contract")
@game_argument
@colour_option
def command(game: str) -> None:
    """Print what packs may do to a core, within which limits, and what they may never do, clause by clause.

    \b
    Example:
      ruleforge contract my-game
    """
    analysis = analyse(game)
    if analysis.ruleset is None:
        complain(analysis.diagnostics)
        leave(1)
    contract = contract_of(analysis.path)
    if contract is None:
        raise click.BadParameter(f"`{game}` has no contract: packs may do whatever the rules allow")
    say(prose_of(contract, analysis.ruleset.title or analysis.ruleset.id).removesuffix("\n"))

"""`ruleforge contract`: the permissions of packs in a core, as prose or for programs."""

from __future__ import annotations

import click

from ruleforge.contracts.contract_reader import contract_of
from ruleforge.contracts.json_form import contract_json
from ruleforge.contracts.prose import prose_of
from ruleforge.frontends.cli.arguments import game_argument
from ruleforge.frontends.cli.output import colour_option, leave, print_diagnostics, print_json, say
from ruleforge.project.resolver import analyse


@click.command("contract")
@game_argument
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs, sentence by sentence.")
@colour_option
def command(game: str, as_json: bool) -> None:
    """Print the contract of a core in plain words: what packs may do, their limits, and what they may never do.

    \b
    Example:
      ruleforge contract my-game
      ruleforge contract my-game --json
    """
    analysis = analyse(game)
    if analysis.ruleset is None:
        print_diagnostics(analysis.diagnostics)
        leave(1)
    contract = contract_of(analysis.path)
    if contract is None:
        raise click.BadParameter(f"`{game}` has no contract: packs may do anything that the rules allow")
    if contract.mistakes:
        print_diagnostics(contract.mistakes)
        leave(1)
    if as_json:
        print_json(contract_json(contract, analysis.ruleset.id))
        return
    say(prose_of(contract, analysis.ruleset.title or analysis.ruleset.id).removesuffix("\n"))

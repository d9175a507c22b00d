"""`ruleforge check-expansion`: the verdict of a core's contract on packs."""

from __future__ import annotations

import click

from ruleforge.contracts.judgement import Judgement
from ruleforge.contracts.render import render, render_clauses
from ruleforge.engine.errors import RulesetError
from ruleforge.frontends.cli.arguments import PackType
from ruleforge.frontends.cli.output import colour_option, complain, leave, print_json, say
from ruleforge.judging import judge


@click.command("check-expansion")
@click.argument("packs", type=PackType(), metavar="PACK...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="The whole judgement for programs.")
@click.option(
    "--clauses", is_flag=True, help="Show the answer for every clause of the contract, with the reason."
)
@colour_option
def command(packs: tuple[str, ...], as_json: bool, clauses: bool) -> None:
    """Judge packs by the contract of the core they are for: each alone, then all together.

    A pack is the folder of one. Exit code 0: accepted; 1: rejected or invalid; 2: the command itself was misused.

    \b
    Example:
      ruleforge check-expansion my-pack
      ruleforge check-expansion my-pack another-pack --json
    """
    judgements: list[Judgement] = []
    try:
        for number, pack in enumerate(packs):
            others = packs[:number] + packs[number + 1 :]
            judgements.append(judge(pack, others))
    except RulesetError as error:
        complain(error.diagnostics)
        leave(2)
    if as_json:
        found = [judgement.to_json() for judgement in judgements]
        print_json(found[0] if len(found) == 1 else found)
    else:
        say("\n\n".join(_text(judgement, clauses) for judgement in judgements))
    if not all(judgement.is_accepted for judgement in judgements):
        leave(1)


def _text(judgement: Judgement, clauses: bool) -> str:
    shown = render(judgement)
    return f"{shown}\n\n{render_clauses(judgement)}" if clauses and judgement.clauses else shown

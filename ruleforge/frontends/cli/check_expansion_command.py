"""`ruleforge check-expansion`: the verdict of a core's contract on packs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from ruleforge.contracts.judgement import Fault, Judgement
from ruleforge.contracts.render import render, render_clauses
from ruleforge.engine.errors import RulesetError
from ruleforge.frontends.cli.arguments import OutFile, PackType
from ruleforge.frontends.cli.counterexample_files import CounterexampleFiles, play_counterexamples
from ruleforge.frontends.cli.output import colour_option, leave, print_diagnostics, print_json, say
from ruleforge.tools.core_changes import core_changes
from ruleforge.tools.counterexamples.finder import SECONDS, can_be_shown
from ruleforge.tools.pack_check import judge


@click.command("check-expansion")
@click.argument("packs", type=PackType(), metavar="PACK...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print the whole verdict as JSON for programs.")
@click.option(
    "--clauses", is_flag=True, help="Show the verdict on every clause of the contract, with the reason."
)
@click.option(
    "--counterexample",
    "file",
    type=OutFile(),
    metavar="FILE",
    help="Write a scenario that shows the loop, gain, flow, denial, chance or secret in play.",
)
@click.option(
    "--since",
    type=click.Path(path_type=Path),
    default=None,
    metavar="LOCK",
    help="List what the pack uses and the core changed since this lock file; a packed file knows it itself.",
)
@colour_option
def command(
    packs: tuple[str, ...], as_json: bool, clauses: bool, file: Path | None, since: Path | None
) -> None:
    """Check packs against the contract of their core: each alone, then all together.

    PACK is the folder or file of a pack, or the name of an installed pack. Exit code 0: accepted; 1: rejected
    or invalid; 2: wrong use of the command.

    With --counterexample the first fault that takes a line of play to be seen is played out: `ruleforge test FILE
    --with PACK` passes the scenario. Further ones are written beside it, as FILE with a number.

    \b
    Example:
      ruleforge check-expansion my-pack
      ruleforge check-expansion my-pack another-pack --json
      ruleforge check-expansion my-pack --counterexample line.yaml
      ruleforge check-expansion my-pack --since old/core.lock
    """
    try:
        judgements = [judge(pack, packs[:number] + packs[number + 1 :]) for number, pack in enumerate(packs)]
        changes = [core_changes(pack, since) for pack in packs]
        played = play_counterexamples(packs, judgements, file) if file is not None else None
    except RulesetError as error:
        print_diagnostics(error.diagnostics)
        leave(2)
    if played is not None:
        judgements = [_shown(judgement, played) for judgement in judgements]
    if as_json:
        found = [
            judgement.to_json() | ({"core_changes": changed.to_json()} if changed is not None else {})
            for judgement, changed in zip(judgements, changes, strict=True)
        ]
        print_json(found[0] if len(found) == 1 else found)
    else:
        say("\n\n".join(_text(judgement, clauses, packs, played) for judgement in judgements))
        for changed in changes:
            if changed is not None:
                say(f"\n{changed}")
        if file is not None and not played:
            say("\nno fault needs play to be seen; nothing was written")
    if not all(judgement.is_accepted for judgement in judgements):
        leave(1)


def _shown(judgement: Judgement, played: CounterexampleFiles) -> Judgement:
    """The judgement with the files that show its faults."""

    def with_files(faults: tuple[Fault, ...]) -> tuple[Fault, ...]:
        return tuple(replace(fault, counterexample=played.file_of(fault)) for fault in faults)

    together = judgement.together
    if together is not None:
        together = replace(together, faults=with_files(together.faults))
    return replace(judgement, faults=with_files(judgement.faults), together=together)


def _text(
    judgement: Judgement, clauses: bool, packs: tuple[str, ...], played: CounterexampleFiles | None
) -> str:
    def line(fault: Fault) -> str:
        if not can_be_shown(fault):
            return ""
        if played is None:
            name = fault.rules[0].replace(".", "-")
            return f"ruleforge check-expansion {' '.join(packs)} --counterexample {name}.yaml"
        command = played.command_of(fault)
        if judgement.verdict == "invalid":
            return "none: a pack with mistakes cannot be played"
        return command or (
            f"none was found within {SECONDS:.0f} s; the verdict stands, because it follows from the rules alone"
        )

    shown = render(judgement, played=line)
    return f"{shown}\n\n{render_clauses(judgement)}" if clauses and judgement.clauses else shown

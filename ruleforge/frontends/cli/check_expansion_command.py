"""`ruleforge check-expansion`: judges packs by a core's contract, and writes scenarios for faults that only
play shows.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from ruleforge.contracts.judgement import Fault, Judgement
from ruleforge.contracts.render import render, render_clauses
from ruleforge.engine.errors import RulesetError
from ruleforge.engine.game import Game
from ruleforge.frontends.cli.arguments import OutFile, PackType
from ruleforge.frontends.cli.output import colour_option, leave, print_diagnostics, print_json, say
from ruleforge.support.diagnostics import Report
from ruleforge.support.input_files import sort_of
from ruleforge.support.output_files import write_text
from ruleforge.tools.core_changes import core_changes
from ruleforge.tools.counterexamples.finder import SECONDS, Counterexample, can_be_shown, counterexamples
from ruleforge.tools.pack_check import judge
from ruleforge.tools.scenarios.runner import run_scenario
from ruleforge.tools.scenarios.scenario import read_scenario


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


# Writes a scenario for each fault of a pack that only play shows; each scenario is tested first.


@dataclass
class CounterexampleFiles:
    """The counterexample of each fault and its file."""

    first: Path
    found: dict[Fault, tuple[Counterexample, Path | None]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.found)

    def keep(self, example: Counterexample) -> None:
        """Write a scenario: the first one to the file that was named, others beside it."""
        path = None
        if example.scenario is not None:
            path = self._next()
            try:
                write_text(path, example.scenario)
            except OSError as trouble:
                raise click.BadParameter(f"`{path}` cannot be written: {trouble.strerror}") from None
        self.found[_plain(example.fault)] = (example, path)

    def _next(self) -> Path:
        number = 1 + sum(path is not None for _, path in self.found.values())
        return self.first if number == 1 else self.first.with_stem(f"{self.first.stem}-{number}")

    def file_of(self, fault: Fault) -> str | None:
        _, path = self.found.get(_plain(fault), (None, None))
        return str(path) if path is not None else None

    def command_of(self, fault: Fault) -> str:
        """The command that replays the fault; empty if no line of play was found."""
        example, path = self.found.get(_plain(fault), (None, None))
        if example is None or path is None:
            return ""
        packs = " ".join(f"--with {pack}" for pack in example.packs)
        return f"ruleforge test {path} {packs}"


def play_counterexamples(
    packs: Sequence[str], judgements: Sequence[Judgement], file: Path
) -> CounterexampleFiles:
    """Look for a line of play for every fault that takes one; those of a pack set are told once."""
    if sort_of(file.parent) != "folder":
        raise click.BadParameter(f"there is no folder `{file.parent}`", param_hint="--counterexample")
    played = CounterexampleFiles(file)
    for number, (pack, judgement) in enumerate(zip(packs, judgements, strict=True)):
        for example in counterexamples(pack, judgement.faults, (), _holds):
            played.keep(example)
        together = judgement.together.faults if judgement.together is not None else ()
        others = [*packs[:number], *packs[number + 1 :]]
        unplayed = [fault for fault in together if _plain(fault) not in played.found]
        for example in counterexamples(pack, unplayed, others, _holds):
            played.keep(example)
    return played


def _plain(fault: Fault) -> Fault:
    return replace(fault, counterexample=None)


def _holds(game: Game, text: str) -> bool:
    """Does `ruleforge test` pass it?"""
    report = Report()
    with tempfile.TemporaryDirectory(prefix="ruleforge-") as folder:
        trial = Path(folder) / "scenario.yaml"
        write_text(trial, text)
        scenario = read_scenario(trial, report)
        return scenario is not None and run_scenario(game, scenario, report)

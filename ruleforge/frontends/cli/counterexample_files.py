"""Writes a scenario for each fault of a pack that only play shows; each scenario is tested first."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from ruleforge.contracts.judgement import Fault, Judgement
from ruleforge.engine.game import Game
from ruleforge.support.diagnostics import Report
from ruleforge.support.input_files import sort_of
from ruleforge.support.output_files import write_text
from ruleforge.tools.counterexamples.finder import Counterexample, counterexamples
from ruleforge.tools.scenarios.runner import run_scenario
from ruleforge.tools.scenarios.scenario import read_scenario


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
        """What shows the fault again; empty if no line of play was found."""
        example, path = self.found.get(_plain(fault), (None, None))
        if example is None or path is None:
            return ""
        packs = " ".join(f"--with {pack}" for pack in example.packs)
        return f"ruleforge test {path} {packs}"


def play_counterexamples(
    packs: Sequence[str], judgements: Sequence[Judgement], file: Path
) -> CounterexampleFiles:
    """Look for a line of play for every fault that takes one; those of a company are told once."""
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

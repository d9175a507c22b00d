"""Finds a scenario for a fault that only play shows, within a time limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from ruleforge.contracts.contract_reader import contract_of
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.trial import Trial, trial_of
from ruleforge.engine.errors import PlayError
from ruleforge.engine.game import Game
from ruleforge.engine.loader import opened
from ruleforge.play.scenario_text import ScenarioPlan, scenario_text
from ruleforge.project.resolver import analyse
from ruleforge.support.records import dataclass
from ruleforge.tools.counterexamples.denial import DenialMonitor
from ruleforge.tools.counterexamples.leads import Lead, lead_from
from ruleforge.tools.counterexamples.monitors import (
    ChanceMonitor,
    FlowMonitor,
    GainMonitor,
    LoopMonitor,
    Monitor,
)
from ruleforge.tools.counterexamples.search import Line, Search
from ruleforge.tools.counterexamples.secrecy import SecrecyMonitor
from ruleforge.tools.pack_check import analysed

SECONDS = 5.0
MONITORS: Mapping[str, Callable[[Lead], Monitor]] = {
    "RF910": FlowMonitor,
    "RF911": LoopMonitor,
    "RF912": GainMonitor,
    "RF913": DenialMonitor,
    "RF914": ChanceMonitor,
    "RF915": SecrecyMonitor,
}


# Runs a scenario in a game and says whether it passes; the caller provides it.
Holds = Callable[[Game, str], bool]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A fault and the scenario that shows it; None if no line of play was found in time."""

    fault: Fault
    scenario: str | None
    packs: tuple[str, ...]  # what has to be at the table


def can_be_shown(fault: Fault) -> bool:
    """Whether it takes a line of play to see a fault; of others the place alone is the proof."""
    return fault.code in MONITORS and fault.answer == "broken" and bool(fault.rules)


def counterexamples(
    pack: str | Path,
    faults: Sequence[Fault],
    others: Sequence[str | Path],
    holds: Holds,
    seconds: float = SECONDS,
) -> Iterator[Counterexample]:
    """Look for lines of play that show faults of a pack, alone (no others) or in a pack set, for so long each."""
    wanted = [fault for fault in faults if can_be_shown(fault)]
    if not wanted:
        return
    analysis = analyse(pack, list(others)) if others else analysed(pack, ())
    contract = contract_of(analysis.path)
    trial = trial_of(analysis, contract) if contract is not None else None
    packs = tuple(str(reading.path) for reading in analysis.packs)
    if trial is None or not analysis.complete:  # what cannot be played can show nothing
        yield from (Counterexample(fault, None, packs) for fault in wanted)
        return
    game = opened(analysis, analysis.path)
    for fault in wanted:
        yield Counterexample(fault, _scenario(fault, trial, game, holds, seconds), packs)


def _scenario(fault: Fault, trial: Trial, game: Game, holds: Holds, seconds: float) -> str | None:
    """The first scenario found that shows a fault and passes."""
    search = Search(game, MONITORS[fault.code](lead_from(fault, trial)), seconds)
    signatures: list[str] = []

    def passes(line: Line) -> bool:
        try:
            text = scenario_text(_tale(fault, trial, game, line))
        except PlayError:
            return False
        signatures[:] = [text] if holds(game, text) else []
        return bool(signatures)

    return signatures[0] if search.run(passes) is not None else None


def _tale(fault: Fault, trial: Trial, game: Game, line: Line) -> ScenarioPlan:
    return ScenarioPlan(
        title=fault.why[0].upper() + fault.why[1:],
        game=game,
        way=line.end.path,
        seed=line.seed,
        packs=tuple(reading.path.name for reading in trial.analysis.packs),
        text=f"It is written in {Path(fault.place.file).name}, line {fault.place.line}.",
        cites=fault.clauses,
        open_chance=line.open_chance,
        looks=line.looks,
    )

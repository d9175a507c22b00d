"""Writes the played game as a scenario that `ruleforge test` passes."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from ruleforge.engine.patch import differing
from ruleforge.frontends.repl.answer import Refusal, Reply, reply
from ruleforge.frontends.repl.console import Console
from ruleforge.frontends.repl.record_commands import target
from ruleforge.play.scenario_text import NotAScenario, ScenarioPlan, as_written, scenario_text
from ruleforge.play.timeline import Moment
from ruleforge.support.output_files import write_text

MOST_EXPECTED = 12


def export(console: Console, text: str) -> Reply:
    """Write a scenario, once it has been seen to hold."""
    word, _, rest = text.partition(" ")
    if word != "test":
        raise Refusal("usage: export test FILE [--force]")
    path = target(rest, "export test FILE")
    if console.here.running is not None:
        raise Refusal("an effect waits for an answer: use `do`, or `undo` it")
    content = _content(console, path.stem.replace("_", " ").replace("-", " "))
    problems = _problems(console, content)
    if problems:
        raise Refusal("this game cannot be written as a scenario", problems)
    write_text(path, content)
    lines = content.count("\n")
    return reply(f"wrote {lines} lines to {path}; `ruleforge test` passes it", file=str(path), lines=lines)


def _problems(console: Console, content: str) -> Any:
    with tempfile.TemporaryDirectory(prefix="ruleforge-") as folder:
        trial = Path(folder) / "scenario.yaml"
        write_text(trial, content)
        return console.test_scenario(console.rules.game, trial)


def _content(console: Console, title: str) -> str:
    if console.start.seed is None:
        raise Refusal("this game started from a saved position; a scenario starts a new game")
    here, game = console.here, console.rules.game
    tale = ScenarioPlan(
        title.capitalize() or "A scenario",
        game,
        here.path,
        console.start.seed,
        tuple(map(str, console.rules.packs)) if game.info.packs else (),
        looks={here.number: _expectations(here)},
    )
    try:
        return scenario_text(tale)
    except NotAScenario as trouble:
        raise Refusal(trouble.message) from None


def _expectations(here: Moment) -> list[dict[str, Any]]:
    """What the last step changed, and who is asked next or how the game ended."""
    before = here.before
    found = differing(before.state, here.state) if before is not None and before.running is None else {}
    shown = dict(list(found.items())[:MOST_EXPECTED])
    expect = {path: as_written(value) for path, value in shown.items()}
    outcome = here.state.outcome
    if outcome is None:
        decision = here.state.decision
        assert decision is not None
        return [{"expect": {**expect, "decision.player": decision.player}}]
    looks = [{"expect": expect}] if expect else []
    return [*looks, {"outcome": {"reason": outcome.reason, "winners": list(outcome.winners)}}]

"""Commands that save and load records, write a game as a scenario, and continue after a crash."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ruleforge.engine.errors import PlayError, RestoreError
from ruleforge.engine.patch import differing
from ruleforge.frontends.repl.answer import Refusal, Reply, count, reply
from ruleforge.frontends.repl.console import Console, Start
from ruleforge.play.journal import begin_journal, text_of
from ruleforge.play.record import (
    Line,
    Opening,
    Record,
    changed_since,
    differs,
    impossible,
    opening_of,
    read_record,
    record_text,
    start_again,
)
from ruleforge.play.scenario_text import NotAScenario, ScenarioPlan, as_written, scenario_text
from ruleforge.play.timeline import Moment, Timeline
from ruleforge.support.input_files import sort_of
from ruleforge.support.output_files import why_not_there, write_text

FORCE = "--force"
RELOAD = "reload"
MOST_EXPECTED = 12


def save(console: Console, text: str) -> Reply:
    """Write the steps that led here as a record."""
    path = target(text, "save FILE")
    lines = tuple(record_lines(console.here))
    write_text(path, record_text(_opening(console), lines))
    return reply(f"wrote {count(len(lines), 'line')} to {path}", file=str(path))


def target(text: str, usage: str) -> Path:
    """The file that is named, if it is not there yet or may be replaced."""
    words = text.split()
    force = FORCE in words
    names = [word for word in words if word != FORCE]
    if len(names) != 1:
        raise Refusal(f"usage: {usage} [{FORCE}]")
    path = Path(names[0]).expanduser()
    why = why_not_there(path)
    if why:
        raise Refusal(why)
    if sort_of(path) is not None and not force:
        raise Refusal(f"`{path}` is there already; {FORCE} replaces it")
    return path


def record_lines(moment: Moment) -> Iterator[Line]:
    """The record of the way to a moment, with its scripted dice."""
    for each in moment.path:
        if each.transition is not None:
            if each.transition.dice:
                yield Line(f"dice {' '.join(each.transition.dice)}")
            yield Line(str(each.transition), each.state.imprint, each.transition.player)


def load(console: Console, text: str) -> Reply:
    """Go on from a record, or from a saved game, in place of what is here."""
    if not text:
        raise Refusal("usage: load FILE")
    content = text_of(Path(text).expanduser())
    if content.lstrip().startswith("{"):
        begin(console, Timeline(console.rules.game.restore(content)), None)
        return reply(console.heading())
    changes = restore(console, read_record(content))
    return reply(*changes, console.heading(), moment=console.here.number)


def begin(console: Console, timeline: Timeline, seed: int | None, lines: tuple[Line, ...] = ()) -> None:
    """Be at the beginning of another game, with a journal of its own if there was one."""
    console.timeline, console.pending, console.dice = timeline, None, ()
    state = timeline.state
    console.start = Start(seed, len(state.players), tuple(state.options.items()))
    if console.journal is not None:
        console.journal.close()
        start_journal(console, lines)


def start_journal(console: Console, lines: tuple[Line, ...] = ()) -> None:
    console.journal = begin_journal(_opening(console), lines)


def _opening(console: Console) -> Opening:
    first = console.here.path[0].state
    return opening_of(first, console.start.seed, console.rules.definitions)


def restore(console: Console, record: Record) -> list[str]:
    """Do again what a record says, in place of what is here; gives what there is to tell about it.

    With rules that have changed since, as much of it as they still allow. RestoreError, and nothing changed, if the
    rules are the same and other positions come out.
    """
    because = changed_since(record.opening, console.rules.game, console.rules.definitions)
    before = console.timeline, console.start, console.dice, console.journal, console.pending
    timeline = Timeline(start_again(console.rules.game, record.opening))
    console.journal = None
    console.timeline, console.dice, console.pending = timeline, (), None
    console.start = Start(record.opening.seed, record.opening.players, record.opening.options)
    try:
        done, problem = _again(console, record, because)
        if problem is not None and not because:
            raise problem
    except BaseException:
        console.timeline, console.start, console.dice, console.journal, console.pending = before
        raise
    console.done = done
    changes = [because] if because else []
    if problem is not None:
        changes.append(f"{problem.message}; {count(len(record.lines) - len(done), 'line')} left out")
    if before[3] is not None:
        before[3].close()
        start_journal(console, done)
    return changes


def _again(console: Console, record: Record, because: str) -> tuple[tuple[Line, ...], RestoreError | None]:
    """The lines that were done again, and what was wrong with the next one."""
    read = [n for n, line in enumerate(record.lines) if line.text.split()[0] == RELOAD]
    trusted = read[-1] + 1 if read else 0  # before it, other rules were in force
    done: list[Line] = []
    if not read and console.state.imprint != record.opening.start and not because:
        return (), differs(Line("start", number=1), because)
    for number, line in enumerate(record.lines):
        if number not in read:
            try:
                console.answer(line.text)
            except Refusal as refusal:
                message = refusal.message or refusal.diagnostics[0].message
                return tuple(done), impossible(line, message, because)
            except PlayError as error:
                return tuple(done), impossible(line, error.message, because)
            if line.imprint and number >= trusted and console.state.imprint != line.imprint and not because:
                return tuple(done), differs(line, because)
        done.append(Line(line.text, console.state.imprint, line.player))
    return tuple(done), None


# Writes the played game as a scenario that `ruleforge test` passes.


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
    """The changes of the last step, with the next question or the outcome."""
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

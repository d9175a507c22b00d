"""`ruleforge profile`: which rules and formulas cost how much."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from ruleforge.compiler.ir import Place
from ruleforge.diagnostics import NOWHERE
from ruleforge.engine.costs import Costs, costs
from ruleforge.engine.errors import PlayError
from ruleforge.engine.game import Game
from ruleforge.frontends.cli.arguments import game_argument, option_values, start_options, with_option
from ruleforge.frontends.cli.opening import load_or_leave
from ruleforge.frontends.cli.output import colour_option, print_json, refuse, say
from ruleforge.frontends.cli.progress import progress_bar
from ruleforge.quick import dataclass

TEXT = 70  # signs of a line that are shown


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody asked for at the command line."""

    game: str
    packs: tuple[str, ...]
    decisions: int
    seconds: float
    seed: int
    lines: int
    options: tuple[tuple[str, str], ...]
    players: int | None
    as_json: bool


@click.command("profile")
@game_argument
@with_option
@click.option(
    "--decisions", type=click.IntRange(1), default=200, show_default=True, help="Random decisions to make."
)
@click.option(
    "--seconds", type=click.FloatRange(0.1), default=10.0, show_default=True, help="Stop after so long."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the games that are played.")
@click.option(
    "--lines", type=click.IntRange(1), default=12, show_default=True, help="How many to show of each sort."
)
@start_options
@click.option("--json", "as_json", is_flag=True, help="Print for programs, every line of the rules.")
@colour_option
def command(**given: Any) -> None:
    """Play random decisions and say which definitions and which lines of the rules cost how much.

    Counted are steps of the plain interpreter, so that the figures are the same on every machine: a statement, or a part
    of an expression. Working out what can be chosen counts, too; it is most of the work in many games.

    \b
    Example:
      ruleforge profile my-game
      ruleforge profile my-game --with my-pack --decisions 1000 --json
    """
    wish = Wish(**given)
    loaded = load_or_leave(wish.game, wish.packs)
    try:
        variant = loaded.variant(loaded.compiled.setup(wish.players, option_values(wish.options)))
    except PlayError as error:
        refuse(error)
    found = Costs(variant.program)
    try:
        with progress_bar("decisions", wish.decisions, wish.as_json) as progress:
            for found in costs(variant, wish.decisions, wish.seed, wish.seconds):
                progress.update(progress.task_ids[0], completed=found.decisions)
    except KeyboardInterrupt:  # what was found so far is worth something
        pass
    if wish.as_json:
        print_json(_data(loaded, found))
    else:
        _show(loaded, found, wish.lines)


def _data(game: Game, found: Costs) -> dict[str, Any]:
    return {
        "decisions": found.decisions,
        "games": found.games,
        "steps": found.total,
        "definitions": [{"definition": of, "steps": n} for of, n in found.by_definition().most_common()],
        "lines": [
            {"place": _where(place), "definition": place.definition, "steps": n, "text": _text(game, place)}
            for place, n in found.by_line().most_common()
        ],
    }


def _show(game: Game, found: Costs, lines: int) -> None:
    total, made = max(found.total, 1), max(found.decisions, 1)

    def share(steps: int) -> str:
        return f"{100 * steps / total:5.1f} %  {steps / made:10,.0f}"

    say(f"{found.total:,} steps in {found.decisions:,} random decisions, {found.total // made:,} a decision")
    say("\n  share  a decision  definition")
    for of, steps in found.by_definition().most_common(lines):
        say(f"{share(steps)}  {of or 'the engine itself'}")
    dearest = found.by_line().most_common(lines)
    names = {place: _within(_where(place), game.compiled.texts.files) for place, _ in dearest}
    width = max(map(len, names.values()), default=0)
    say(f"\n  share  a decision  {'line':{width}}  what is written there")
    for place, steps in dearest:
        say(f"{share(steps)}  {names[place]:{width}}  {_text(game, place)[:TEXT]}".rstrip())


def _within(where: str, files: Iterable[str]) -> str:
    """A place, without the folder that all files lie in."""
    folder = str(Path(next(iter(files), "")).parent)
    return where.removeprefix(os.path.commonpath([folder, *(str(Path(f).parent) for f in files)]) + os.sep)


def _where(place: Place) -> str:
    return "-" if place.span == NOWHERE else f"{place.span.file}:{place.span.line}"


def _text(game: Game, place: Place) -> str:
    """The line of the rules, as its author wrote it."""
    lines = game.compiled.texts.files.get(place.span.file, "").splitlines()
    return lines[place.span.line - 1].strip() if 0 < place.span.line <= len(lines) else ""

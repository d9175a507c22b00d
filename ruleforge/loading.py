"""A name or path -> a Game: the road through all stages, with every complaint in one error."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ruleforge import pipeline
from ruleforge.backends import named
from ruleforge.backends.cache import Cache, key
from ruleforge.backends.named import check_backend
from ruleforge.check.types import NumberT
from ruleforge.diagnostics import NOWHERE, Diagnostic, Report
from ruleforge.engine.errors import RulesetError
from ruleforge.engine.game import BoardInfo, Game, GameInfo, OptionInfo, OptionValue
from ruleforge.engine.requirements import Questions
from ruleforge.names import did_you_mean
from ruleforge.resources import find_game, grammar_file, shipped_games

if TYPE_CHECKING:
    from ruleforge.check.typed import Checked, Geometry, Option
    from ruleforge.compiler.ir import Program

STAGES = ("source", "schema", "model", "dsl", "check", "compiler")


def load(name_or_path: str | Path, expansions: Sequence[str] = (), *, backend: str = "python") -> Game:
    """The game of this name (see `ruleforge games`) or at this path. Raises RulesetError.

    `backend` is `python` (generated functions), `native` (machine code, an extra) or `reference` (the slow
    oracle); all play the same game.
    """
    report = Report()
    check_backend(backend, report)
    path = find_rules(name_or_path, report)
    checked = pipeline.load(path, report) if path is not None else None
    for expansion in expansions:
        report.add("RF842", f"there is no expansion `{expansion}` of `{name_or_path}`", NOWHERE)
    if checked is None or report.has_errors:
        raise RulesetError(report.diagnostics)
    return game_from_checked(checked, backend)


def find_rules(name_or_path: str | Path, report: Report) -> Path | None:
    """Where the rules are: a path as it is, else the folder of a shipped game."""
    path = Path(name_or_path)
    if name_or_path != "" and path.exists():  # an empty text would be the folder we are in
        return path
    if isinstance(name_or_path, str) and "/" not in name_or_path and not path.suffix:
        found = find_game(name_or_path)
        if found is None:
            hint = did_you_mean(name_or_path, shipped_games()) or "`ruleforge games` lists what there is"
            report.add("RF842", f"there is no game `{name_or_path}`", NOWHERE, hint)
        return found
    return path  # reading it will complain in the right words


def game_from_checked(checked: Checked, backend: str = "python") -> Game:
    """A game from checked rules; programs are compiled when a game is started."""
    info = GameInfo(
        id=checked.name,
        title=checked.title,
        version=checked.version,
        text=checked.text,
        players=checked.players,
        options=tuple(_option(option) for option in checked.options.values()),
        digest=checked.digest,
        boards=tuple(_board(geometry) for geometry in checked.geometry.values()),
        words=checked.words,
    )
    runner = named.backend(backend)

    def make_program(players: int, options: dict[str, OptionValue], chance: bool) -> Program:
        wanted = (checked.files, players, sorted(options.items()), chance)
        kept = Cache(key((checked.digest.encode(), _stages()), wanted, ""))
        return kept.program(lambda: pipeline.program(checked, players, dict(options), chance))

    def make_questions(players: int, options: dict[str, OptionValue]) -> Questions:
        return Questions(*pipeline.questions(checked, players, dict(options)))

    return Game(info, make_program, runner, make_questions)


@cache
def _stages() -> bytes:
    """A digest of all that makes programs, so that others never meet the programs of these."""
    digest = hashlib.sha256(grammar_file().read_bytes())
    package = Path(__file__).parent
    for stage in STAGES:
        for file in sorted((package / stage).rglob("*.py")):
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.digest()


def program_of(
    checked: Checked, players: int | None, options: dict[str, OptionValue], chance: bool
) -> Program:
    """The program a game with these options runs. Raises StartError where it cannot be started so."""
    variant = game_from_checked(checked)._variant(
        checked.players[0] if players is None else players, options, "explicit" if chance else "sampled"
    )
    return variant.program


def generated_source(program: Program, part: str = "interned") -> str:
    """The Python that is run for a program; `part` is one of the backend's variants of it."""
    from ruleforge.backends.python_source.module import source

    return source(program, part)


def diagnostics_of(name_or_path: str | Path) -> tuple[Diagnostic, ...]:
    """Every complaint about a ruleset, warnings included."""
    report = Report()
    path = find_rules(name_or_path, report)
    if path is not None:
        pipeline.load(path, report)
    return report.diagnostics


def _board(geometry: Geometry) -> BoardInfo:
    kind = geometry.kind
    cells = {place: kind.things[cell - 1] for place, cell in geometry.at.items()}
    return BoardInfo(kind.name, geometry.shape, geometry.columns, geometry.rows, cells, geometry.north_first)


def _option(option: Option) -> OptionInfo:
    if option.kind is not None:
        values = tuple(option.kind.things)
        return OptionInfo(option.name, values[option.default - 1], values=values, text=option.text)
    if isinstance(option.type, NumberT):
        low, high = option.type.low, option.type.high
        return OptionInfo(option.name, option.default, low=low, high=high, text=option.text)
    return OptionInfo(option.name, bool(option.default), text=option.text)

"""A name or path -> a Game: the road through all stages, with every complaint in one error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from weakref import WeakValueDictionary

from ruleforge import pipeline
from ruleforge.backends.named import check_backend
from ruleforge.check.typed import Checked
from ruleforge.compiling import Compiled
from ruleforge.diagnostics import NOWHERE, Diagnostic, Report
from ruleforge.engine.errors import RestoreError, RulesetError
from ruleforge.engine.game import Game
from ruleforge.names import did_you_mean
from ruleforge.pipeline import Analysis, nothing_of
from ruleforge.resources import find_game, shipped_games


@dataclass(frozen=True, slots=True)
class LoadedFrom:
    """The name of a shipped game or an absolute path, and with what it was loaded; see engine.game.Origin."""

    where: str
    expansions: tuple[str, ...]
    backend: str

    def reopen(self, digest: str) -> Game:
        return _OPEN.get((self, digest)) or _opened_again(self, digest)


_OPEN: WeakValueDictionary[tuple[LoadedFrom, str], Game] = (
    WeakValueDictionary()
)  # games in use, by their rules


@lru_cache(maxsize=16)  # states come in many: the game is kept though each of them may go at once
def _opened_again(origin: LoadedFrom, digest: str) -> Game:
    game = load(origin.where, origin.expansions, backend=origin.backend)
    if game.digest != digest:
        raise RestoreError("RF822", f"the rules of `{origin.where}` have changed since this was pickled")
    return game


def load(name_or_path: str | Path, expansions: Sequence[str] = (), *, backend: str = "auto") -> Game:
    """The game of this name (see `ruleforge games`) or at this path. Raises RulesetError.

    `backend` is `python` (generated functions), `native` (machine code, an extra), `reference` (the slow oracle) or
    `auto` (what is recommended); all play the same game.
    """
    report = Report()
    check_backend(backend, report)
    analysis = analyse(name_or_path, expansions)
    report.include(*analysis.diagnostics)
    if analysis.checked is None or report.has_errors:
        raise RulesetError(report.diagnostics)
    shipped = isinstance(name_or_path, str) and not Path(name_or_path).exists()
    name = str(name_or_path) if shipped else str(analysis.path.absolute())
    return game_from_checked(analysis.checked, LoadedFrom(name, tuple(expansions), backend))


def analyse(
    name_or_path: str | Path, expansions: Sequence[str] = (), overlay: Mapping[str, str] | None = None
) -> Analysis:
    """All that can be known of rules, whatever mistakes are in them; `overlay` is unsaved text by file name."""
    report = Report()
    path = find_rules(name_or_path, report)
    for expansion in expansions:
        report.add("RF842", f"there is no expansion `{expansion}` of `{name_or_path}`", NOWHERE)
    if path is None:
        return nothing_of(Path(name_or_path), report)
    analysis = pipeline.analyse(path, overlay)
    report.include(*analysis.diagnostics)
    return replace(analysis, diagnostics=report.diagnostics)


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


def game_from_checked(checked: Checked, origin: LoadedFrom) -> Game:
    """A game from checked rules; programs are compiled when a game is started."""
    texts = {file: Path(file).read_text("utf-8-sig") for file in checked.files}
    game = Game(Compiled(checked, texts, origin.backend), origin)
    _OPEN[origin, game.digest] = game
    return game


def diagnostics_of(name_or_path: str | Path) -> tuple[Diagnostic, ...]:
    """Every complaint about a ruleset, warnings included."""
    return analyse(name_or_path).diagnostics

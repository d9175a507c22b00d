"""Loads the games of a suite, each set of packs once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from ruleforge.backends.artifacts.info import PackInfo
from ruleforge.engine.game import Game
from ruleforge.engine.loader import load
from ruleforge.project.locator import find_pack
from ruleforge.support.diagnostics import Report
from ruleforge.support.input_files import is_folder, strays
from ruleforge.tools.scenarios.locator import Suite
from ruleforge.tools.scenarios.scenario import Scenario

Load = Callable[[Path, tuple[str | Path, ...]], Game]  # as `loading.load`


class Tables:
    """The game of a suite, with the packs of the suite, those asked for, and those a scenario names itself."""

    def __init__(self, suite: Suite, packs: tuple[str | Path, ...] = (), load: Load = load) -> None:
        self._suite = suite
        self._rules = suite.rules
        self._homes = (suite.rules, *(pack.parent for pack in suite.packs))
        self._own = suite.packs
        self._packs: tuple[str | Path, ...] = (*suite.packs, *packs)
        self._load = load
        self._games: dict[tuple[str | Path, ...], Game] = {}

    def game(self, scenario: Scenario | None = None, file: Path | None = None) -> Game:
        """Raises RulesetError if the rules have a mistake."""
        packs = tuple(dict.fromkeys((*self._packs, *self._named_by(scenario, file))))
        if packs not in self._games:
            self._games[packs] = self._load(self._rules, packs)
        return self._games[packs]

    def unknown_packs(self, scenario: Scenario, file: Path) -> frozenset[str]:
        """The packs at the table that neither the suite nor the scenario names."""
        names = (*self._own, *self._named_by(scenario, file))
        known = (find_pack(name, self._rules, Report()) for name in names)
        folders = {folder.resolve() for folder in known if folder}
        packs = self.game(scenario, file).info.packs
        return frozenset(pack.id for pack in packs if not _lies_in(pack, folders))

    @property
    def extra_packs(self) -> tuple[str, ...]:
        """The packs beside those of the suite, by name."""
        return tuple(Path(pack).name for pack in self._packs[len(self._own) :])

    @cached_property
    def alone(self) -> Tables:
        """The same without the packs that were asked for."""
        return Tables(self._suite, load=self._load)

    def _named_by(self, scenario: Scenario | None, file: Path | None) -> tuple[str | Path, ...]:
        return tuple(self._seen_from(file, name) for name in scenario.packs) if scenario and file else ()

    def _seen_from(self, file: Path, name: str) -> str | Path:
        """A folder beside the rules as the scenario's author sees it, a pack that is there anyway, else a name."""
        folder, last = file.parent / name, Path(name).name
        if is_folder(folder) and not all(strays(folder, home) for home in self._homes):
            return folder
        return next((pack for pack in self._packs if Path(pack).name == last), last)


def _lies_in(pack: PackInfo, folders: set[Path]) -> bool:
    return any(folder in Path(file).resolve().parents for file in pack.files for folder in folders)

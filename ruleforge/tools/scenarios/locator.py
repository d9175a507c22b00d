"""Finds the scenario files to test, and loads each set of packs once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from ruleforge.backends.artifacts.info import PackInfo
from ruleforge.engine.game import Game
from ruleforge.engine.loader import load
from ruleforge.lang.source.folder import SUFFIXES, has_no_rules
from ruleforge.lang.source.read_text import not_read
from ruleforge.lang.source.tree import MappingNode
from ruleforge.lang.source.yaml_reader import read_yaml_file
from ruleforge.project.locator import core_of, find_pack, find_rules, is_pack
from ruleforge.project.pack_archive import is_archive
from ruleforge.support.diagnostics import NOWHERE, Report
from ruleforge.support.input_files import (
    Unreadable,
    files_below,
    is_file,
    is_folder,
    real_path,
    sort_of,
    strays,
)
from ruleforge.support.records import dataclass
from ruleforge.tools.scenarios.scenario import Scenario

FOLDER = "scenarios"
Load = Callable[[Path, tuple[str | Path, ...]], Game]  # as `loading.load`


@dataclass(frozen=True, slots=True)
class Suite:
    """The scenario files of one game, or of a pack of it."""

    rules: Path
    files: tuple[Path, ...]
    packs: tuple[Path, ...] = ()
    home: Path | None = None  # the folder they were found in; a file that was named may lie anywhere


def find_suite(
    what: str, report: Report, rules: str | None = None, packs: tuple[str, ...] = ()
) -> Suite | None:
    """A name or folder of a game or pack stands for all its scenarios; a scenario file or folder for itself.

    Rules are found beside the folder `scenarios` unless they are named; else they are those the packs were made for.
    """
    path = Path(what)
    there = sort_of(path) is not None if what else False
    if there and not is_archive(path) and (is_file(path) or path.name == FOLDER or rules is not None):
        files = (path,) if not is_folder(path) else _yaml_files(path, report)
        home = None if _is_game(path, report) else _rules_of(path, rules, packs, report)
    else:
        home = find_rules(what, report)
        files = _yaml_files(home / FOLDER, report) if home is not None else ()
    if home is None or report.has_errors:
        return None
    if not files and has_no_rules(home, report):
        return None
    if not files:
        report.add("RF850", f"there are no scenarios of `{what}`", NOWHERE, f"put them into {home / FOLDER}")
        return None
    found_in = home if path not in files else None
    if not is_pack(home):
        return Suite(home, files, (), found_in)
    core = core_of(home, report)
    return None if core is None else Suite(core, files, (home,), found_in)


def _is_game(path: Path, report: Report) -> bool:
    """Reports a file of rules, which stands for no scenario."""
    file = read_yaml_file(path, Report()) if is_file(path) else None
    game = file.root.get("game") if file is not None else None
    if not isinstance(game, MappingNode):
        return False
    help = f"name the folder that contains it and `{FOLDER}`, or scenarios and `--game {path}`"
    report.add("RF850", f"`{path}` is a game, not a scenario", NOWHERE, help)
    return True


def _rules_of(path: Path, rules: str | None, packs: tuple[str, ...], report: Report) -> Path | None:
    if rules is not None:
        return find_rules(rules, report)
    folder = path if is_folder(path) else path.parent
    for above in (folder, *Path(real_path(folder)).parents):
        if above.name == FOLDER:
            return above.parent
    for pack in packs:
        found = find_rules(pack, Report())
        if found is not None and is_pack(found):
            return core_of(found, report)
    report.add("RF850", f"which game `{folder}` belongs to is not clear", NOWHERE, "name it with --game")
    return None


def _yaml_files(folder: Path, report: Report) -> tuple[Path, ...]:
    if not is_folder(folder):
        return ()
    try:
        return tuple(sorted(files_below(folder, SUFFIXES)))
    except Unreadable as problem:
        not_read(folder, problem, report)
        return ()


# Loads the games of a suite, each set of packs once.


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

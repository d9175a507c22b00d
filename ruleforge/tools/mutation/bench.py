"""Runs scenarios against one mutant at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from ruleforge.backends.artifacts.compiled import Unkept, same_play
from ruleforge.backends.artifacts.setup import Setup
from ruleforge.compiler.trace_marks import FORMULA
from ruleforge.engine.errors import RulesetError
from ruleforge.engine.game import Game
from ruleforge.engine.loader import opened
from ruleforge.lang.source.tree import SourceFile
from ruleforge.project.locator import find_pack
from ruleforge.project.pipeline import Analysis, own_files
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import Report, Span
from ruleforge.support.records import dataclass
from ruleforge.tools.coverage.cover import Cover
from ruleforge.tools.coverage.items import items_of
from ruleforge.tools.mutation.all_mutants import mutants_of
from ruleforge.tools.mutation.mutant import Mutant
from ruleforge.tools.mutation.scenario_selection import (
    FormulaDependencies,
    Promising,
    Touched,
    around,
    beside,
    smallest_around,
    touched_by,
)
from ruleforge.tools.scenarios.locator import Tables
from ruleforge.tools.scenarios.suites import Case, Suites, play_case

FEW = 25  # scenarios that the interpreter has played before it is worth while to generate Python
REFUSED, NOTICED, SURVIVED, SAME = "refused", "noticed", "survived", "same"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a mutant; `by` is the digest of the scenario that failed, `passed` are those that passed."""

    what: str
    by: str = ""
    passed: frozenset[str] = frozenset()


class Bench:
    """The rules as they are, with all that is needed to try changes of them."""

    def __init__(self, name: str, suites: Suites, touched: Mapping[str, Touched] | None = None) -> None:
        """`touched` says what each scenario touches, by its digest, where that is known. Raises RulesetError."""
        self.name, self.suites = name, suites
        self._bases: dict[tuple[str | Path, ...], Analysis] = {}
        self.rules = suites.suites[0].rules
        self._own: tuple[str | Path, ...] = (*suites.suites[0].packs, *suites.packs)
        self.analysis = self._base(self._own)
        if not self.analysis.complete:
            raise RulesetError(self.analysis.diagnostics)
        self.cover: Cover | None = None  # what the scenarios run, where they had to be played for it
        self.failing: tuple[Case, ...] = ()  # those that do not hold as it is
        self.apart: tuple[Case, ...] = ()  # those that hold only without packs which they do not name
        if touched is None:
            self.cover, touched, failing = touched_by(self.analysis, name, suites)
            names = {file.path for file in self.files}
            self.cover.items = tuple(item for item in self.cover.items if item.span.file in names)
            self.apart = suites.holding_alone(failing)
            self.failing = tuple(case for case in failing if case not in self.apart)
            touched = {
                digest: t for digest, t in touched.items() if digest not in {c.digest for c in self.apart}
            }
        self.touched = touched
        self.suites = suites = replace(suites, cases=tuple(c for c in suites.cases if c.digest in touched))
        self._promising = Promising(suites.cases)
        self._texts = {file.path: file.content for file in self.files}
        self._roots = {file.path: file.root for file in self.files}

    def _base(self, packs: tuple[str | Path, ...]) -> Analysis:
        key = tuple(sorted({self._folder(pack) for pack in packs}))
        if key not in self._bases:
            self._bases[key] = analyse(self.rules, key)
        return self._bases[key]

    def _folder(self, pack: str | Path) -> Path:
        return (find_pack(pack, self.rules, Report()) or Path(pack)).resolve()

    # --- changes ---

    @property
    def packs(self) -> tuple[Path, ...]:
        """The folders of the packs that are at the table."""
        return tuple(reading.path for reading in self.analysis.packs)

    @cached_property
    def files(self) -> tuple[SourceFile, ...]:
        """The files that are changed: those of the game or pack that is asked for, and of the packs it is taken with."""
        first = own_files(self.analysis, self.suites.suites[0].packs)
        more = (own_files(self.analysis, suite.packs) for suite in self.suites.suites[1:])
        return tuple(dict.fromkeys((*first, *(file for files in more for file in files))))

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        return mutants_of(self.analysis, self.files)

    def text(self, mutant: Mutant) -> str:
        """The file that a change is made in, as it is."""
        return self._texts[mutant.span.file]

    def _overlay(self, mutant: Mutant) -> dict[str, str]:
        file, home = Path(mutant.span.file).resolve(), self.rules.resolve()
        if file == home:
            name = file.name
        else:
            name = file.relative_to(home).as_posix() if file.is_relative_to(home) else str(file)
        return {name: mutant.applied(self.text(mutant))}

    # --- judging ---

    def judge(self, mutant: Mutant, passed: frozenset[str] = frozenset()) -> Verdict:
        """Play scenarios that touch what is changed until one notices; `passed` are known not to."""
        overlay = self._overlay(mutant)
        edited = self.analysis.edited(overlay)
        if not edited.complete:
            return Verdict(REFUSED)
        changed = {self._key(self._own): edited}
        made: dict[tuple[tuple[Path, ...], str], Game] = {}

        def load(backend: str) -> Callable[[Path, tuple[str | Path, ...]], Game]:
            def one(_: Path, packs: tuple[str | Path, ...]) -> Game:
                key = self._key(packs)
                if key not in changed:
                    changed[key] = self._base(packs).edited(overlay)
                made[key, backend] = game = opened(changed[key], self.name, backend, make=Unkept)
                if backend == "python" and (before := made.get((key, "reference"))):
                    _unkept(game).take_programs(_unkept(before))
                return game

            return one

        plain, quick = (self.suites.tables(load(backend)) for backend in ("reference", "python"))
        cases = self.cases(mutant, passed)
        for number, case in enumerate(cases):
            tables = plain if number < FEW or len(cases) < 2 * FEW else quick
            if self._notices(tables, case):
                self._promising.noticed(mutant, case)
                return Verdict(NOTICED, case.digest)
        ran = passed | {case.digest for case in cases}
        game = plain[0].game()
        return Verdict(SAME if self._is_same(game) else SURVIVED, "", ran)

    def _key(self, packs: tuple[str | Path, ...]) -> tuple[Path, ...]:
        return tuple(sorted({self._folder(pack) for pack in packs}))

    def cases(self, mutant: Mutant, passed: frozenset[str]) -> list[Case]:
        """Those that touch what is changed and may notice it, the most promising first."""
        part = smallest_around(mutant.span, self._everything)
        near = beside(mutant.span, self._roots[mutant.span.file], self._everything) | {part}
        near |= around(mutant.span, self._formulas)
        touching = [
            case
            for case in self.suites.cases
            if part is None
            or near & self.touched[case.digest]
            or mutant.inside in self._dependencies[case.digest]
        ]
        left = [case for case in touching if case.digest not in passed]
        return self._promising.sorted(mutant, self.text(mutant), left)

    @cached_property
    def _dependencies(self) -> dict[str, frozenset[str]]:
        """The definitions that the expectations of each scenario ask, by its digest."""
        assert self.analysis.checked is not None
        dependencies = FormulaDependencies(self.analysis.checked)
        return {case.digest: dependencies.definitions(case.scenario) for case in self.suites.cases}

    @cached_property
    def _formulas(self) -> Touched:
        """The places of formulas: each evaluation of a formula is recorded, unlike its parts."""
        assert self.analysis.checked is not None
        return frozenset(item.span for item in items_of(self.analysis.checked) if item.kind == FORMULA)

    @cached_property
    def _everything(self) -> Touched:
        """All that any scenario touches."""
        return frozenset[Span]().union(*self.touched.values())

    def _notices(self, tables: tuple[Tables, ...], case: Case) -> bool:
        try:
            return bool(play_case(tables, case))
        except Exception:  # a change may raise any error: the original rules do not
            return True

    # --- programs that say the same ---

    @cached_property
    def _game(self) -> Game:
        return opened(self.analysis, self.name, "reference", make=Unkept)

    def _is_same(self, other: Game) -> bool:
        """Does a change make no difference to any program that scenarios are played with?"""
        return all(same_play(_unkept(self._game).program(s), _unkept(other).program(s)) for s in self._setups)

    @cached_property
    def _setups(self) -> tuple[Setup, ...]:
        """How scenarios of the game alone start, and every number of players; with packs there may be more of both."""
        compiled = self._game.compiled
        found = {
            compiled.setup(players)
            for players in range(compiled.info.players[0], compiled.info.players[1] + 1)
        }
        for scenario in (case.scenario for case in self.suites.cases if not case.scenario.packs):
            chance = "explicit" if scenario.is_scripted else "sampled"
            found.add(compiled.setup(scenario.players, scenario.options, chance))
        return tuple(sorted(found, key=repr))


def _unkept(game: Game) -> Unkept:
    assert isinstance(game.compiled, Unkept)
    return game.compiled

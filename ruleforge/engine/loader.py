"""The loader makes a `Game` from a name or a path; all diagnostics of all stages come in one error."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from weakref import WeakValueDictionary

from ruleforge.backends import registry
from ruleforge.backends.artifacts.compiled import Compiled
from ruleforge.backends.artifacts.info import PackInfo
from ruleforge.backends.registry import check_backend
from ruleforge.contracts.contract_reader import contract_of
from ruleforge.contracts.gate import gate_of
from ruleforge.contracts.model import Contract
from ruleforge.engine.errors import RestoreError, RulesetError
from ruleforge.engine.game import Game
from ruleforge.lang.checker.typed import Checked
from ruleforge.project.pipeline import Analysis, PackReading
from ruleforge.project.resolver import analyse
from ruleforge.support.ceilings import CEILINGS, Ceilings
from ruleforge.support.diagnostics import Report
from ruleforge.support.input_files import sort_of
from ruleforge.support.records import dataclass

BACKENDS = tuple(registry.BACKENDS)
best_for_many_games = registry.best_for_many_games
Make = Callable[[Checked, Mapping[str, str], str, tuple[PackInfo, ...]], Compiled]


@dataclass(frozen=True, slots=True)
class LoadedFrom:
    """The name of a shipped game or an absolute path, and with what it was loaded; see engine.game.Origin."""

    where: str
    expansions: tuple[str, ...]
    backend: str
    ceilings: Ceilings = CEILINGS
    observe: bool = False

    def reopen(self, digest: str, key: str) -> Game:
        return _OPEN.get(key) or _opened_again(self, digest)


_OPEN: WeakValueDictionary[str, Game] = WeakValueDictionary()  # games in use


@lru_cache(maxsize=16)  # states come in many: the game is kept though each of them may go at once
def _opened_again(origin: LoadedFrom, digest: str) -> Game:
    game = load(
        origin.where,
        origin.expansions,
        backend=origin.backend,
        ceilings=origin.ceilings,
        observe=origin.observe,
    )
    if game.digest != digest:
        raise RestoreError("RF822", f"the rules of `{origin.where}` have changed since this was pickled")
    return game


def load(
    name_or_path: str | Path,
    expansions: Sequence[str | Path] = (),
    *,
    backend: str = "auto",
    ceilings: Ceilings = CEILINGS,
    observe: bool = False,
) -> Game:
    """Load a game by name (see `ruleforge games`) or path. Raises RulesetError.

    `backend` is `python` (generated functions), `native` (machine code, an extra), `reference` (a slow interpreter)
    or `auto`, which switches from `python` to `native` for slow games. All give the same games. `ceilings` are limits
    of the host. With `observe`, packs may break the contract of the core, and the breaches are recorded.
    """
    report = Report()
    check_backend(backend, report)
    analysis = analyse(name_or_path, expansions, ceilings=ceilings)
    report.include(*analysis.diagnostics)
    if report.has_errors:
        raise RulesetError(report.diagnostics)
    return opened(analysis, name_or_path, backend, observe)


def opened(
    analysis: Analysis,
    name_or_path: str | Path,
    backend: str = "auto",
    observe: bool = False,
    make: Make = Compiled,
) -> Game:
    """The game of an analysis, which was asked for by this name or path. Raises RulesetError if it is not complete.

    `make` says what its rules are compiled by.
    """
    if not analysis.complete:
        raise RulesetError(analysis.diagnostics)
    shipped = isinstance(name_or_path, str) and sort_of(Path(name_or_path)) is None
    name = str(name_or_path) if shipped else str(analysis.path.absolute())
    packs = tuple(str(reading.path.absolute()) for reading in analysis.packs)
    return game_from_analysis(analysis, LoadedFrom(name, packs, backend, analysis.ceilings, observe), make)


def game_from_analysis(analysis: Analysis, origin: LoadedFrom, make: Make = Compiled) -> Game:
    """A game from complete rules; programs are compiled when a game is started."""
    assert analysis.source is not None and analysis.checked is not None
    trees = (analysis.source, *(reading.source for reading in analysis.packs))
    texts = {file.path: file.content for tree in trees for file in tree.files}
    infos = (_pack_info(reading, analysis) for reading in analysis.packs)
    packs = tuple(sorted(infos, key=lambda pack: pack.id))
    checked = _under_contract(analysis, analysis.checked, origin.observe)
    game = Game(make(checked, texts, origin.backend, packs), origin)
    _OPEN[game.key] = game
    return game


def _under_contract(analysis: Analysis, checked: Checked, observe: bool) -> Checked:
    """The rules with all that the contract of the core keeps up in play; observed packs have the core's chain limit."""
    contract = contract_of(analysis.path)
    if contract is not None and contract.mistakes and analysis.packs:
        raise RulesetError(contract.mistakes)
    checked = replace(checked, gate=gate_of(analysis, contract, observe))
    return checked if observe else _with_chain_limit(checked, contract)


def _with_chain_limit(checked: Checked, contract: Contract | None) -> Checked:
    """A chain of effects is as long as the contract of the core lets it be; a ruleset may say less."""
    if contract is None or contract.fuse is None:
        return checked
    chain = min(contract.fuse, checked.limits.get("chain", contract.fuse))
    return replace(checked, limits={**checked.limits, "chain": chain})


def _pack_info(reading: PackReading, analysis: Analysis) -> PackInfo:
    manifest = reading.pack.manifest
    files = tuple(file.path for file in reading.source.files)
    names = analysis.assembly.names.get(manifest.id, {}) if analysis.assembly else {}
    return PackInfo(manifest.id, manifest.title or manifest.id, manifest.version, files, names)

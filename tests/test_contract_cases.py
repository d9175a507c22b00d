"""The cases of the contracts: `packs/GAME/CASE` is a pack, `CASE.yaml` beside it says what is to be found in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import yaml

import ruleforge
from ruleforge.resources import shipped_games

PACKS = Path(__file__).parent / "packs"
# What the contract judges although the rules cannot be put together: another version, a definition of the core that is
# declared again or written to, printed material that a check of the core refuses.
OF_THE_CONTRACT = {"RF331", "RF333", "RF505", "RF506", "RF601", "RF720"}


@dataclass(frozen=True)
class Case:
    """One pack and what is expected of it."""

    game: str
    name: str
    verdict: str
    faults: tuple[tuple[frozenset[str], frozenset[str]], ...]  # clauses, places

    @property
    def folder(self) -> Path:
        return PACKS / self.game / self.name


def read(file: Path) -> Case:
    found = yaml.safe_load(file.read_text())
    faults = [
        (frozenset(fault["clauses"]), frozenset([at] if isinstance(at := fault["at"], str) else at))
        for fault in found.get("faults", ())
    ]
    return Case(file.parent.name, file.stem, found["verdict"], tuple(faults))


CASES = [read(file) for file in sorted(PACKS.glob("*/*.yaml"))]
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}/{case.name}")


@cache
def diagnostics(folder: Path) -> tuple[tuple[str, str], ...]:
    """Code and place (a file of the pack, or of the core, and its line) of everything that validation says."""
    return tuple(
        (d.code, f"{Path(d.span.file).name}:{d.span.line}") for d in ruleforge.analyse(folder).diagnostics
    )


def test_every_case_has_its_pack_and_every_pack_its_case():
    folders = {path for path in PACKS.glob("*/*") if path.is_dir()}
    assert folders == {case.folder for case in CASES}
    assert {case.game for case in CASES} <= set(shipped_games())


@each_case
def test_a_case_is_about_the_contract_and_nothing_else(case):
    codes = {code for code, _ in diagnostics(case.folder)}
    if case.verdict == "accepted":
        assert codes == set()
    elif case.verdict == "rejected":
        assert codes <= OF_THE_CONTRACT
    else:
        assert codes - OF_THE_CONTRACT

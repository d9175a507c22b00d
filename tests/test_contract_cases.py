"""The cases of the contracts: `packs/GAME/CASE` is a pack, `CASE.yaml` beside it says what is to be found in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import ruleforge
from ruleforge.contracts.judgement import Fault, Judgement
from ruleforge.lang.checker.walk import phases_of
from ruleforge.project.locator import packs_of
from ruleforge.project.pipeline import Analysis
from ruleforge.support.resources import shipped_games
from tests.plain_yaml import data_of
from tests.shelf import rules

PACKS = Path(__file__).parent / "packs"
SHIPPED = [path / "expansions" / name for path in shipped_games().values() for name in packs_of(path)]


@dataclass(frozen=True)
class Expected:
    """A fault: clauses that it cites at least, and all its places, each a file and a line; in company after the pack.

    Where `help` is given it is the repair, word for word.
    """

    clauses: frozenset[str]
    places: frozenset[str]
    help: str = ""

    def is_found_in(self, fault: Fault) -> bool:
        helped = not self.help or self.help == fault.repair
        return (
            helped and self.clauses <= set(fault.clauses) and self.places in (places(fault), places(fault, 2))
        )


@dataclass(frozen=True)
class Case:
    """One pack and what is expected of it, alone and beside another."""

    folder: Path
    verdict: str
    faults: tuple[Expected, ...]
    together: tuple[Path, ...] = ()
    clashes: tuple[Expected, ...] = ()

    def __str__(self) -> str:
        return f"{self.folder.parent.name}/{self.folder.name}"


def places(fault: Fault, parts: int = 1) -> frozenset[str]:
    return frozenset(f"{'/'.join(Path(span.file).parts[-parts:])}:{span.line}" for span in fault.places)


def read(file: Path) -> Case:
    found = data_of(file)
    company = found.get("together", {})
    others = tuple(file.parent / name for name in company.get("with", ()))
    faults, clashes = expected(found.get("faults", ())), expected(company.get("faults", ()))
    return Case(file.with_suffix(""), found["verdict"], faults, others, clashes)


def expected(faults: Iterable[dict[str, Any]]) -> tuple[Expected, ...]:
    return tuple(
        Expected(
            frozenset(f["clauses"]),
            frozenset([f["at"]] if isinstance(f["at"], str) else f["at"]),
            f.get("help", ""),
        )
        for f in faults
    )


def shown(faults: Iterable[Fault]) -> str:
    return "\n".join(f"{sorted(places(f))} {f.code} {f.clauses}: {f.why} ({f.repair})" for f in faults)


def compare(wanted: tuple[Expected, ...], faults: tuple[Fault, ...]) -> None:
    """Each fault that is wanted is found, and nothing else."""
    assert all(any(one.is_found_in(fault) for fault in faults) for one in wanted), shown(faults)
    assert len(wanted) == len(faults), shown(faults)


def advised_phases(found: Judgement) -> set[str]:
    """`limit: once per turn` is no help in a game without turns."""
    advice = [fault.repair or "" for fault in (*found.faults, *found.warnings)]
    return {word for text in advice for word in re.findall(r"once per (\w+)", text)}


def phases(core: Analysis) -> set[str]:
    assert core.checked is not None
    return {phase.name for phase in phases_of(core.checked.flow)} | {"game"}


def core_of(case: Path) -> Analysis:
    """The core alone, read once for all of its cases."""
    return rules(case.parent.name)


CASES = [read(file) for file in sorted(PACKS.glob("*/*.yaml"))]


def test_every_case_has_its_pack_and_every_pack_its_case():
    assert {path for path in PACKS.glob("*/*") if path.is_dir()} == {case.folder for case in CASES}
    assert {case.folder.parent.name for case in CASES} == {
        name for name, path in shipped_games().items() if packs_of(path)
    }


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_case_has_its_verdict_for_its_reasons(case):
    found = ruleforge.judge(case.folder, before=core_of(case.folder))
    compare(case.faults, found.faults)
    assert found.verdict == case.verdict
    assert json.loads(str(found))["verdict"] == case.verdict
    assert advised_phases(found) <= phases(core_of(case.folder))


@pytest.mark.parametrize("case", [case for case in CASES if case.together], ids=str)
def test_what_is_fine_alone_may_clash_in_a_pack_set(case):
    found = ruleforge.judge(case.folder, list(case.together), before=core_of(case.folder))
    assert found.together is not None
    compare(case.clashes, found.together.faults)


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_what_ships_keeps_the_contract_of_its_core(folder):
    found = ruleforge.judge(folder, before=rules(folder.parent.parent.name))
    assert found.verdict == "accepted", shown(found.faults)

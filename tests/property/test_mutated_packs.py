"""Packs that keep their contract, changed in one place: each gets a verdict, and what is kept is kept in play."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import ruleforge
from tests.mutated_packs import Mutant, can_be_changed, mutants
from tests.observed_packs import keeping

JUDGED, PLAYED, DECISIONS = 20, 6, 120


KEEPING = [folder for folder in keeping() if can_be_changed(folder)]


def drawn(count: int, seed: int) -> list[Path]:
    """Some packs, always the same for a seed."""
    return Random(seed).sample(KEEPING, count)


def mutant_of(folder: Path) -> Mutant:
    return Random(folder.name).choice(list(mutants(folder)))


@pytest.mark.parametrize("folder", drawn(JUDGED, 1), ids=lambda folder: folder.name)
def test_every_mutant_gets_a_verdict_with_its_reasons(folder, tmp_path):
    found = ruleforge.judge(mutant_of(folder).write(tmp_path))
    assert found.verdict in ("accepted", "rejected", "invalid")
    assert (found.verdict == "accepted") is (found.faults == ())
    for fault in found.faults:
        assert fault.why and fault.places
        assert fault.clauses or fault.answer == "invalid"


@pytest.mark.parametrize("folder", drawn(PLAYED, 2), ids=lambda folder: folder.name)
def test_what_is_said_to_be_kept_can_be_played(folder, tmp_path):
    mutant = mutant_of(folder).write(tmp_path)
    found = ruleforge.judge(mutant)
    if found.verdict == "accepted":
        rng = Random(0)
        state = ruleforge.load(found.core.split()[0], [mutant], observe=True).start(seed=0)
        for _ in range(DECISIONS):
            if state.outcome is not None:
                break
            assert [broken for broken in state.violations() if not broken.startswith("breach ")] == []
            state.apply(rng.choice(state.choices))
        assert [breach for breach in state.breaches if breach.proved] == []

"""The five cores are as they were locked; changed rules need a new version, or a new lock before it is published."""

import pytest

import ruleforge
from ruleforge.contracts.contract_reader import contract_of
from ruleforge.contracts.locks.fingerprint import fingerprint
from ruleforge.contracts.locks.lockfile import lock_path, read_lock
from ruleforge.project.locator import packs_of
from ruleforge.support.diagnostics import Report
from ruleforge.support.resources import shipped_games
from tests.unit.frontends.commands import Command

CORES = {name: path for name, path in shipped_games().items() if packs_of(path)}


def test_there_are_five():
    assert len(CORES) == 5


@pytest.mark.parametrize("core", CORES)
def test_a_core_is_as_it_was_locked(core):
    report = Report()
    locked = read_lock(lock_path(CORES[core]), report)
    assert locked is not None and not report.has_errors
    analysis = ruleforge.analyse(core)
    assert analysis.assembly is not None and analysis.parsed is not None
    now = fingerprint(analysis.assembly.core, analysis.parsed, contract_of(CORES[core]))
    changes = [str(change) for change in locked.changes(now)]
    assert locked.version == now.version and not changes, (
        f"the rules of {core} are not those that were locked as version {locked.version}: {', '.join(changes)}. "
        f"Give it a new version and run `ruleforge lock {core}`; "
        f"for a version that was never published, `ruleforge lock {core} --replace`"
    )


@pytest.mark.parametrize("core", CORES)
def test_the_command_finds_the_same(core, capsys):
    done = Command(capsys)("lock", core, "--check")
    assert done.code == 0, done.out
    assert "matches its lock file" in done.out

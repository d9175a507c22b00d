"""One server for all tests of a process, and copies of games to edit."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ruleforge.support.resources import shipped_games
from tests.unit.frontends.lsp.client import Talk


@pytest.fixture(scope="session")
def talk() -> Iterator[Talk]:
    found = Talk()
    yield found
    found.end()


@pytest.fixture
def copied(tmp_path: Path) -> Callable[..., Path]:
    """A shipped game in a folder of its own, with those of its packs that are named."""

    def copy(name: str, *packs: str) -> Path:
        shelf = Path("expansions")
        folder = shipped_games()[name]
        found = Path(shutil.copytree(folder, tmp_path / name, ignore=shutil.ignore_patterns(str(shelf))))
        for pack in packs:
            shutil.copytree(folder / shelf / pack, found / shelf / pack)
        return found

    return copy

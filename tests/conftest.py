"""How tests are run: game by game, with the same examples where results must be comparable, and Ctrl-C is heard."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import settings

from ruleforge.support.resources import shipped_games
from tests.elsewhere import Elsewhere

MANY = 20_000  # new objects that are worth a collection

os.environ["RULEFORGE_PACKS"] = ""  # packs that the user has installed are none of the tests' business

settings.register_profile("comparable", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("comparable")

# Started in the background, tests would ignore Ctrl-C, and so would the programs that they start and end by it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    with suppress(ValueError):  # not the main thread, which alone may say so
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def elsewhere() -> Iterator[Elsewhere]:
    """Another process, for all tests that want one."""
    with Elsewhere() as process:
        yield process


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one game run together, whichever file they are in: it is read and compiled once (`shelf.py`).

    Slow ones come first: one that begins last leaves all processors idle but its own.
    """
    games = {name: number for number, name in enumerate(shipped_games())}

    def place(item: pytest.Item) -> tuple[bool, int]:
        found = (games[word] for word in _words(item) if word in games)
        return item.get_closest_marker("slow") is None, min(found, default=len(games))

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """Most of what a test makes goes with it, so that is collected once, after the test, while it is young.

    What all tests share, imported modules above all, stays to the end and is never looked through.
    """
    gc.freeze()
    gc.set_threshold(500_000, 20, 5)


def pytest_runtest_logfinish() -> None:
    if gc.get_count()[0] > MANY:
        gc.collect(0)


def _words(item: pytest.Item) -> Iterator[str]:
    """What a test is given, and what its file is named after: names, also as a part of a path or of a tuple."""
    yield item.path.stem.removeprefix("test_").replace("_", "-")
    given = getattr(item, "callspec", None)
    todo: list[object] = list(given.params.values()) if given else []
    while todo:
        match todo.pop():
            case str(text):
                yield from (text, text.partition(":")[0], *text.split("/"))
            case Path() as path:
                yield from path.parts
            case tuple(parts):
                todo += parts

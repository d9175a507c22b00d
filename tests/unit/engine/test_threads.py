"""A host loads games in several threads: its other threads notice nothing of it."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import ruleforge
from ruleforge.support.resources import shipped_games

LOADERS = 6
WORKERS = 4


def _numbers() -> Iterator[int]:
    """Gives time to other threads, so that one of them can meet a tuple that is not finished."""
    for number in range(11):
        time.sleep(0.001)
        yield number


def _work(finished: threading.Event) -> None:
    """Builds tuples and sees that nobody has changed how the process collects garbage."""
    policy = gc.get_threshold()
    while not finished.is_set():
        assert tuple(_numbers()) == tuple(range(11))
        assert gc.isenabled() and gc.get_threshold() == policy


def test_six_threads_load_all_games_while_others_work() -> None:
    finished = threading.Event()
    with ThreadPoolExecutor(WORKERS) as others, ThreadPoolExecutor(LOADERS) as pool:
        work = [others.submit(_work, finished) for _ in range(WORKERS)]
        loads = [pool.submit(ruleforge.load, name) for name in shipped_games()]
        errors = [load.exception() for load in loads]
        finished.set()
        errors += [each.exception() for each in work]
    assert errors == [None] * (len(loads) + WORKERS)


def test_one_module_decides_how_a_process_collects_garbage_and_ends() -> None:
    """A library that does so decides it for its host; only commands and the language server come here."""
    package = Path(ruleforge.__file__).parent
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if any(
            sign in path.read_text("utf-8") for sign in ("import gc\n", "from gc ", "os._exit", "_exitfuncs")
        )
    }
    assert found == {"frontends/process.py"}

"""Runs tasks in other processes of this machine; a crashed process is replaced."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

T = TypeVar("T")
TRIES = 3  # of one task, each in a new process

# Never a copy of this process: it may have threads, of the compiler of machine code among others, which a copy has
# not and waits for. mypy knows contexts only by name.
_WAY = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
_PROCESSES: Any = multiprocessing.get_context(_WAY)


class CannotPlay(Exception):
    """The workers cannot play, with the reason."""


def spread(tasks: Sequence[Callable[[], T]], jobs: int) -> Generator[tuple[int, T], None, None]:
    """Each task's number and result, as they are done. Leaving early, by an interruption too, ends the processes.

    An exception in a task is raised here. Raises CannotPlay.
    """
    if _WAY == "forkserver":
        _PROCESSES.set_forkserver_preload(["ruleforge.tools.experiments.parts"])
    workers = Workers(tasks, min(jobs, len(tasks)))
    try:
        yield from workers.run()
    finally:
        workers.end()


class Workers(Generic[T]):
    """Processes that are handed one task after the other."""

    def __init__(self, tasks: Sequence[Callable[[], T]], count: int) -> None:
        self._tasks = tasks
        self._left = deque(range(len(tasks)))
        self._tries = [0] * len(tasks)
        self._busy: dict[Connection, tuple[BaseProcess, int]] = {}
        self._count = count

    def run(self) -> Iterator[tuple[int, T]]:
        for _ in range(self._count):
            self._begin()
        while self._busy:
            for found in wait(list(self._busy)):
                assert isinstance(found, Connection)
                yield from self._received(found)

    def _begin(self) -> None:
        ours, theirs = _PROCESSES.Pipe()
        process = _PROCESSES.Process(target=_work, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        self._hand(ours, process)

    def _hand(self, to: Connection, process: BaseProcess) -> None:
        """The next task, or the news that there is none."""
        number = self._left.popleft() if self._left else None
        with suppress(OSError):  # it is gone: its end is heard next
            to.send(None if number is None else self._tasks[number])
        if number is None:
            to.close()
            process.join()
        else:
            self._tries[number] += 1
            self._busy[to] = process, number

    def _received(self, source: Connection) -> Iterator[tuple[int, T]]:
        process, number = self._busy.pop(source)
        try:
            result = source.recv()
        except (EOFError, OSError):
            source.close()
            process.join()
            self._died(number)
            return
        if isinstance(result, Exception):
            self._busy[source] = process, number  # to be ended with the others
            raise result
        self._hand(source, process)
        yield number, result

    def _died(self, number: int) -> None:
        if self._tries[number] == TRIES:
            raise CannotPlay(f"{TRIES} processes with the same games ended without a result")
        self._left.appendleft(number)
        self._begin()

    def end(self) -> None:
        for connection, (process, _) in self._busy.items():
            process.kill()
            process.join()
            connection.close()


def _work(tasks: Connection) -> None:
    """One process: do what comes until nothing does. An interruption is the first process's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while (task := tasks.recv()) is not None:
            try:
                result = task()
            except Exception as problem:  # whatever it is, it is raised where it can be told
                result = problem
            tasks.send(result)

"""Runs tasks in other processes of this machine or on a Dask cluster."""

from __future__ import annotations

import logging
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar
from uuid import uuid4

T = TypeVar("T")
TRIES = 3  # of one task, each in a new process
# Never a copy of this process: it may have threads, of the compiler of machine code among others, which a copy has
# not and waits for. mypy knows contexts only by name.
_WAY = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
_PROCESSES: Any = multiprocessing.get_context(_WAY)
PATIENCE = "10s"  # until a scheduler has answered
RETRIES = 3
MISSING = 'clusters are an extra; install it with: pip install "ruleforge[cluster]"'


class CannotPlay(Exception):
    """The workers cannot play, with the reason."""


def spread(tasks: Sequence[Callable[[], T]], jobs: int) -> Generator[tuple[int, T], None, None]:
    """Each task's number and result, as they are done. Leaving early, by an interruption too, ends the processes.

    An exception in a task is raised here. Raises CannotPlay.
    """
    if _WAY == "forkserver":
        _PROCESSES.set_forkserver_preload(["ruleforge.tools.experiments.run"])
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
        with suppress(OSError):  # it is gone: its end arrives next
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
            except Exception as problem:  # any error is raised in the caller
                result = problem
            tasks.send(result)


# Runs tasks on a Dask cluster; the tasks of a lost machine run again.


def over_cluster(tasks: Sequence[Callable[[], T]], address: str) -> Generator[tuple[int, T], None, None]:
    """Each task's number and result, as they are done; leaving early takes back what is left. Raises CannotPlay.

    Workers that are lost are the scheduler's business: it gives their tasks to others.
    """
    client, run = _client(address), uuid4().hex
    try:
        futures = [
            client.submit(task, key=f"ruleforge-{run}-{number}", pure=False, retries=RETRIES)
            for number, task in enumerate(tasks)
        ]
        numbers = {future.key: number for number, future in enumerate(futures)}
        for future in _library().as_completed(futures, loop=client.loop):
            yield numbers[future.key], _result(future)
            future.release()
    finally:
        client.close()


def _result(future: Any) -> Any:
    try:
        return future.result()
    except Exception as problem:  # any error of another machine
        raise CannotPlay(f"a worker of the cluster failed: {type(problem).__name__}: {problem}") from None


def cores(address: str) -> int:
    """How many tasks a cluster does at a time. Raises CannotPlay."""
    if find_spec("distributed") is None:
        raise CannotPlay(MISSING)
    client = _client(address)
    try:
        threads = sum(int(threads) for threads in client.nthreads().values())
    finally:
        client.close()
    if not threads:
        raise CannotPlay(f"the cluster at `{address}` has no workers")
    return threads


def _library() -> Any:
    """The Dask library, imported on first use: the import is slow."""
    import distributed

    return distributed


def _client(address: str) -> Any:
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong is said in our words
    try:
        _library().comm.resolve_address(address)  # a client that was never one reports it when it goes
        return _library().Client(address, timeout=PATIENCE, set_as_default=False, name="ruleforge")
    except (OSError, ValueError, TypeError) as problem:
        raise CannotPlay(f"no Dask scheduler answers at `{address}`: {problem}") from None

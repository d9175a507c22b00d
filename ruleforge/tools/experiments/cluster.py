"""Runs tasks on a Dask cluster; the tasks of a lost machine run again."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Sequence
from importlib.util import find_spec
from typing import Any, TypeVar
from uuid import uuid4

from ruleforge.tools.experiments.workers import CannotPlay

T = TypeVar("T")
PATIENCE = "10s"  # until a scheduler has answered
RETRIES = 3
MISSING = 'clusters are an extra; install it with: pip install "ruleforge[cluster]"'


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
    except Exception as problem:  # whatever happened on another machine
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
    """Imported when somebody asks for a cluster: it takes longer than all the rest."""
    import distributed

    return distributed


def _client(address: str) -> Any:
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong is said in our words
    try:
        _library().comm.resolve_address(address)  # a client that was never one complains when it goes
        return _library().Client(address, timeout=PATIENCE, set_as_default=False, name="ruleforge")
    except (OSError, ValueError, TypeError) as problem:
        raise CannotPlay(f"no Dask scheduler answers at `{address}`: {problem}") from None

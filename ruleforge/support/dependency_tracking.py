"""Record the questions to the disk that a computation asks, with their answers, so that they can be asked
again.

The result of such a computation depends only on the answers of the disk: the contents of files, and which
files exist. If all answers are the same, so is the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
Plain = Any  # texts, numbers and tuples of them: what can be kept
Question = tuple[str, Plain, Plain]  # what is asked for, and the arguments, those with names last


class Dependencies:
    """Every question that was asked, with a digest of its answer."""

    def __init__(self) -> None:
        self.answers: dict[Question, bytes] = {}
        self.settled = True  # else the same question had two answers: a file is being written

    def add(self, question: Question, answer: bytes) -> None:
        self.settled &= self.answers.setdefault(question, answer) == answer


_NOTES: ContextVar[Dependencies | None] = ContextVar("notes", default=None)


@contextmanager
def noted() -> Iterator[Dependencies]:
    """The questions that are asked while this lasts."""
    notes = Dependencies()
    token = _NOTES.set(notes)
    try:
        yield notes
    finally:
        _NOTES.reset(token)


def asks(function: Callable[P, T]) -> Callable[P, T]:
    """Decorate a function that reads the disk: record its result or its exception."""

    @wraps(function)
    def answered(*given: P.args, **named: P.kwargs) -> T:
        notes = _NOTES.get()
        if notes is None:
            return function(*given, **named)
        question = (function.__name__, _plain(given), _plain(sorted(named.items())))
        try:
            answer = function(*given, **named)
        except Exception as refusal:
            notes.add(question, _digest(refusal))
            raise
        notes.add(question, _digest(answer))
        return answer

    return answered


def same_answers(answers: dict[Question, bytes], module: ModuleType) -> bool:
    """Whether the disk still gives the same answers. The module is the one with the recorded functions."""
    return all(_again(question, module) == answer for question, answer in answers.items())


def _again(question: Question, module: ModuleType) -> bytes:
    name, given, named = question
    try:
        return _digest(getattr(module, name)(*given, **dict(named)))
    except Exception as refusal:
        return _digest(refusal)


def _plain(value: object) -> Plain:
    match value:
        case Path():
            return str(value)
        case frozenset():
            return tuple(sorted(map(_plain, value)))
        case tuple() | list():
            return tuple(map(_plain, value))
        case _:
            return value


def _digest(answer: object) -> bytes:
    if isinstance(answer, bytes):
        return sha256(answer).digest()
    text = (type(answer).__name__, str(answer)) if isinstance(answer, Exception) else _plain(answer)
    return sha256(repr(text).encode("utf-8", "surrogatepass")).digest()

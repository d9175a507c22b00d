"""What runs deep down does not ask the system for memory at every call."""

from __future__ import annotations

import gc
import resource
import sys

import pytest

from ruleforge.frontends.cli import main as commands
from ruleforge.roomy import with_room

DEPTHS = 300  # several chunks of frames, with every place in them
CALLS = 200


def _nothing() -> None:
    """Larger than the frames above it: at some depth it is the first that does not fit into a chunk."""


_nothing.__code__ = _nothing.__code__.replace(co_stacksize=64)


def _deep(depth: int) -> int:
    """Memory that came new from the system, in pages, for many calls at one depth."""
    if depth:
        return _deep(depth - 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(CALLS):
        _nothing()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def most_pages() -> int:
    return max(_deep(depth) for depth in range(DEPTHS))


def test_calls_at_any_depth_take_no_memory() -> None:
    assert with_room(most_pages) < CALLS // 2


def test_what_is_given_and_what_comes_back_are_the_same() -> None:
    def given(*args: int, **kwargs: int) -> tuple[object, ...]:
        return args, kwargs

    assert with_room(given, 1, 2, three=3) == ((1, 2), {"three": 3})
    with pytest.raises(ZeroDivisionError):
        with_room(divmod, 1, 0)


def test_commands_have_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "run", most_pages)
    monkeypatch.setattr(commands, "_leave", sys.exit)
    monkeypatch.setattr(gc, "set_threshold", lambda _: None)
    with pytest.raises(SystemExit) as left:
        commands.main()
    assert isinstance(left.value.code, int) and left.value.code < CALLS // 2

"""The decorator for records makes the same classes as that of the standard library."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass, replace
from typing import Any

import pytest

from ruleforge.support import records


def make(decorator: Any) -> list[Any]:
    """The same classes by one decorator or the other."""

    @decorator(frozen=True, slots=True, kw_only=True)
    class Placed:
        place: int = field(default=0, compare=False, repr=False)

    @decorator(frozen=True, slots=True)
    class Node(Placed):
        own: str
        self_: tuple[int, ...] = ()
        kept: list[int] = field(default_factory=list, hash=False)

    @decorator(frozen=True)
    class Plain:
        """Said."""

        own: int
        other: int = 3

    @decorator(frozen=True, eq=False)
    class Same:
        own: int

    @decorator(frozen=True)
    class Empty:
        pass

    @decorator(frozen=True)
    class Knowing:
        own: int

        def __post_init__(self) -> None:
            assert self.own > 0

        def __hash__(self) -> int:
            return 7

    @decorator
    class Filled:
        own: int
        more: list[int] = field(default_factory=list)

    @decorator(slots=True)
    class Tight:
        own: int
        other: int = 3

    return [Placed, Node, Plain, Same, Empty, Knowing, Filled, Tight]


GIVEN: dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "Placed": [((), {}), ((), {"place": 4})],
    "Node": [(("a",), {}), (("a", (1, 2)), {"place": 9}), (("b",), {"kept": [1]})],
    "Plain": [((1,), {}), ((1, 2), {}), ((), {"own": 1, "other": 3})],
    "Same": [((1,), {})],
    "Empty": [((), {})],
    "Knowing": [((5,), {})],
    "Filled": [((5,), {}), ((5, [1]), {}), ((), {"own": 5})],
    "Tight": [((5,), {}), ((5, 4), {})],
}
MUTABLE = ("Filled", "Tight")
PAIRS = [*zip(make(dataclass), make(records.dataclass), strict=True)]
BY_NAME = pytest.mark.parametrize(("standard", "ours"), PAIRS, ids=[one.__name__ for one, _ in PAIRS])


def text(thing: object) -> str:
    return repr(thing)


@BY_NAME
def test_objects_are_made_compared_and_shown_alike(standard: Any, ours: Any):
    given = GIVEN[standard.__name__]
    theirs = [standard(*arguments, **named) for arguments, named in given]
    made = [ours(*arguments, **named) for arguments, named in given]
    assert [text(thing) for thing in made] == [text(thing) for thing in theirs]
    assert [[a == b for a in made] for b in made] == [[a == b for a in theirs] for b in theirs]
    assert all(a.__eq__(1) is NotImplemented for a in made)
    if standard.__name__ in MUTABLE:
        assert ours.__hash__ is standard.__hash__ is None
    elif standard.__name__ != "Same":
        assert [[hash(a) == hash(b) for a in made] for b in made] == [
            [hash(a) == hash(b) for a in theirs] for b in theirs
        ]
    for one, other in zip(made, theirs, strict=True):
        for name in [f.name for f in fields(ours)]:
            assert getattr(one, name) == getattr(other, name)


@BY_NAME
def test_classes_are_alike(standard: Any, ours: Any):
    assert ours.__match_args__ == standard.__match_args__
    assert is_dataclass(ours)
    assert [(f.name, f.kw_only, f.compare) for f in fields(ours)] == [
        (f.name, f.kw_only, f.compare) for f in fields(standard)
    ]
    assert hasattr(ours, "__slots__") == hasattr(standard, "__slots__")


@BY_NAME
def test_nothing_can_be_changed_but_what_is_meant_to_be(standard: Any, ours: Any):
    if standard.__name__ in MUTABLE:
        thing = ours(5)
        thing.own = 7
        assert thing.own == 7
        return
    for kind in (standard, ours):
        arguments, named = GIVEN[kind.__name__][0]
        thing = kind(*arguments, **named)
        for name in [f.name for f in fields(kind)] or ["none"]:
            with pytest.raises(FrozenInstanceError):
                setattr(thing, name, 1)
            with pytest.raises(FrozenInstanceError):
                delattr(thing, name)


@BY_NAME
@pytest.mark.parametrize("wrong", [((1,) * 9, {}), ((), {"unheard": 1})], ids=["many", "unknown"])
def test_what_does_not_fit_is_no_object(standard: Any, ours: Any, wrong: Any):
    for kind in (standard, ours):
        with pytest.raises(TypeError):
            kind(*wrong[0], **wrong[1])


@records.dataclass(frozen=True, slots=True)
class Stored:
    one: int
    more: tuple[int, ...] = ()


def test_objects_are_copied_stored_and_replaced():
    thing = Stored(1, (2,))
    assert pickle.loads(pickle.dumps(thing)) == copy.copy(thing) == copy.deepcopy(thing) == thing
    assert replace(thing, one=5) == Stored(5, (2,))
    match thing:
        case Stored(one, more):
            assert (one, more) == (1, (2,))


def test_a_default_made_for_each_is_shared_by_none():
    node = make(records.dataclass)[1]
    assert node("a").kept is not node("a").kept

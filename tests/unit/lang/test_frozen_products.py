"""What the front stages hand over is finished: frozen dataclasses all the way down."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, fields, is_dataclass
from types import MappingProxyType

import pytest

from ruleforge.lang.checker import typed
from ruleforge.lang.checker.types import Type
from ruleforge.lang.model.ruleset import Ruleset
from ruleforge.lang.parser.parsed import Parsed, ParsedText
from ruleforge.lang.source import SourceTree
from tests.unit.lang.checker.checking import checked_game

PRODUCTS = [SourceTree, Ruleset, Parsed, ParsedText, typed.Checked]
CLASSES = [c for _, c in inspect.getmembers(typed, inspect.isclass)]


@pytest.mark.parametrize("product", [*PRODUCTS, *CLASSES], ids=lambda c: c.__name__)
def test_products_are_frozen_dataclasses(product: type):
    assert is_dataclass(product)
    for name in [field.name for field in fields(product)] or ["anything"]:
        with pytest.raises(FrozenInstanceError):
            setattr(object.__new__(product), name, None)


@pytest.mark.parametrize("game", ["splicers", "orbit-simulator"])
def test_nothing_in_checked_rules_can_change(game: str):
    seen: set[int] = set()
    todo: list[object] = [checked_game(game)]
    while todo:
        value = todo.pop()
        if isinstance(value, str | int | None | Type) or id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Mapping):
            assert isinstance(value, MappingProxyType)
            todo += [*value.keys(), *value.values()]
        elif isinstance(value, tuple | frozenset):
            todo += value
        else:
            assert is_dataclass(value), f"{value!r} can change"
            todo += [getattr(value, field.name) for field in fields(value)]

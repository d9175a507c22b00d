"""What locals may hold is worked out to the end: what looks at something is looked at again when more is added."""

from __future__ import annotations

import pytest

from ruleforge.engine.visibility.hidden_locals import HiddenLocals, Label
from ruleforge.support.resources import shipped_games
from tests.shelf import game


@pytest.mark.parametrize("name", shipped_games())
def test_nothing_more_is_added(name: str) -> None:
    compiled = game(name).compiled
    program = compiled.program(compiled.setup())
    found = HiddenLocals(program)
    for function in program.functions.values():
        found._body(function.name, function.body, Label.NOTHING)
    assert not found._todo

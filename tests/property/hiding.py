"""Which of the shipped games hide something, by their files alone: nothing is compiled to know what to test."""

from __future__ import annotations

from ruleforge.lang.model.from_source import ruleset_from_source
from ruleforge.lang.model.ruleset import Ruleset
from ruleforge.lang.source.folder import read_folder
from ruleforge.support.diagnostics import Report
from ruleforge.support.resources import shipped_games


def _written(name: str) -> Ruleset:
    source = read_folder(shipped_games()[name], Report())
    assert source is not None, name
    return ruleset_from_source(source, Report())


def _hides(rules: Ruleset) -> bool:
    """Anything but what formulas show, which hides nothing."""
    sees = [attribute.sees for kind in rules.kinds for attribute in kind.has]
    sees += [one.sees for one in rules.places] + [one.sees for one in rules.actions]
    return any(one is not None for one in sees + [phase.sees for phase in rules.flow])


_WRITTEN = {name: _written(name) for name in shipped_games()}
HIDING = tuple(name for name, rules in _WRITTEN.items() if _hides(rules))
# Not only attributes, which are not dealt anew.
HIDING_THINGS = tuple(
    name for name, rules in _WRITTEN.items() if any(place.sees is not None for place in rules.places)
)

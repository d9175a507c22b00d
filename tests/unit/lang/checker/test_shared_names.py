"""A name that things of two kinds share is understood where the other side tells the kind."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruleforge
from ruleforge.project.resolver import diagnostics_of

GAME = """\
game: {{id: shared, title: Shared, version: "1", text: Names., players: 2}}
kinds:
  player: {{things: [ann, ben]}}
  gene: {{things: [plant, bug]}}
  trait: {{things: [plant, animal]}}
  card:
    facts: {{genes: set of gene, types: set of trait}}
    things:
      reed: {{genes: [plant], types: [animal]}}
      hare: {{genes: [bug], types: [plant]}}
places:
  table: {{holds: card, starts: cards}}
formulas:
  types_of: {{takes: {{c: card}}, is: c.types}}
flow:
  - phase: only
    do: |
      if count(c in table where {test}) is {wanted}: finish so
      finish not_so
endings: {{so: {{text: It is.}}, not_so: {{text: It is not.}}}}
"""


@pytest.mark.parametrize("test", ["plant in types_of(c)", "plant in c.genes", "plant not in types_of(c)"])
def test_membership_tells_the_kind(test: str, tmp_path: Path) -> None:
    path = tmp_path / "shared.yaml"
    path.write_text(GAME.format(test=test, wanted=1), "utf-8")
    outcome = ruleforge.load(path).start().outcome
    assert outcome is not None and outcome.reason == "so"


@pytest.mark.parametrize(
    "test", ["trait.plant in c.types", "c in [card.hare]", "first(g in c.types) is trait.plant"]
)
def test_a_thing_is_named_with_its_kind(test: str, tmp_path: Path) -> None:
    path = tmp_path / "shared.yaml"
    path.write_text(GAME.format(test=test, wanted=1), "utf-8")
    for backend in ("python", "reference", "native"):
        outcome = ruleforge.load(path, backend=backend).start().outcome
        assert outcome is not None and outcome.reason == "so"


def test_where_the_kind_is_not_told_both_ways_to_tell_it_are_named(tmp_path: Path) -> None:
    path = tmp_path / "shared.yaml"
    path.write_text(GAME.format(test="number(plant) is 1", wanted=1), "utf-8")
    (found,) = diagnostics_of(path)
    assert found.code == "RF505" and found.help == "write `gene.plant` or `trait.plant`"


SECTIONS = {
    "numbers": "3",
    "options": "{type: flag, default: false}",
    "kinds": "{things: [one, two]}",
    "places": "{holds: gem}",
    "formulas": "{takes: {p: player}, is: 1}",
    "events": "{takes: {p: player}, do: skip}",
    "windows": "{takes: {p: player}}",
    "actions": "{during: turn, do: skip}",
    "keywords": "{kind: gem, text: Nice.}",
    "rules": "{after: start of turn, do: skip}",
    "checks": "{text: So it is., that: true}",
    "invariants": "{text: So it is., that: true}",
    "profiles": "{title: P, text: P., weighs: {wait: 1}}",
    "positions": "{text: All of it., of: [active], keeps: 9}",
    "endings": "{text: Over.}",
}
PLAIN = {
    "game": "{id: twice, title: Twice, version: '1', text: Names., players: 2}",
    "flow": "[{phase: turn, repeat: true, each: me in players, window: one}]",
    "heuristic": "twice(p)",
    "scores": "twice(p) + twice(p)",
}
HOME = {
    "kinds": ("player: {things: [ann, ben]}", "gem: {count: 2}"),
    "actions": ("wait: {during: turn, do: twice(me)}",),
}


def _with(*sections: str) -> str:
    """A game in which each of the sections declares `twice`."""
    lines = [f"{name}: {value}" for name, value in PLAIN.items()]
    for name in (*HOME, *(n for n in sections if n not in HOME)):
        own = (f"twice: {SECTIONS[name]}",) if name in sections else ()
        lines += [f"{name}:", *(f"  {line}" for line in (*HOME.get(name, ()), *own))]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("first", SECTIONS)
def test_one_name_in_two_sections_is_a_diagnostic_or_fine(first: str, tmp_path: Path) -> None:
    path = tmp_path / "twice.yaml"
    for second in (name for name in SECTIONS if name != first):
        path.write_text(_with(first, second), "utf-8")
        assert all(found.code.startswith("RF5") for found in diagnostics_of(path)), (first, second)


def test_a_formula_and_an_event_of_one_name_are_one_diagnostic(tmp_path: Path) -> None:
    path = tmp_path / "twice.yaml"
    path.write_text(_with("formulas", "events") + "rules: {again: {after: twice(p), do: skip}}\n", "utf-8")
    assert [found.code for found in diagnostics_of(path)] == ["RF505"]

"""A fingerprint changes with what a core means, and with nothing else."""

import re
from dataclasses import fields, replace
from typing import Any

import pytest

from ruleforge.contracts.locks.canon import definitions_of_contract
from ruleforge.contracts.locks.fingerprint import fingerprint
from ruleforge.contracts.locks.lockfile import check_lock, lock_text, read_lock
from ruleforge.contracts.reading import contract_of
from ruleforge.lang.model.from_source import ruleset_from_source
from ruleforge.lang.parser.parsed import parse
from ruleforge.lang.source import SourceTree, read_yaml
from ruleforge.project.locator import packs_of
from ruleforge.support.diagnostics import Report
from ruleforge.support.resources import shipped_games

CORE = """\
game:
  id: marsh
  title: Marsh
  version: "1.2"
  players: 2
numbers:
  most: 3
kinds:
  player:
    things: [ann, ben]
    has:
      coins: 0..9 = 2
  card:
    facts:
      cost: 0..9
    things:
      newt:
        title: A Newt
        cost: 1
      frog:
        cost: 2
formulas:
  price:
    text: What a card costs.
    takes: {c: card}
    is: c.cost + most
    open: true
events:
  croak:
    takes: {c: card}
    do: |
      for p in players: p.coins += 1
      if price(c) > 2: skip
setup: skip
flow:
  - phase: turn
    each: me in players
    window: one
  - phase: last
    do: finish over
actions:
  sing:
    during: turn
    do: |
      for c in cards: croak(c)
  hum:
    during: turn
    do: skip
endings:
  over: {text: It is over.}
"""


def ruleset_of(text):
    report = Report()
    read = read_yaml(text, "core.yaml", report)
    assert read is not None and not report.has_errors
    ruleset = ruleset_from_source(SourceTree("core.yaml", (read,)), report)
    assert ruleset is not None and not report.has_errors
    return ruleset


def print_of(text):
    ruleset = ruleset_of(text)
    return fingerprint(ruleset, parse(ruleset, Report()))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("numbers:\n", "# a comment\nnumbers:\n"),
        ("    is: c.cost + most\n", "    is: (c.cost  +  most)\n"),
        ("    takes: {c: card}\n    is", "    takes:\n      c: card\n    is"),
        ("  price:\n    text: What a card costs.\n    takes: {c: card}", "  price:\n    takes: {c: card}"),
        ("        title: A Newt\n", "        title: The Newt\n"),
        ("      for c in cards: croak(c)\n", "      for c in cards:\n        croak(c)\n"),
        ('version: "1.2"', 'version: "1.3"'),
    ],
)
def test_layout_order_and_words_leave_the_rules_alone(old, new):
    assert old in CORE
    before, after = print_of(CORE), print_of(CORE.replace(old, new))
    assert before.rules == after.rules
    assert before.changes(after) == ()


def test_the_order_of_definitions_does_not_matter():
    sing = CORE[CORE.index("  sing:") : CORE.index("  hum:")]
    moved = CORE.replace(sing, "").replace("endings:", f"{sing}endings:")
    assert moved != CORE
    assert print_of(moved).rules == print_of(CORE).rules


def test_words_have_a_fingerprint_of_their_own():
    assert print_of(CORE).words != print_of(CORE.replace("A Newt", "The Newt")).words


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ("most: 3", "most: 4", "numbers.most"),
        ("        cost: 2", "        cost: 3", "kinds.card.things.frog"),
        ("coins: 0..9 = 2", "coins: 0..9 = 3", "kinds.player.has.coins"),
        ("c.cost + most", "c.cost - most", "formulas.price"),
        ("open: true", "open: false", "formulas.price"),
        ("p.coins += 1", "p.coins += 2", "events.croak"),
        ("during: turn\n    do: |", "during: [turn, last]\n    do: |", "actions.sing"),
        ("window: one", "window: many", "game"),
        ("setup: skip\n", "", "game"),
        ("players: 2", "players: 1..2", "game"),
    ],
)
def test_every_change_of_meaning_is_named(old, new, path):
    before, after = print_of(CORE), print_of(CORE.replace(old, new))
    assert before.rules != after.rules
    assert [change.path for change in before.changes(after)] == [path]


def test_the_order_of_things_is_a_meaning():
    swapped = CORE.replace("[ann, ben]", "[ben, ann]")
    assert [str(c) for c in print_of(CORE).changes(print_of(swapped))] == ["changed kinds.player"]


def test_every_number_in_the_effects_counts():
    """Whatever number in the rules is changed, the fingerprint is another one."""
    places = [m for m in re.finditer(r"\b\d\b", CORE) if '"' not in CORE[m.start() - 2 : m.end() + 2]]
    assert len(places) > 8
    for place in places:
        changed = CORE[: place.start()] + str(int(place[0]) + 1) + CORE[place.end() :]
        assert print_of(changed).rules != print_of(CORE).rules, CORE[place.start() - 20 : place.end()]


def test_a_changed_core_needs_a_new_version(tmp_path):
    path = tmp_path / "core.lock"
    path.write_text(lock_text(print_of(CORE)))
    report = Report()
    locked = read_lock(path, report)
    assert locked is not None
    changed = CORE.replace("most: 3", "most: 4")
    check_lock(locked, print_of(changed), ruleset_of(changed), report)
    assert [(d.code, "changed numbers.most" in d.message) for d in report] == [("RF341", True)]
    fresh = Report()
    newer = changed.replace('"1.2"', '"1.3"')
    check_lock(locked, print_of(newer), ruleset_of(newer), fresh)
    check_lock(locked, print_of(CORE), ruleset_of(CORE), fresh)
    assert not list(fresh)


def test_a_damaged_lock_file_is_reported(tmp_path):
    path = tmp_path / "core.lock"
    path.write_text("not json")
    report = Report()
    assert read_lock(path, report) is None
    assert [d.code for d in report] == ["RF342"]


@pytest.mark.parametrize("core", [path for path in shipped_games().values() if packs_of(path)], ids=str)
def test_every_part_of_a_contract_counts(core):
    """Whatever part of a contract is left out, the lock tells."""
    contract = contract_of(core)
    assert contract is not None
    whole = definitions_of_contract(contract)
    for field in fields(contract):
        parts = getattr(contract, field.name)
        if isinstance(parts, tuple) and field.name not in ("span", "cites", "mistakes"):
            for number in range(len(parts)):
                shorter: dict[str, Any] = {field.name: (*parts[:number], *parts[number + 1 :])}
                less = replace(contract, **shorter)
                assert definitions_of_contract(less) != whole, (field.name, parts[number])

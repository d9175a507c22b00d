"""Over two hundred mistakes that authors make: what is said of each, word for word, and that its edit repairs it."""

from __future__ import annotations

import re

import pytest

from tests.diagnostics.planting import Case, Planted, cases, checked_after_repair, original, planted, said

CASES = cases()
_LINE = re.compile(r"(?<=\.yaml:)[0-9]+(?=:)|^ +[0-9]* +(?=\|)|^ +[0-9]+ (?=\|)", re.MULTILINE)


def without_lines(text: str) -> str:
    """Games grow: a place is known by its column and by what stands there."""
    return _LINE.sub("", text)


def test_there_are_two_hundred_and_no_two_alike():
    assert len(CASES) >= 200
    assert len({case.title for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_mistake_gets_one_diagnostic_in_these_words_and_its_edit_repairs_it(case: Case):
    found = planted(case)
    assert without_lines(said(found)) == without_lines(case.said)
    assert len(found.after.diagnostics) == 1
    if found.after.diagnostics[0].fix:
        _assert_repaired(found)


def _assert_repaired(found: Planted) -> None:
    """The complaint is gone. A new name in the rules may lead to another one, in scenarios that have the old one."""
    (before,) = found.after.diagnostics
    if all(text == original(found, name) for name, text in found.repaired().items()):
        return  # as it was
    after = checked_after_repair(found).diagnostics
    assert before.message not in [d.message for d in after]
    if before.code < "RF5":
        assert all(d.severity != "error" or d.code == "RF341" for d in after), after

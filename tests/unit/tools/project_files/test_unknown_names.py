"""Names that nothing has: each is one complaint, and what takes very many names away is one, too."""

from __future__ import annotations

from ruleforge.support.diagnostics import Report, Span
from ruleforge.tools.project_files.mentions import MANY, Unknown


def told(names: list[str], known: list[str]) -> Report:
    report = Report()
    unknown = Unknown(report, lambda name: False)
    for line, name in enumerate(names, 1):
        unknown.name(
            ("clause", name), f"there is no `{name}`", "RF343", Span("a.yaml", line, 1, line, 2), known
        )
    unknown.tell()
    return report


def test_a_few_names_are_told_one_by_one_with_what_was_meant():
    found = list(told(["hous", "tree", "hous"], ["house"]))
    assert [d.message for d in found] == ["there is no `hous`", "there is no `tree`"]
    assert found[0].help == "did you mean `house`?" and len(found[0].fix) == 2


def test_very_many_names_are_lost_with_one_thing():
    names = [f"name_{chr(97 + n)}" for n in range(MANY + 1)]
    (found,) = told([*names, names[0]], ["something"])
    assert found.message == f"there is no `name_a`; {MANY} more such names are missing, too"
    assert found.span.line == 1 and [note[1].line for note in found.notes] == [2]
    assert len(list(told(names[:MANY], ["something"]))) == MANY


def test_names_of_different_sorts_are_not_lost_together():
    report = Report()
    unknown = Unknown(report, lambda name: False)
    for n in range(2 * MANY):
        unknown.name(
            (f"sort {n % 2}", f"n{n}_name"), f"no {n}", "RF501", Span("a.yaml", n + 1, 1, n + 1, 2), ()
        )
    unknown.tell()
    assert len(list(report)) == 2 * MANY


def test_all_copies_of_a_thing_are_one_mistake():
    report = Report()
    unknown = Unknown(report, lambda name: False)
    for n in range(1, 4):
        span = Span("a.yaml", n, 1, n, 2)
        unknown.name(("card", f"coin_{n}"), f"no coin_{n}", "RF831", span, ("coins_1", "coins_2", "coins_3"))
    unknown.tell()
    (found,) = report
    assert [edit.text for edit in found.fix] == ["coins_1", "coins_2", "coins_3"]

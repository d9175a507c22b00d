"""Diagnostics in their three forms."""

import json

import pytest

from ruleforge.support.diagnostics import NOWHERE, Diagnostic, Report, Span
from ruleforge.support.diagnostics.codes import CODES
from ruleforge.support.diagnostics.for_programs import render_github, render_json, render_sarif
from ruleforge.support.diagnostics.render import render_text, summary

FILE = "marsh/cards/ember.yaml"
LINES = {5: "effect: move target to hnd", 7: "text: \x1b[31mred\tsign", 9: "名前: hnd"}


def read_line(file: str, line: int) -> str | None:
    return LINES.get(line) if file == FILE else None


def at(line: int, column: int, end_column: int, end_line: int | None = None) -> Span:
    return Span(FILE, line, column, end_line or line, end_column)


UNKNOWN = Diagnostic(
    "RF501",
    "unknown zone `hnd`",
    at(5, 24, 27),
    "did you mean `hand`?",
    (("zones are declared", Span("marsh/zones.yaml", 3, 3, 3, 8)),),
)


def test_text_has_the_agreed_shape():
    assert render_text([UNKNOWN], read_line=read_line) == (
        "marsh/cards/ember.yaml:5:24: error[RF501]: unknown zone `hnd`\n"
        "  5 | effect: move target to hnd\n"
        "    |                        ^^^\n"
        "  note: zones are declared at marsh/zones.yaml:3:3\n"
        "  help: did you mean `hand`?"
    )


def test_two_diagnostics_have_an_empty_line_between_them():
    text = render_text([UNKNOWN, UNKNOWN], read_line=read_line)
    assert text.split("\n\n") == [render_text([UNKNOWN], read_line=read_line)] * 2


def test_without_the_source_there_is_no_quotation():
    text = render_text([UNKNOWN], read_line=lambda file, line: None)
    assert text.splitlines()[1].startswith("  note:")


def test_what_is_built_in_has_no_place_to_show():
    d = Diagnostic("RF505", "`next` is taken", at(5, 1, 7), None, (("it is built in", NOWHERE),))
    assert render_text([d], read_line=read_line).endswith("note: it is built in")


def test_a_file_cannot_control_the_terminal():
    d = Diagnostic("RF501", "unknown `\x1b[2J`", at(7, 1, 5))
    assert "\x1b" not in render_text([d], read_line=read_line)


def test_colour_only_adds_escapes():
    import re

    coloured = render_text([UNKNOWN], colour=True, read_line=read_line)
    assert coloured != render_text([UNKNOWN], read_line=read_line)
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == render_text([UNKNOWN], read_line=read_line)


def test_wide_signs_move_the_underline():
    lines = render_text([Diagnostic("RF501", "no", at(9, 5, 8))], read_line=read_line).splitlines()
    assert lines[2] == "    |       ^^^"


def test_an_overlong_line_is_cut_around_the_guilty_part():
    long = "x" * 5000 + "guilty" + "y" * 5000
    d = Diagnostic("RF501", "no", at(1, 5001, 5007))
    _, shown, carets = render_text([d], read_line=lambda file, line: long).splitlines()
    assert len(shown) < 140
    start = carets.index("^")
    assert shown[start : start + carets.count("^")] == "guilty"


@pytest.mark.parametrize(("end_line", "end_column"), [(8, 3), (5, 24), (5, 4000)])
def test_an_odd_end_still_underlines_something_on_the_line(end_line, end_column):
    d = Diagnostic("RF501", "no", at(5, 24, end_column, end_line))
    carets = render_text([d], read_line=read_line).splitlines()[2]
    assert 1 <= carets.count("^") <= 3


def test_json_lists_every_field():
    (item,) = json.loads(render_json([UNKNOWN]))
    assert item == {
        "code": "RF501",
        "severity": "error",
        "message": "unknown zone `hnd`",
        "file": FILE,
        "line": 5,
        "column": 24,
        "end_line": 5,
        "end_column": 27,
        "help": "did you mean `hand`?",
        "fix": [],
        "notes": [
            {
                "message": "zones are declared",
                "file": "marsh/zones.yaml",
                "line": 3,
                "column": 3,
                "end_line": 3,
                "end_column": 8,
            }
        ],
    }


def test_sarif_names_rule_place_and_related_place():
    log = json.loads(render_sarif([UNKNOWN]))
    (run,) = log["runs"]
    (result,) = run["results"]
    place = result["locations"][0]["physicalLocation"]
    assert log["version"] == "2.1.0"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [result["ruleId"]] == ["RF501"]
    assert place["artifactLocation"]["uri"] == FILE
    assert place["region"] == {"startLine": 5, "startColumn": 24, "endLine": 5, "endColumn": 27}
    assert result["relatedLocations"][0]["message"]["text"] == "zones are declared"


def test_summary_counts():
    assert summary([UNKNOWN]) == "1 error"
    assert summary([UNKNOWN, UNKNOWN]) == "2 errors"
    assert summary([]) == ""


def test_a_report_keeps_a_diagnostic_once_and_sorts_by_place():
    report = Report()
    report.add("RF502", "later", at(9, 1, 2))
    report.add("RF501", "early", at(5, 1, 2))
    report.add("RF501", "early", at(5, 1, 2))
    report.add("RF501", "of another thing", at(5, 1, 2))
    assert [(d.code, d.message) for d in report] == [
        ("RF501", "early"),
        ("RF501", "of another thing"),
        ("RF502", "later"),
    ]


def test_codes_are_unique_and_sorted_within_their_stage():
    from ruleforge.support.diagnostics.codes import _ROWS

    codes = [row[0] for row in _ROWS]
    assert len(codes) == len(set(codes)) == len(CODES)
    assert codes == sorted(codes)


def test_a_diagnostic_about_no_file_has_no_place_for_programs():
    d = Diagnostic("RF842", "there is no game `nosuch`", NOWHERE)
    assert json.loads(render_json([d]))[0]["file"] is None
    (result,) = json.loads(render_sarif([d]))["runs"][0]["results"]
    assert "locations" not in result
    assert render_github([d]) == "::error title=RF842::there is no game `nosuch`"

"""Texts that are put together keep the places of their parts, also of parts whose places nobody knows."""

from __future__ import annotations

import pytest

import ruleforge
from ruleforge.lang.source.scalar_origin import SourceText, listed_text, tabled_text, text_at
from ruleforge.support.diagnostics import Span

SPAN = Span("a.yaml", 3, 5, 3, 20)
KNOWN = text_at("ann", Span("a.yaml", 3, 6, 3, 9))
LOST = SourceText(
    "\n", Span("a.yaml", 3, 11, 4, 2), ()
)  # as a text of several lines that was complained about


def test_every_part_of_a_list_keeps_its_place():
    text = listed_text([KNOWN, text_at("ben", Span("a.yaml", 3, 11, 3, 14))], SPAN)
    assert text.text == "[ann, ben]"
    assert text.span_at(1, 2, 1, 5) == Span("a.yaml", 3, 6, 3, 9)
    assert text.span_at(1, 7, 1, 10) == Span("a.yaml", 3, 11, 3, 14)


def test_a_part_without_places_begins_where_it_stands():
    assert listed_text([KNOWN, LOST], SPAN).span_at(1, 7, 1, 7).line == 3
    assert tabled_text([(KNOWN, LOST)], SPAN).text == "{ann: \n}"


@pytest.mark.parametrize("value", ['"\\n"', '"a\\nb"', '""', "|\n      \n", '"\\n\\n"'])
def test_whatever_stands_in_a_list_is_a_diagnostic(tmp_path, value):
    rules = tmp_path / "odd.yaml"
    rules.write_text(
        'game: {id: odd, title: Odd, version: "1.0", text: Odd., players: 2}\n'
        "kinds:\n  player: {things: [ann, ben]}\n"
        "flow:\n  - {phase: turn, repeat: true, each: me in players, window: one}\n"
        "actions:\n  go: {during: turn, do: finish over for me}\n"
        f"endings:\n  over:\n    winners:\n    - {value}\n"
    )
    assert ruleforge.analyse(rules).diagnostics

"""A text that was read before is the same tree at another place, to the last span."""

from __future__ import annotations

import pytest

from ruleforge.lang.parser.depth import all_nodes
from ruleforge.lang.parser.text_parser import parse_picked, parse_text
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import Report
from ruleforge.support.resources import shipped_games


@pytest.mark.parametrize("game", sorted(shipped_games()))
def test_each_text_reads_as_if_it_were_the_only_one(game: str) -> None:
    parsed = analyse(game).parsed
    assert parsed is not None
    for text, read in parsed.texts.items():
        report = Report()
        if read.text.start == "picked":
            alone = parse_picked(text, report, read.text.key or "")
        else:
            alone = parse_text(read.text.start, text, report)
        assert read.node == alone
        if alone is not None:
            assert read.node is not None
            assert [n.span for n in all_nodes(read.node)] == [n.span for n in all_nodes(alone)], text

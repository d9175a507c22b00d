"""Every word of the grammar is explained, and nothing is explained that is no word."""

from __future__ import annotations

from ruleforge.lang.checker.vocabulary import INSIDE, STATEMENTS, said_of
from ruleforge.lang.parser.grammar import RESERVED, terminals


def test_every_word_of_the_grammar_is_explained():
    words = set(terminals().values())
    assert words == {*STATEMENTS, *INSIDE}
    assert words >= RESERVED
    assert all(said_of(word) for word in words)

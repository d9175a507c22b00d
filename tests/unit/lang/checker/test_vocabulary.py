"""Every word of the grammar is explained, and nothing is explained that is no word."""

from __future__ import annotations

from ruleforge.lang.checker.vocabulary import INSIDE, STATEMENTS, word_documentation
from ruleforge.lang.parser.grammar import RESERVED, terminals


def test_every_word_of_the_grammar_is_explained():
    words = set(terminals().values())
    assert words == {*STATEMENTS, *INSIDE}
    assert words >= RESERVED
    assert all(word_documentation(word) for word in words)

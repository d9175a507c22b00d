"""The words and signs of the grammar, by the names of their terminals."""

from __future__ import annotations

import re
from functools import cache

from ruleforge.lang.parser.grammar import grammar_text
from ruleforge.support.resources import reserved_words

# No name in a rule file may be one of these.
RESERVED: frozenset[str] = reserved_words()


@cache
def terminals() -> dict[str, str]:
    """Terminal -> the word it stands for."""
    return dict(re.findall(r'^([A-Z_]+): "([a-z]+)"$', grammar_text(), re.MULTILINE))


@cache
def signs() -> dict[str, str]:
    """Terminal -> the sign it stands for."""
    return dict(re.findall(r'^([A-Z_]+): "([^a-z"]+)"$', grammar_text(), re.MULTILINE))

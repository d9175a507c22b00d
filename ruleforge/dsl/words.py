"""The words of the grammar: no name in a rule file may be one of them."""

from __future__ import annotations

import re
from functools import cache

from ruleforge.dsl.grammar import grammar_text

# Words with a meaning in one place only; the rule `name` of the grammar lets them be names elsewhere.
_TERMINAL = re.compile(r'^([A-Z_]+): "([a-z]+)"$', re.MULTILINE)
_SOFT = re.compile(r"^!\?name: NAME (.*)$", re.MULTILINE)


@cache
def terminals() -> dict[str, str]:
    """Terminal -> the word it stands for."""
    return {name: word for name, word in _TERMINAL.findall(grammar_text())}


def _reserved() -> frozenset[str]:
    soft = _SOFT.search(grammar_text())
    assert soft is not None, "the grammar has a rule `name`"
    return frozenset(terminals().values()) - frozenset(re.findall(r'"([a-z]+)"', soft[1]))


RESERVED: frozenset[str] = _reserved()

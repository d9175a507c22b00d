"""The words of the grammar: no name in a rule file may be one of them."""

from __future__ import annotations

import re
from functools import cache

from ruleforge.dsl.grammar import grammar_text

_WORD = re.compile(r'^([A-Z_]+): "([a-z]+)"$', re.MULTILINE)
_SIGN = re.compile(r'^([A-Z_]+): "([^a-z"]+)"$', re.MULTILINE)
# Words with a meaning in one place only; the rule `name` of the grammar lets them be names elsewhere.
_SOFT = re.compile(r"^!\?name: NAME (.*)$", re.MULTILINE)


@cache
def terminals() -> dict[str, str]:
    """Terminal -> the word it stands for."""
    return dict(_WORD.findall(grammar_text()))


@cache
def signs() -> dict[str, str]:
    """Terminal -> the sign it stands for."""
    return dict(_SIGN.findall(grammar_text()))


def _reserved() -> frozenset[str]:
    soft = _SOFT.search(grammar_text())
    assert soft is not None, "the grammar has a rule `name`"
    return frozenset(terminals().values()) - frozenset(re.findall(r'"([a-z]+)"', soft[1]))


RESERVED: frozenset[str] = _reserved()

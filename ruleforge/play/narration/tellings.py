"""A telling of the ruleset and an event -> the author's sentence with names and values in it."""

from __future__ import annotations

from collections.abc import Mapping

from ruleforge.backends.artifacts.info import Told
from ruleforge.engine.event import EventValue
from ruleforge.engine.presentation.names import Names
from ruleforge.engine.presentation.seen import HIDDEN
from ruleforge.support.spelling import with_article


def said(told: Told, values: Mapping[str, EventValue], names: Names) -> str:
    """The sentence; what the reader may not know is left out with the brackets around it, else it is just a thing."""
    words: list[str] = []
    optional: list[str] | None = None  # inside square brackets
    known = True
    for part in told.telling.parts:
        if isinstance(part, str):
            target = words if optional is None else optional
            for sign in part:
                if sign == "[":
                    optional, known, target = [], True, words
                    target = optional
                elif sign == "]" and optional is not None:
                    words += optional if known else []
                    optional, target = None, words
                else:
                    target.append(sign)
            continue
        value = values.get(part.key, HIDDEN)
        if value in (HIDDEN, None) and optional is not None:
            known = False
        kind = told.kind_of(part.expression.text)
        hidden = _unnamed(kind, names)
        text = hidden if value == HIDDEN else part.pick(value) if part.answers else names.value(value, kind)
        (words if optional is None else optional).append(text)
    return " ".join("".join(words).split())


def _unnamed(kind: str, names: Names) -> str:
    """What something is called of which nobody may know more than its kind."""
    return with_article(names.kind(kind)) if kind else "something"

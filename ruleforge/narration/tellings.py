"""A telling of the ruleset and an event -> the author's sentence with names and values in it."""

from __future__ import annotations

from ruleforge.engine.event import Event
from ruleforge.model.telling import Telling
from ruleforge.present.names import Names
from ruleforge.present.seen import HIDDEN


def said(telling: Telling, event: Event, names: Names) -> str:
    """The sentence; what the reader may not know is left out with the brackets around it, else it is `?`."""
    words: list[str] = []
    optional: list[str] | None = None  # inside square brackets
    known = True
    for part in telling.parts:
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
        value = event.told.get(part.key, HIDDEN)
        if value in (HIDDEN, None) and optional is not None:
            known = False
        text = "something" if value == HIDDEN else part.pick(value) if part.answers else names.value(value)
        (words if optional is None else optional).append(text)
    return " ".join("".join(words).split())

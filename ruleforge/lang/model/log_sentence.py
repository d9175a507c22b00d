"""Splits the text of `tells` into plain words and expressions with their places."""

from __future__ import annotations

import re

from ruleforge.lang.model.read_fields import Fields
from ruleforge.lang.source import SourceNode
from ruleforge.lang.source.scalar_origin import SourceText, text_at
from ruleforge.support.records import dataclass

PLACEHOLDER = re.compile(r"\{(?P<then>then\s+)?(?P<text>[^{}?]*?)\s*(?:\?(?P<yes>[^{}:]*):(?P<no>[^{}]*))?\}")


@dataclass(frozen=True, slots=True)
class Placeholder:
    """An expression in a log sentence, evaluated before the event, or (`then`) after it.

    With `answers` it is a condition that selects one of two texts.
    """

    expression: SourceText
    then: bool = False
    answers: tuple[str, str] | None = None

    @property
    def key(self) -> str:
        return f"{'then ' if self.then else ''}{self.expression.text}"

    def pick(self, value: object) -> str:
        assert self.answers is not None
        return self.answers[0 if value is True or (isinstance(value, int) and value > 0) else 1]


@dataclass(frozen=True, slots=True)
class LogSentence:
    """A sentence with placeholders. A part in square brackets appears only if its reader may know all of it."""

    text: SourceText
    parts: tuple[str | Placeholder, ...]

    @property
    def placeholders(self) -> tuple[Placeholder, ...]:
        return tuple(part for part in self.parts if isinstance(part, Placeholder))


def sentence_from_source(fields: Fields, node: SourceNode) -> LogSentence | None:
    """A text with placeholders; an empty one says nothing."""
    text = fields.text(node)
    return None if text is None else sentence_of(text)


def sentence_of(text: SourceText) -> LogSentence:
    parts: list[str | Placeholder] = []
    end = 0
    for found in PLACEHOLDER.finditer(text.text):
        parts += [text.text[end : found.start()]] if found.start() > end else []
        answers = (found["yes"].strip(), found["no"].strip()) if found["yes"] is not None else None
        parts.append(
            Placeholder(_part(text, found.start("text"), found.end("text")), bool(found["then"]), answers)
        )
        end = found.end()
    parts += [text.text[end:]] if end < len(text.text) else []
    return LogSentence(text, tuple(parts))


def _part(text: SourceText, start: int, end: int) -> SourceText:
    """A stretch of one line of the text."""
    line = text.text.count("\n", 0, start) + 1
    first = start - (text.text.rfind("\n", 0, start) + 1) + 1
    return text_at(text.text[start:end], text.span_at(line, first, line, first + end - start))

"""The place where the parser failed, with the questions of hints: the words around it, and those that fit."""

from __future__ import annotations

from ruleforge.lang.parser.grammar import signs, terminals
from ruleforge.lang.parser.lines import Word
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import listed

LAYOUT = frozenset({"NEWLINE", "INDENT", "DEDENT", "$END"})


def span_of(source: SourceText, start: int, end: int) -> Span:
    """The file span of a stretch of the text, given by offsets."""
    return source.span_at(*_place(source.text, start), *_place(source.text, end))


def _place(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1


def with_space(span: Span) -> Span:
    """A word and the space behind it, which goes with it."""
    return span._replace(end_column=span.end_column + 1)


@dataclass(frozen=True, slots=True)
class Trouble:
    """`word` was met after the words `before`, where only the terminals `expected` would have fitted.

    `start` is the start symbol, such as `block` or `expr`.
    """

    start: str
    source: SourceText
    word: Word
    before: tuple[Word, ...]
    expected: frozenset[str]

    def seen(self, back: int = 1) -> Word | None:
        """The last word an author can see before the trouble, or the one `back` words before it."""
        visible = [word for word in self.before if word.type not in LAYOUT]
        return visible[-back] if len(visible) >= back else None

    def after(self, *types: str) -> bool:
        """Do the visible words just before the trouble have these types?"""
        visible = [word.type for word in self.before if word.type not in LAYOUT]
        return tuple(visible[-len(types) :]) == types

    @property
    def open(self) -> tuple[int, ...]:
        """The brackets open before the trouble, as indices into `before`."""
        stack: list[int] = []
        for index, word in enumerate(self.before):
            if word.type.startswith("OPEN") and not word.text.isalpha():
                stack.append(index)
            elif word.type.startswith("CLOSE"):
                stack.pop()
        return tuple(stack)

    @property
    def line(self) -> tuple[Word, ...]:
        """The words of the logical line so far."""
        words: list[Word] = []
        for word in reversed(self.before):
            if word.type in LAYOUT:
                break
            words.append(word)
        return tuple(reversed(words))

    @property
    def opener(self) -> str:
        """The type of the word that opens the line, or an empty string."""
        return self.line[0].type if self.line else ""

    @property
    def at_end(self) -> bool:
        """Did the line or the text end here?"""
        return self.word.type in LAYOUT

    @property
    def is_last(self) -> bool:
        """Is the word that was met the last one on its line?"""
        rest = self.source.text[self.word.offset + len(self.word.text) :]
        return not rest.partition("\n")[0].strip()

    @property
    def wants_value(self) -> bool:
        return "INT" in self.expected

    @property
    def wants_name_only(self) -> bool:
        return "NAME" in self.expected and not self.wants_value

    @property
    def met(self) -> str:
        """How a message names the word that was met."""
        if self.word.type == "$END":
            return "the end of the text"
        if self.word.type in LAYOUT:
            return "the end of the line"
        return f"`{self.word.text}`"

    @property
    def is_reserved(self) -> bool:
        return self.word.type in terminals()

    def glued(self, text: str) -> int | None:
        """The start of `text` in the source, if it includes the word in trouble."""
        for start in range(max(0, self.word.offset - len(text) + 1), self.word.offset + 1):
            if self.source.text.startswith(text, start):
                return start
        return None


# The words that could stand where the parser failed.


def fitting(t: Trouble) -> str | None:
    """The words that fit here, if they are few enough to help."""
    shown = {**terminals(), **signs()}
    found = sorted(shown[name] for name in t.expected if name in shown)
    if not 0 < len(found) <= 3 or len(found) < len(t.expected - LAYOUT):
        return None
    return f"expected {listed(found)}"
